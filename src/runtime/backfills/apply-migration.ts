import type { Statement } from "../../base/db/port.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { type Backfill, backfills } from "./backfills.ts";
import { fillStatements } from "./fill.ts";

/**
 * Applies a migration to a database that nobody else uses meanwhile. One that builds on a backfill is refused by its first statement until
 * that is done, so that it is done first.
 */
export function applyMigration({ exec, run, sql, now, known = backfills }: Applied): void {
  try {
    exec(sql);
  } catch (error) {
    const required = known.filter(({ name }) => isRequiredBy(sql, name));
    if (required.length === 0 || !String(error).includes("backfill_is_done")) throw error;
    for (const one of required) for (const statement of fillStatements(one, now)) run(statement);
    exec(sql);
  }
}

type Applied = {
  /** Executes a text of several statements. */
  exec: (sql: string) => unknown;
  run: (statement: Statement) => unknown;
  sql: string;
  now: Instant;
  known?: readonly Backfill[];
};

/** Whether a migration asks for a backfill: `UPDATE backfills SET required_by = '0007_next.sql' WHERE name = 'x';` */
function isRequiredBy(sql: string, name: string): boolean {
  return new RegExp(`UPDATE backfills SET required_by = '[^']+' WHERE name = '${name}'`).test(sql);
}
