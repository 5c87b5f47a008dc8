import { z } from "zod";
import { closingOf, requireOpenAccount } from "../../src/base/accounts/closed.ts";
import { isElsewhere, listAccounts, readAccount, readEntry } from "../../src/base/accounts/queries.ts";
import { shopDomain } from "../../src/base/accounts/rules.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import type { Db } from "../../src/base/db/port.ts";
import { engines } from "../../src/base/env.ts";
import { DomainError } from "../../src/base/errors.ts";
import { localVar } from "../dev-vars.ts";
import { type Door, openObject } from "../storage/door.ts";
import { UsageError, type Values } from "./options.ts";

/** The value as the schema has it. Throws UsageError naming the option. */
export function checked<S extends z.ZodType>(schema: S, value: unknown, option?: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`--${option ?? issue?.path.join(".")} ${issue?.message}`);
}

export function required(
  values: Values,
  option: "shop" | "to" | "key" | "email" | "credentials" | "attempt" | "url" | "since" | "at" | "file",
): string {
  const value = values[option];
  if (value === undefined) throw new UsageError(`--${option} is required`);
  return value;
}

/** The account that --shop or --account names. Throws INVALID_STATE if it is closed. */
export async function accountOf(db: Db, values: Values): Promise<Account> {
  const account = await entryOf(db, values);
  requireOpenAccount(account);
  return account;
}

/** The account that the options name, even if it is closed. */
export async function entryOf(db: Db, { shop, account: id }: Values): Promise<Account> {
  if ((shop === undefined) === (id === undefined))
    throw new UsageError("either --shop or --account is required");
  const account = await readEntry(
    db,
    id === undefined ? { shop: checked(shopDomain, shop, "shop") } : { id },
  );
  if (!account) throw new DomainError("NOT_FOUND", `No account has the ${id ? `id ${id}` : `shop ${shop}`}`);
  return account;
}

/**
 * The account that --shop or --account names as its own records have it, and the database that these are in: for an account with an
 * object that is the object's, through the operator's door.
 */
export async function recordsOf(db: Db, values: Values): Promise<{ db: Db; account: Account }> {
  const known = await accountOf(db, values);
  if (!isElsewhere(db, known)) return { db, account: known };
  const its = openObject(doorOf(values), known.id);
  const account = await readAccount(its, known.id);
  if (!account) throw new DomainError("NOT_FOUND", `The object of ${known.shop} has no account`);
  return { db: its, account };
}

/** Every database with open accounts in it: that of WHERE, and each object. */
export async function everyDatabase(db: Db, values: Values): Promise<Db[]> {
  const elsewhere = (await listAccounts(db)).filter(
    (account) => isElsewhere(db, account) && !closingOf(account),
  );
  if (elsewhere.length === 0) return [db];
  const door = doorOf(values);
  return [db, ...elsewhere.map(({ id }) => openObject(door, id))];
}

/** Whether a command is about the database of the local server. */
export function isLocal({ remote, data }: Values): boolean {
  return !remote && data === undefined && !process.env.LIBSQL_URL;
}

/**
 * Where accounts with an object are reached: the local server, or the deployment that OPERATOR_URL names with its OPERATOR_KEY. Throws
 * UsageError where that is not known.
 */
export function doorOf(values: Values): Door {
  const { OPERATOR_URL, OPERATOR_KEY, PORT } = process.env;
  const address = OPERATOR_URL ?? (isLocal(values) ? `http://127.0.0.1:${PORT || 8787}` : undefined);
  const key = OPERATOR_KEY ?? (isLocal(values) ? localVar("OPERATOR_KEY") : undefined);
  if (values.data !== undefined && !address)
    throw new UsageError(
      `the process that serves ${values.data} does this: start it first (node perennial.mjs serve --data ${values.data})`,
    );
  if (!address || !key)
    throw new UsageError(
      "an account with an object is reached through its deployment: OPERATOR_URL and OPERATOR_KEY must be set in the environment",
    );
  return { address, key };
}

/** When the command was called, and how it says on the way what it is doing. */
export type Call = { now: string; say: (text: string) => void };

/** The engine that --engine, or the --to of a move, names. */
export const engine = z.enum(engines, `must be one of ${engines.join(", ")}`);

/** A subcommand. */
export type Command = {
  /** The options that it takes besides WHERE. */
  takes: (keyof Values)[];
  /** Runs the subcommand. It answers the lines to print. */
  run: (db: Db, values: Values, call: Call) => Promise<object[]>;
  /** Whether the lines name what an operator still has to settle: the command then fails. */
  leavesOpen?: (lines: object[]) => boolean;
};
export type Commands = Record<string, Command>;
