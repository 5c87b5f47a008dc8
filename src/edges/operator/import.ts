import { eq, getTableColumns } from "drizzle-orm";
import { deleteReconciliation, insertAccount, newShopTakenError } from "../../base/accounts/actions.ts";
import { mayHaveClock } from "../../base/accounts/clock.ts";
import { closingOf } from "../../base/accounts/closed.ts";
import { forgetAccount, readEntry } from "../../base/accounts/queries.ts";
import { type Account, accounts, builtInStore, type ForeignAccount } from "../../base/accounts/tables.ts";
import { ConstraintError, commit } from "../../base/db/commit.ts";
import { newestMigration } from "../../base/db/newest-migration.ts";
import type { Db, Row } from "../../base/db/port.ts";
import { build, first, raw, rows, statement } from "../../base/db/statement.ts";
import type { Engine } from "../../base/env.ts";
import { DomainError, type ErrorDetail, invalid, notFound } from "../../base/errors.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { guardUnmoved, undefinedIfChanged, updateAsRead } from "./as-read.ts";
import { beingFilled } from "./move/being-filled.ts";
import { findTables, makePageEqual, type OriginalPage } from "./move/copy.ts";
import type { MovedTable } from "./move/row-statements.ts";

/** The surroundings of an import: the directory, the objects of accounts, real time, and whom events may reach. */
export type ImportPorts = {
  d1: Db;
  objectOf: (account: ForeignAccount) => Db;
  now: Instant;
  /** Why no event of an account is sent to a URL. */
  findUrlFault: (account: Account, url: string) => string | undefined;
};

/** The account of a file that `account -- export` has written, and the version of the schema it had. */
type Imported = { schema: string; account: Row; engine: Engine; shop?: string };

/**
 * Begins to import an account, under the id and with the settings that it had, or goes on with it. It is closed until the end, so nobody
 * sees a part of it. Returns its tables, in the order in which their rows are to be sent, and what names this import from now on.
 */
export async function beginImport(
  ports: ImportPorts,
  imported: Imported,
): Promise<{ run: string; tables: MovedTable[] }> {
  const account = await prepareAccount(ports, imported);
  const known = await readEntry(ports.d1, { id: account.id });
  if (known && closingOf(known)?.step !== "importing")
    throw new DomainError(
      "INVALID_STATE",
      `The account ${known.id} of ${known.shop} exists: delete it first`,
    );
  if (known && known.engine !== account.engine)
    throw new DomainError(
      "INVALID_STATE",
      `The account is being imported with the engine ${known.engine}: go on with that, or delete it first`,
    );
  await enterIntoDirectory(ports.d1, account, known).catch((error) => {
    if (!(error instanceof ConstraintError)) throw error;
    throw error.on === "accounts.shop"
      ? newShopTakenError(account.shop)
      : invalid([{ path: "accounts", message: `does not fit (${error.message})` }]);
  });
  forgetAccount(account.id);
  return { run: account.moving!, tables: await findTables(targetOf(ports, account)) };
}

/** Makes a page of a table what the file says: columns that it lacks have their default. Returns how many rows were others. */
export async function importPage(
  ports: ImportPorts,
  { table: name, ...given }: ImportedPage,
): Promise<number> {
  const account = await requireImport(ports, given);
  const to = targetOf(ports, account);
  const [table] = await findTables(to, name);
  if (!table) throw invalid([{ path: "table", message: `${name} is no table of accounts` }]);
  const columns = Object.keys(given.original[0] ?? {});
  requireColumns(name, { table, columns, rows: given.original });
  for (const [side, key] of Object.entries({ after: given.after, upTo: given.upTo }))
    if (key !== null && key.length !== table.key.length)
      throw invalid([{ path: side, message: `must have ${table.key.length} values, the key of ${name}` }]);
  if (name === "webhook_endpoints") requireAddresses(ports, account, given.original);
  const its = given.original.length === 0 ? table : { ...table, columns };
  return makePageEqual({ to, account }, its, given);
}

/** Opens the account, all of whose rows are there. The object's settings are those that the directory was given. */
export async function endImport(ports: ImportPorts, run: Run): Promise<void> {
  const account = await requireImport(ports, run);
  const { seq: _, id, ...values } = account;
  if (account.engine === "object")
    await commit({ db: ports.objectOf(account) }, [
      statement(
        build
          .update(accounts)
          .set({ ...values, moving: beingFilled })
          .where(eq(accounts.id, id)),
      ),
    ]);
  const opened = await undefinedIfChanged(
    commit({ db: ports.d1 }, [guardUnmoved(account), updateAsRead(account, { moving: null })]),
  );
  if (!opened) throw newOvertakenError();
  forgetAccount(id);
}

