import type { z } from "zod";
import { findAccount, findAccountByShop, isElsewhere } from "../../src/accounts/queries.ts";
import { shopDomain } from "../../src/accounts/rules.ts";
import type { Account } from "../../src/accounts/tables.ts";
import type { Db } from "../../src/db/client.ts";
import { DomainError } from "../../src/errors.ts";

/** The command itself is wrong, as against one that is refused. */
export class UsageError extends Error {}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** Every option of every subcommand, as `parseArgs` takes them. */
export const options = {
  shop: text,
  to: text,
  name: text,
  timezone: text,
  currency: text,
  engine: text,
  account: text,
  key: text,
  scopes: text,
  "expires-in": text,
  credentials: text,
  url: text,
  attempt: text,
  charged: text,
  amount: text,
  since: text,
  "not-charged": flag,
  "dry-run": flag,
  env: text,
  remote: flag,
  help: { ...flag, short: "h" },
} as const;

export type Values = {
  [K in keyof typeof options]?: (typeof options)[K]["type"] extends "boolean" ? boolean : string;
};

/** A subcommand: the options that it takes besides WHERE, and what it does. It answers the lines to print. */
export type Command = {
  takes: (keyof Values)[];
  run: (db: Db, values: Values, now: string) => Promise<object[]>;
};
export type Commands = Record<string, Command>;

/** The value as the schema has it. Throws UsageError naming the option. */
export function checked<S extends z.ZodType>(schema: S, value: unknown, option?: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`--${option ?? issue?.path.join(".")} ${issue?.message}`);
}

export function required(
  values: Values,
  option: "shop" | "to" | "key" | "credentials" | "attempt" | "url" | "since",
): string {
  const value = values[option];
  if (value === undefined) throw new UsageError(`--${option} is required`);
  return value;
}

/** The account that --shop or --account names. */
export async function accountOf(db: Db, { shop, account: id }: Values): Promise<Account> {
  if ((shop === undefined) === (id === undefined))
    throw new UsageError("either --shop or --account is required");
  const account =
    id === undefined
      ? await findAccountByShop(db, checked(shopDomain, shop, "shop"), Date.now())
      : await findAccount(db, id, Date.now());
  if (!account) throw new DomainError("NOT_FOUND", `No account has the ${id ? `id ${id}` : `shop ${shop}`}`);
  return account;
}

/** The account, for a command that reads or writes its records. Throws INVALID_STATE if they are in an object, which no command reaches. */
export async function accountHere(db: Db, values: Values): Promise<Account> {
  const account = await accountOf(db, values);
  if (!isElsewhere(db, account)) return account;
  throw new DomainError(
    "INVALID_STATE",
    `The records of ${account.shop} are in an object, which this command does not reach`,
  );
}
