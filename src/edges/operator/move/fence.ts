import { commit, deletingFault, movingFault } from "../../../base/db/commit.ts";
import { guard } from "../../../base/db/guard.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { raw, rows } from "../../../base/db/statement.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";

/**
 * Puts the fence up around an account's rows of these tables, which says until when it is expected to stand. Repeating it changes nothing.
 * `also` joins the transaction, and can refuse it.
 */
export async function raiseFence(
  db: Db,
  { until, ...fence }: Fence & { until: Instant },
  also: Statement[],
): Promise<void> {
  await commit({ db }, [...also, ...fenceStatements(fence, refusalOf(`${movingFault} until ${until}`))]);
}

/** The fence of an account that is being deleted. */
export function deletionFenceStatements(fence: Fence): Statement[] {
  return fenceStatements(fence, refusalOf(deletingFault));
}

/** Refuses its batch unless the whole fence still stands: a migration that makes a table anew takes its triggers away. */
export function guardFence({ accountId, tables }: Fence): Statement {
  const triggers = fenceStatements({ accountId, tables }, refusalOf(movingFault));
  return guard(
    "(SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger' AND instr(name, ?) = 1) <> CAST(? AS INTEGER)",
    [prefixOf(accountId), triggers.length],
  );
}

export async function findFenceDrops(db: Db, accountId: string): Promise<Statement[]> {
  const names = await findFenceNames(db, accountId);
  return names.map((name) => raw(`DROP TRIGGER IF EXISTS "${name}"`));
}

/**
 * Keeps entries of the history out of the directory: the keys of an account with an object have theirs there until the object takes them
 * over. New entries are inserted into a view, copies into the table.
 */
export function historyFenceStatement(accountId: string): Statement {
  const refusal = refusalOf(movingFault);
  return raw(
    `CREATE TRIGGER IF NOT EXISTS "${nameOf(accountId, "history", "INSERT")}" INSTEAD OF INSERT ON new_entries
      WHEN NEW.account_seq = ${seqOf(accountId)} BEGIN ${refusal} END`,
  );
}

/*
 * The fence is made of triggers, which refuse each write to a row of the account. They are put up in one transaction. A write that was
 * decided before, with the account as it then was, is either committed before them, and is copied, or it is refused: there is nothing
 * in between, as writers have their turn one after the other on D1 as in an object. They cost nothing while no account moves.
 */

const events = ["INSERT", "UPDATE", "DELETE"] as const;
type Event = (typeof events)[number];
export type Fence = { accountId: string; tables: string[] };

/**
 * A batch may open the fence for itself alone: it gives the account this state first, and the old one back at its end, so that no other
 * batch ever sees it.
 */
export const opened = '{"step":"opened"}';

function fenceStatements({ accountId, tables }: Fence, refusal: string): Statement[] {
  return [
    ...tables.flatMap((table) =>
      events.map((event) => triggerStatement({ accountId, table, event, refusal })),
    ),
    ...ownRowTriggerStatements(accountId, refusal),
  ];
}

function refusalOf(fault: string): string {
  return `SELECT RAISE(ABORT, '${fault}');`;
}

type Trigger = { accountId: string; table: string; event: Event; refusal: string };

function triggerStatement({ accountId, table, event, refusal }: Trigger): Statement {
  const row = event === "INSERT" ? "NEW" : "OLD";
  const id = plainId(accountId);
  return raw(
    `CREATE TRIGGER IF NOT EXISTS "${nameOf(accountId, table, event)}" BEFORE ${event} ON "${table}"
      WHEN ${row}.account_seq = ${seqOf(accountId)} AND (SELECT moving FROM accounts WHERE id = '${id}') IS NOT '${opened}'
      BEGIN ${refusal} END`,
  );
}

/** The account's settings too; only a step of the move itself changes how far it is. */
function ownRowTriggerStatements(accountId: string, refusal: string): Statement[] {
  const id = plainId(accountId);
  return [
    raw(
      `CREATE TRIGGER IF NOT EXISTS "${nameOf(accountId, "accounts", "UPDATE")}" BEFORE UPDATE ON accounts
        WHEN OLD.id = '${id}' AND NEW.moving IS OLD.moving AND NEW.engine = OLD.engine BEGIN ${refusal} END`,
    ),
    raw(
      `CREATE TRIGGER IF NOT EXISTS "${nameOf(accountId, "accounts", "DELETE")}" BEFORE DELETE ON accounts
        WHEN OLD.id = '${id}' BEGIN ${refusal} END`,
    ),
  ];
}

/** Whether a trigger is one of some account's fence. */
export function isOfFence(name: string): boolean {
  return name.startsWith(fencePrefix);
}

async function findFenceNames(db: Db, accountId: string): Promise<string[]> {
  const found = await rows(
    db,
    raw<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND instr(name, ?) = 1 ORDER BY name",
      prefixOf(accountId),
    ),
  );
  return found.map(({ name }) => name);
}

function nameOf(accountId: string, table: string, event: Event): string {
  return `${prefixOf(accountId)}${table} ${event}`;
}

function prefixOf(accountId: string): string {
  return `${fencePrefix}${plainId(accountId)} `;
}

const fencePrefix = "moving ";

/** The account's number: a fence outlives none, as a number is never given twice. */
function seqOf(accountId: string): string {
  return `(SELECT seq FROM accounts WHERE id = '${plainId(accountId)}')`;
}

/** Triggers take no parameters, so the id is written into them. */
function plainId(id: string): string {
  if (!/^[0-9A-Za-z-]{1,64}$/.test(id)) throw new Error("The account's id is none that this service makes");
  return id;
}
