import { createAccount } from "../../src/base/accounts/actions.ts";
import { listAccounts } from "../../src/base/accounts/queries.ts";
import { renameAccount, renameInDirectory, requireFreeShop } from "../../src/base/accounts/rename.ts";
import { newAccount, shopDomain } from "../../src/base/accounts/rules.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import { commit } from "../../src/base/db/commit.ts";
import { demoShop } from "../../src/base/demo.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { insertLogEndpoint } from "../../src/domain/mail/actions/change-settings.ts";
import { type Commands, checked, isLocal, recordsOf, required } from "./command.ts";
import { UsageError } from "./options.ts";

export const accountCommands: Commands = {
  create: {
    takes: ["shop", "name", "timezone", "currency", "engine", "test"],
    async run(db, values, { now }) {
      required(values, "shop");
      const { shop, name, timezone, currency, engine, test: is_test } = values;
      const wanted = checked(newAccount, { shop, name, timezone, currency, engine, is_test });
      if (wanted.shop === demoShop) throw new UsageError(`--shop: ${demoShop} is kept for the demo store`);
      const { account, text } = await createAccount(db, wanted, now);
      if (isLocal(values) && account.engine === db.engine)
        await commit({ db }, [insertLogEndpoint(account, { id: newId(), now })]);
      return [{ account_id: account.id, shop: account.shop, api_key: text }];
    },
  },
  list: {
    takes: [],
    async run(db) {
      return (await listAccounts(db)).map(({ seq: _, id, updated_at, ...account }) =>
        account.engine === db.engine ? { account_id: id, ...account } : directoryLine({ id, ...account }),
      );
    },
  },
  rename: {
    takes: ["shop", "account", "to"],
    async run(db, values, { now }) {
      const shop = checked(shopDomain, required(values, "to"), "to");
      const { db: records, account } = await recordsOf(db, values);
      const isElsewhere = records !== db;
      if (isElsewhere) await requireFreeShop(db, shop);
      const renamed = await renameAccount(records, { account, shop, now });
      if (isElsewhere) await renameInDirectory(db, { account, shop, now });
      return [{ account_id: renamed.id, shop: renamed.shop, previous_shop: account.shop }];
    },
  },
};

/** The columns that the directory has of an account with an object; its settings are in the object. */
function directoryLine({
  id,
  shop,
  engine,
  moving,
  created_at,
}: Pick<Account, "id" | "shop" | "engine" | "moving" | "created_at">) {
  return { account_id: id, shop, engine, moving, created_at };
}
