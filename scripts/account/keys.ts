import { createKey, revokeKey } from "../../src/accounts/actions.ts";
import { keyIdOf } from "../../src/accounts/api-key.ts";
import { listKeys } from "../../src/accounts/queries.ts";
import { displayName } from "../../src/accounts/rules.ts";
import { accountOf, type Commands, checked, required } from "./command.ts";

export const keyCommands: Commands = {
  "key create": {
    takes: ["shop", "account", "name"],
    async run(db, values, now) {
      const account = await accountOf(db, values);
      const name = checked(displayName, values.name ?? "default", "name");
      const { key, text } = await createKey(db, account.id, name, now);
      return [{ account_id: account.id, shop: account.shop, key_id: key.id, name: key.name, api_key: text }];
    },
  },
  "key list": {
    takes: ["shop", "account"],
    async run(db, values) {
      const keys = await listKeys(db, (await accountOf(db, values)).id);
      return keys.map(({ id, key_hash, ...key }) => ({ key_id: id, ...key }));
    },
  },
  "key revoke": {
    takes: ["key"],
    async run(db, values, now) {
      const given = required(values, "key");
      const key_id = keyIdOf(given) ?? given;
      await revokeKey(db, key_id, now);
      return [{ key_id, revoked_at: now }];
    },
  },
};
