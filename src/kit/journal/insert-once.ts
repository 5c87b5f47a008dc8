import { and, eq, is, SQL, sql } from "drizzle-orm";
import { selectSeq } from "../../base/db/account-seq.ts";
import { newEntries } from "../../base/db/new-entries.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { activityLogs, activityLogsBy, entryColumns, type NewEntry } from "./tables.ts";

/**
 * Inserts an entry that another database made, unless the history has it, for the account that has the id here. It is found among the
 * entries of its record.
 */
export function insertOnce(accountId: string, entry: ForeignEntry): Statement {
  const isOfRecord = and(
    eq(activityLogs.account_seq, selectSeq(accountId)),
    eq(activityLogs.loggable_type, entry.loggable_type),
    eq(activityLogs.loggable_id, entry.loggable_id),
  );
  const known = sql`SELECT 1 FROM ${activityLogsBy("record")} WHERE ${isOfRecord} AND ${activityLogs.id} = ${entry.id}`;
  const values = Object.keys(entryColumns).map((name) =>
    name === "account_seq" ? selectSeq(accountId) : fieldOf(entry, name as keyof ForeignEntry | "sequence"),
  );
  return statement(
    build.insert(newEntries).select(sql`SELECT ${sql.join(values, sql`, `)} WHERE NOT EXISTS (${known})`),
  );
}

/** An entry as another database has it, where its account has another number. */
type ForeignEntry = Omit<NewEntry, "account_seq" | "metadata"> & { metadata: string | null | SQL };

/** An INSERT of the builder lists all columns, so that the place in the stream is NULL here. */
function fieldOf(entry: ForeignEntry, name: keyof ForeignEntry | "sequence"): SQL {
  const value = name === "sequence" ? null : entry[name];
  return is(value, SQL) ? value : sql`${value}`;
}
