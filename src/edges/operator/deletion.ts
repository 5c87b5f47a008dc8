import { eq } from "drizzle-orm";
import { type Closing, closingOf } from "../../base/accounts/closed.ts";
import { forgetAccount, readEntry } from "../../base/accounts/queries.ts";
import { type Account, accounts } from "../../base/accounts/tables.ts";
import { seqOfId } from "../../base/db/account-seq.ts";
import { commit } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import type { Db } from "../../base/db/port.ts";
import { build, raw, read, statement } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { type AccountTable, accountTables } from "../../domain/privacy/account-tables.ts";
import { guardUnmoved, undefinedIfChanged, updateAsRead } from "./as-read.ts";
import { batchSize, removeThrough } from "./delete-through.ts";
import { deletionFenceStatements, findFenceDrops } from "./move/fence.ts";
import { noticeMs, type Ports, waitMs } from "./move/state.ts";

/** The outcome of one step. `rows` are those that it has deleted, by table; `waitMs` says when the next is worth a call. */
export type Deleted = {
  step: "closed" | "erasing" | "deleted";
  isDone: boolean;
  waitMs: number;
  rows: Record<string, number>;
};

/**
 * Takes the next step of deleting an account with all its rows, on either engine. First the account is closed: nobody finds it any more, and
 * nothing of it can be written. Once no isolate knows it, its object is ended, then the directory's rows are deleted, its entry
 * last. Where it stands is in that entry, so whoever calls next goes on from there.
 */
export async function continueDeletion(ports: Ports, accountId: string): Promise<Deleted> {
  const account = await readEntry(ports.d1, { id: accountId });
  if (!account) return { step: "deleted", isDone: true, waitMs: 0, rows: {} };
  const closing = closingOf(account);
  if (closing?.step !== "deleting") return closeAccount(ports, account);
  if (closing.since === undefined) return beginNotice(ports, account);
  const left = waitMs(closing.since, ports.now, noticeMs);
  if (left > 0) return { ...stillClosed, waitMs: left };
  const erased = account.engine === "object" ? await ports.eraseObject() : {};
  const { rows, isDone } = await emptyTables(ports.d1, account);
  if (isDone) forgetAccount(account.id);
  const step = isDone ? "deleted" : "erasing";
  return { step, isDone, waitMs: 0, rows: sumOfCounts(erased, rows) };
}

/** Batches of one call, of four statements each beside those that put the fence up. An invocation may run a thousand. */
const batchesMax = 120;

/** From now on no write of the account is accepted, and none that was decided before either. */
async function closeAccount(ports: Ports, account: Account): Promise<Deleted> {
  const { d1, object } = ports;
  if (account.moving !== null && !closingOf(account))
    throw new DomainError(
      "INVALID_STATE",
      "The account is being moved: let the move end, or give it up, before",
    );
  const moving = JSON.stringify({ step: "deleting" } satisfies Closing);
  const tables = (await accountTables(d1)).map(({ name }) => name);
  const fence = deletionFenceStatements({ accountId: account.id, tables });
  const closed = await undefinedIfChanged(
    commit({ db: d1 }, [
      guardUnmoved(account),
      ...(await findFenceDrops(d1, account.id)),
      updateAsRead(account, { moving }),
      ...fence,
    ]),
  );
  if (closed && account.engine === "object")
    await commit({ db: object }, fence).catch(rethrowUnlessUnreachable);
  forgetAccount(account.id);
  return closed ? beginNotice(ports, { ...account, moving }) : { ...stillClosed, waitMs: 0 };
}

const stillClosed = { step: "closed", isDone: false, rows: {} } as const;

/**
 * Isolates may serve the account for half a minute more. That is counted from an instant at which it was closed already: the call that has
 * closed it may have begun long before.
 */
async function beginNotice({ d1, now }: Ports, account: Account): Promise<Deleted> {
  const moving = JSON.stringify({ step: "deleting", since: now } satisfies Closing);
  const noted = await undefinedIfChanged(
    commit({ db: d1 }, [guardUnmoved(account), updateAsRead(account, { moving })]),
  );
  return { ...stillClosed, waitMs: noted ? noticeMs : 0 };
}

/**
 * Lets the fence miss an object that cannot be reached: one that was never called has nothing to refuse, and any other hears of the
 * deletion from the directory within half a minute, as isolates do.
 */
function rethrowUnlessUnreachable(error: unknown): void {
  if (error instanceof DomainError && error.code === "UNAVAILABLE") return;
  throw error;
}

/** Deletes the account's rows of the directory, those that refer to others first, then its entry, as far as one call goes. */
async function emptyTables(d1: Db, account: Account): Promise<Pick<Deleted, "rows" | "isDone">> {
  const rows: Record<string, number> = {};
  const tables = await accountTables(d1);
  let batches = 0;
  for (const table of await tablesWithRows(d1, tables, account))
    for (;;) {
      if (++batches > batchesMax) return { rows, isDone: false };
      const deleted = (await undefinedIfChanged(removeThrough(d1, account, table))) ?? 0;
      rows[table.name] = (rows[table.name] ?? 0) + deleted;
      if (deleted < batchSize) break;
    }
  const isDone = await removeEntry(d1, account, tables);
  return isDone ? { rows: { ...rows, accounts: 1 }, isDone } : { rows, isDone };
}

async function tablesWithRows(d1: Db, tables: AccountTable[], { id }: Account): Promise<AccountTable[]> {
  const found = await read<{ has: number }[]>(
    d1,
    tables.map(({ name }) =>
      raw<{ has: number }>(
        `SELECT EXISTS (SELECT 1 FROM "${name}" WHERE account_seq = ${seqOfId}) AS has`,
        id,
      ),
    ),
  );
  return tables.filter((_, nth) => found[nth]?.[0]?.has === 1);
}

/** Deletes the entry and takes the fence down; false where a table has rows again. */
async function removeEntry(d1: Db, account: Account, tables: AccountTable[]): Promise<boolean> {
  const drops = await findFenceDrops(d1, account.id);
  const entry = build.delete(accounts).where(eq(accounts.id, account.id));
  const removed = await undefinedIfChanged(
    commit({ db: d1 }, [
      guardUnmoved(account),
      ...tables.map(({ name }) =>
        guard(`EXISTS (SELECT 1 FROM "${name}" WHERE account_seq = ${seqOfId})`, [account.id]),
      ),
      ...drops,
      statement(entry),
    ]),
  );
  return removed !== undefined;
}

function sumOfCounts(...parts: Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [table, count] of parts.flatMap(Object.entries)) sums[table] = (sums[table] ?? 0) + count;
  return sums;
}
