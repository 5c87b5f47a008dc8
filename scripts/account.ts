// The operator's command for accounts and their keys. Answers are JSON lines on stdout; nothing else is.
import { parseArgs } from "node:util";
import { z } from "zod";
import { createAccount, createKey, revokeKey } from "../src/accounts/actions.ts";
import { keyIdOf } from "../src/accounts/api-key.ts";
import {
  findAccount,
  findAccountByShop,
  listAccounts,
  listKeys,
  readAccount,
} from "../src/accounts/queries.ts";
import { displayName, newAccount, shopDomain } from "../src/accounts/rules.ts";
import type { Account } from "../src/accounts/tables.ts";
import { listUnderReview, settleReview } from "../src/billing/actions/review.ts";
import type { BillingAttempt } from "../src/billing/tables.ts";
import { type Ctx, type Log, openCtx } from "../src/context.ts";
import type { Db } from "../src/db/client.ts";
import type { Env } from "../src/env.ts";
import { DomainError } from "../src/errors.ts";
import { given } from "../src/lib/given.ts";
import { toMajor } from "../src/lib/money.ts";
import { StoreRefusalError, StoreSilenceError } from "../src/store/port.ts";
import { connectShopify } from "../src/store/shopify/connect.ts";
import { credentialsSchema, openConnection, readCredentials } from "../src/store/shopify/connection.ts";
import { registerWebhooks } from "../src/store/shopify/register-webhooks.ts";
import { complianceTopics } from "../src/store/shopify/topics.ts";
import { importSellingPlans } from "../src/webhooks/actions/selling-plans.ts";
import { localVar } from "./dev-vars.ts";
import { openLibsql } from "./storage/libsql.ts";
import { openLocal } from "./storage/local.ts";
import { openRemote } from "./storage/remote.ts";

const usage = `Usage: npm run --silent account -- COMMAND [WHERE]

  create      --shop NAME.myshopify.com [--name N] [--timezone Europe/Berlin] [--currency EUR]
  list
  key create  --shop S | --account ID  [--name N]
  key list    --shop S | --account ID
  key revoke  --key ID
  connect-shopify --shop S | --account ID  --token T [--secret S] | --client-id ID --secret S
  register-webhooks --shop S | --account ID  --url https://HOST/webhooks/shopify
  sync-plans      --shop S | --account ID       selling plans as the Shopify store has them
  attempt list    --shop S | --account ID       billing attempts under review
  attempt settle  --shop S | --account ID  --attempt ID  --charged STORE_ORDER_ID | --not-charged

WHERE: the local database unless --remote [--env production|staging], or LIBSQL_URL in the environment`;

class UsageError extends Error {}

const text = { type: "string" } as const;
const options = {
  shop: text,
  name: text,
  timezone: text,
  currency: text,
  account: text,
  key: text,
  token: text,
  secret: text,
  "client-id": text,
  url: text,
  attempt: text,
  charged: text,
  "not-charged": { type: "boolean" },
  env: text,
  remote: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = {
  [K in keyof typeof options]?: (typeof options)[K]["type"] extends "boolean" ? boolean : string;
};
type Command = { takes: (keyof Values)[]; run: (db: Db, values: Values, now: string) => Promise<object[]> };

/** The value as the schema has it. Throws UsageError naming the option. */
const checked = <S extends z.ZodType>(schema: S, value: unknown, option?: string): z.output<S> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`--${option ?? issue?.path.join(".")} ${issue?.message}`);
};

const required = (values: Values, option: "shop" | "key" | "attempt" | "url"): string => {
  const value = values[option];
  if (value === undefined) throw new UsageError(`--${option} is required`);
  return value;
};

const accountOf = async (db: Db, { shop, account: id }: Values): Promise<Account> => {
  if ((shop === undefined) === (id === undefined))
    throw new UsageError("either --shop or --account is required");
  const account =
    id === undefined
      ? await findAccountByShop(db, checked(shopDomain, shop, "shop"), Date.now())
      : await findAccount(db, id, Date.now());
  if (!account) throw new DomainError("NOT_FOUND", `No account has the ${id ? `id ${id}` : `shop ${shop}`}`);
  return account;
};

/** The key that the Worker has as a secret; locally it is in .dev.vars. */
const credentialsKey = (): string => {
  const key = process.env.STORE_CREDENTIALS_KEY ?? localVar("STORE_CREDENTIALS_KEY");
  if (!key)
    throw new UsageError("STORE_CREDENTIALS_KEY must be set in the environment, to the Worker's secret");
  return key;
};

const webhookUrl = z
  .url({ protocol: /^https$/, error: "must be an https address" })
  .refine((url) => new URL(url).pathname === "/webhooks/shopify", "must end in /webhooks/shopify");

/** The system, on behalf of an account. What it would send, the Worker's sweep finds. */
const ctxFor = (db: Db, account: Account, env: Partial<Env> = {}, log: Log = () => {}): Ctx => ({
  ...openCtx({
    env: env as Env,
    db,
    account,
    actor: { type: "system", name: null },
    log,
    realNow: new Date(),
  }),
  send: async () => {},
});
const ctxOf = async (db: Db, values: Values): Promise<Ctx> => ctxFor(db, await accountOf(db, values));

