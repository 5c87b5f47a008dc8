import { z } from "zod";
import { keyIdOf } from "../../src/base/accounts/api-key.ts";
import { endpointsField, listEndpointsOfKey } from "../../src/base/accounts/key-endpoints.ts";
import { createKey, listKeys, revokeKey } from "../../src/base/accounts/keys.ts";
import { limitsOfKey, statedLimits } from "../../src/base/accounts/limits.ts";
import { displayName } from "../../src/base/accounts/rules.ts";
import { allScopes } from "../../src/base/accounts/scopes.ts";
import type { Account, ApiKey } from "../../src/base/accounts/tables.ts";
import { minorOf } from "../../src/base/amounts.ts";
import type { Db } from "../../src/base/db/port.ts";
import { dayMs, hourMs } from "../../src/base/lib/time/durations.ts";
import { accountOf, type Commands, checked, recordsOf, required } from "./command.ts";
import type { Values } from "./options.ts";

const scopeList = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(z.enum(allScopes, `must be of ${allScopes.join(", ")}`)));

const unitMs = { d: dayMs, h: hourMs };

/** A span of time, such as 90d or 12h, in milliseconds. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,4}[dh]$/, "must be a number of days or hours, such as 90d or 12h")
  .transform((text) => Number.parseInt(text, 10) * unitMs[text.endsWith("d") ? "d" : "h"]);

export const keyCommands: Commands = {
  "key create": {
    takes: ["shop", "account", "name", "scopes", "expires-in", "requires-preview", "max-amount"],
    async run(db, values, { now }) {
      const account = await accountOf(db, values);
      const { scopes, "expires-in": expiresIn } = values;
      const { key, text } = await createKey(db, {
        accountId: account.id,
        name: checked(displayName, values.name ?? "default", "name"),
        now,
        scopes: checked(scopeList.optional(), scopes, "scopes"),
        limits: {
          requires_preview: values["requires-preview"] ?? false,
          max_amount: amountOf(account, values["max-amount"]),
        },
        expiresAt: expiryOf(checked(duration.optional(), expiresIn, "expires-in"), now),
      });
      return [{ account_id: account.id, shop: account.shop, ...presentKey(key), api_key: text }];
    },
  },
  "key list": {
    takes: ["shop", "account"],
    async run(db, values) {
      const { id: account_id } = await accountOf(db, values);
      const keys = await listKeys(db, account_id);
      return keys.map((key) => {
        const { created_at, last_used_at, revoked_at } = key;
        return { account_id, ...presentKey(key), created_at, last_used_at, revoked_at };
      });
    },
  },
  "key revoke": {
    takes: ["key"],
    async run(db, values, { now, say }) {
      const given = required(values, "key");
      const key_id = keyIdOf(given) ?? given;
      const accountId = await revokeKey(db, key_id, now);
      const endpoints = await findEndpoints(db, values, { accountId, keyId: key_id }).catch(
        (error: Error) => {
          say(`the key is revoked; whether it has made webhook endpoints is not known: ${error.message}`);
          return null;
        },
      );
      return [{ key_id, revoked_at: now, [endpointsField]: endpoints }];
    },
  },
};

/** The endpoints that the key has made, which go on working. */
async function findEndpoints(db: Db, values: Values, of: { accountId: string; keyId: string }) {
  const { db: records } = await recordsOf(db, { ...values, account: of.accountId });
  return listEndpointsOfKey(records, of);
}

function expiryOf(durationMs: number | undefined, now: string): string | undefined {
  return durationMs === undefined ? undefined : new Date(Date.parse(now) + durationMs).toISOString();
}

/** An amount of the account's currency in minor units; null where none is given. */
function amountOf(
  { currency_code }: Pick<Account, "currency_code">,
  text: string | undefined,
): number | null {
  return text === undefined
    ? null
    : minorOf(checked(z.coerce.number().nonnegative(), text, "max-amount"), currency_code, "max-amount");
}

function presentKey({ id, name, scopes, expires_at, ...key }: Omit<ApiKey, "account_id">) {
  const limits = statedLimits(limitsOfKey(key));
  return { key_id: id, name, scopes: scopes?.split(" ") ?? null, expires_at, ...limits };
}