/** The account as it enters the directory. Throws where the file is of a later version than this. */
async function prepareAccount(
  { d1, now }: ImportPorts,
  { schema, account, engine, shop = String(account.shop) }: Imported,
): Promise<ForeignAccount> {
  if (schema > newestMigration)
    throw new DomainError(
      "INVALID_STATE",
      `The file has the schema of ${schema}, this deployment that of ${newestMigration}: a file is imported by the version that has exported it, or a later one`,
    );
  const table = { columns: accountColumns, key: ["id"] };
  requireColumns("accounts", { table, columns: Object.keys(account), rows: [account] });
  requireOwnShop(account, shop);
  requireClock(account);
  const moving = JSON.stringify({ step: "importing", since: now });
  const whole = { ...(await readDefaults(d1, account)), ...account };
  return { ...(whole as unknown as ForeignAccount), shop, engine, moving };
}

/** The defaults of the columns that a file lacks, as the schema states them. */
async function readDefaults(d1: Db, account: Row): Promise<Row> {
  const columns = await rows(d1, raw<Row>("PRAGMA table_info(accounts)"));
  const missing = columns.filter(
    ({ name, dflt_value }) => dflt_value !== null && !Object.hasOwn(account, name!),
  );
  if (missing.length === 0) return {};
  const values = missing.map(({ name, dflt_value }) => `${dflt_value} AS "${name}"`);
  return (await first(d1, raw<Row>(`SELECT ${values.join(", ")}`))) ?? {};
}

/** A file knows an account by its id: the database that takes it in gives it a number. */
const accountColumns = Object.keys(getTableColumns(accounts)).filter((name) => name !== "seq");

/** The credentials, contracts and orders of a connected account belong to one store. */
function requireOwnShop({ store, shop: own }: Row, shop: string): void {
  if (shop !== own && store !== builtInStore)
    throw new DomainError(
      "INVALID_STATE",
      `The account is connected to ${own}: it can be imported under that shop alone`,
    );
}

/** A store that charges real money has no clock that can be moved. */
function requireClock(row: Row): void {
  const { clock_at, clock_target, ...account } = row as unknown as Account;
  if (mayHaveClock(account) || (!clock_at && !clock_target)) return;
  const message = "must be null for an account whose store charges real money";
  throw invalid([{ path: "accounts.clock_at", message }]);
}

/** A trigger schedules the account's comparison with its store, which an object does itself. */
async function enterIntoDirectory(
  d1: Db,
  account: ForeignAccount,
  known: Account | undefined,
): Promise<void> {
  const { id, ...values } = account;
  const written = known ? updateAsRead(known, values) : insertAccount(account);
  await commit({ db: d1 }, [
    written,
    ...(account.engine === "object" && !known ? [deleteReconciliation(id)] : []),
  ]);
}

type Run = { accountId: string; run: string };
type ImportedPage = OriginalPage & Run & { table: string };

/** A deployment sends to no address that it would refuse over the API. An endpoint that was deleted is sent nothing. */
function requireAddresses({ findUrlFault }: ImportPorts, account: Account, endpoints: Row[]): void {
  const faults = endpoints.flatMap(({ id, kind, url, deleted_at }): ErrorDetail[] => {
    const isSentTo = kind !== "mail" && !deleted_at;
    const message = isSentTo ? findUrlFault(account, String(url)) : undefined;
    return message === undefined ? [] : [{ path: `webhook_endpoints.${id}.url`, message }];
  });
  if (faults.length > 0) throw invalid(faults);
}

/** The account, which must still be imported by this run. */
async function requireImport({ d1 }: ImportPorts, { accountId, run }: Run): Promise<Account> {
  const account = await readEntry(d1, { id: accountId });
  if (!account) throw notFound("Account");
  if (closingOf(account)?.step !== "importing")
    throw new DomainError("INVALID_STATE", `The account of ${account.shop} is not being imported`);
  if (account.moving !== run) throw newOvertakenError();
  return account;
}

function newOvertakenError(): DomainError {
  return new DomainError("VERSION_CONFLICT", "Another import of the account was begun meanwhile");
}

function targetOf({ d1, objectOf }: ImportPorts, account: ForeignAccount): Db {
  return account.engine === "d1" ? d1 : objectOf(account);
}

type Columns = { table: Pick<MovedTable, "columns" | "key">; columns: string[]; rows: Row[] };

/** Refuses a column that the table does not have, and rows without their key. */
function requireColumns(name: string, { table, columns, rows }: Columns): void {
  const unknown = columns.find((column) => !table.columns.includes(column));
  if (unknown !== undefined)
    throw invalid([{ path: `${name}.${unknown}`, message: "is no column of the table" }]);
  const isKeyed = (row: Row) => table.key.every((column) => Object.hasOwn(row, column));
  if (!rows.every(isKeyed))
    throw invalid([{ path: "rows", message: `${name} has rows without ${table.key.join(", ")}` }]);
}