/** How many groups the store has, after what could not be taken of their plans. */
const syncPlans = async (db: Db, { id }: Account): Promise<object[]> => {
  const account = await readAccount(db, id);
  if (account?.store !== "shopify")
    throw new DomainError("INVALID_STATE", "The account is not connected to a Shopify store");
  const told: object[] = [];
  const log: Log = (event, fields) => void told.push({ event, ...fields });
  const ctx = ctxFor(db, account, { STORE_CREDENTIALS_KEY: credentialsKey() }, log);
  const selling_plan_groups = await importSellingPlans(ctx);
  return [...told, { account_id: id, shop: account.shop, selling_plan_groups }];
};

/** The account is connected all the same. */
const whySilent = (error: unknown): object[] => {
  if (error instanceof StoreSilenceError || error instanceof StoreRefusalError)
    return [{ selling_plans_not_synced: error.message }];
  throw error;
};

const shownAttempt = ({ id, subscription_id, cycle, attempt_number, status, ...row }: BillingAttempt) => ({
  attempt_id: id,
  subscription_id,
  cycle,
  attempt_number,
  status,
  amount: toMajor(row.amount, row.currency_code),
  currency_code: row.currency_code,
  store_key: row.store_key,
  error_code: row.error_code,
  requested_at: row.requested_at,
});

const commands: Record<string, Command> = {
  create: {
    takes: ["shop", "name", "timezone", "currency"],
    async run(db, values, now) {
      required(values, "shop");
      const { shop, name, timezone, currency } = values;
      const { account, text } = await createAccount(
        db,
        checked(newAccount, { shop, name, timezone, currency }),
        now,
      );
      return [{ account_id: account.id, shop: account.shop, api_key: text }];
    },
  },
  list: {
    takes: [],
    async run(db) {
      return (await listAccounts(db)).map(({ id, updated_at, ...account }) => ({
        account_id: id,
        ...account,
      }));
    },
  },
  "key create": {
    takes: ["shop", "account", "name"],
    async run(db, values, now) {
      const account = await accountOf(db, values);
      const { key, text } = await createKey(
        db,
        account.id,
        checked(displayName, values.name ?? "default", "name"),
        now,
      );
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
  "connect-shopify": {
    takes: ["shop", "account", "token", "client-id", "secret"],
    async run(db, values, now) {
      const { token, "client-id": client_id, secret } = values;
      const credentials = credentialsSchema.safeParse(given({ token, client_id, secret })).data;
      if (!credentials)
        throw new UsageError("either --token [--secret], or --client-id and --secret are required");
      const account = await accountOf(db, values);
      const connected = await connectShopify(db, credentialsKey(), account, credentials, now);
      return [connected, ...(await syncPlans(db, account).catch(whySilent))];
    },
  },
  "sync-plans": {
    takes: ["shop", "account"],
    run: async (db, values) => syncPlans(db, await accountOf(db, values)),
  },
  "register-webhooks": {
    takes: ["shop", "account", "url"],
    async run(db, values, now) {
      const url = checked(webhookUrl, required(values, "url"), "url");
      const account = await accountOf(db, values);
      const { credentials } = await readCredentials(db, credentialsKey(), account.id);
      if (!credentials.secret)
        throw new UsageError(
          "deliveries are signed with the app's secret: connect-shopify with --secret first",
        );
      const connection = await openConnection(db, credentialsKey(), account, Date.parse(now));
      return [
        ...(await registerWebhooks(connection, url)),
        { url, topics_for_the_app_configuration: complianceTopics },
      ];
    },
  },
  "attempt list": {
    takes: ["shop", "account"],
    async run(db, values) {
      return (await listUnderReview(await ctxOf(db, values))).map(shownAttempt);
    },
  },
  "attempt settle": {
    takes: ["shop", "account", "attempt", "charged", "not-charged"],
    async run(db, values) {
      const { charged, "not-charged": notCharged = false } = values;
      if ((charged === undefined) !== notCharged)
        throw new UsageError("either --charged or --not-charged is required");
      const id = required(values, "attempt");
      return [shownAttempt(await settleReview(await ctxOf(db, values), id, charged ?? null))];
    },
  },
};

const open = ({ remote, env }: Values): Db => {
  if (env !== undefined && !remote) throw new UsageError("--env goes with --remote");
  if (remote) return openRemote(env ?? "production");
  return openLibsql() ?? openLocal();
};

const parse = (args: string[]) => {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
};

const main = async (args: string[]): Promise<void> => {
  const { values, positionals } = parse(args);
  if (values.help) return console.error(usage);
  const command = commands[positionals.join(" ")];
  if (!command) throw new UsageError(`No such command: "${positionals.join(" ")}"; --help lists them`);
  const stray = Object.keys(values).find(
    (name) => ![...command.takes, "remote", "env"].includes(name as keyof Values),
  );
  if (stray) throw new UsageError(`--${stray} does not go with ${positionals.join(" ")}`);
  const lines = await command.run(open(values), values, new Date().toISOString());
  for (const line of lines) console.log(JSON.stringify(line));
};

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
