import { and, eq, type SQL, sql } from "drizzle-orm";
import { newEntries } from "../../base/db/new-entries.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { activityLogs, activityLogsBy, entryColumns, type NewEntry } from "./tables.ts";

/** Inserts an entry that another database made, unless the history has it. It is found among the entries of its record. */
export function insertOnce(entry: NewEntry): Statement {
  const isOfRecord = and(
    eq(activityLogs.account_id, entry.account_id),
    eq(activityLogs.loggable_type, entry.loggable_type),
    eq(activityLogs.loggable_id, entry.loggable_id),
  );
  const known = sql`SELECT 1 FROM ${activityLogsBy("record")} WHERE ${isOfRecord} AND ${activityLogs.id} = ${entry.id}`;
  const values = Object.keys(entryColumns).map((name) => fieldOf(entry, name as keyof typeof entryColumns));
  return statement(
    build.insert(newEntries).select(sql`SELECT ${sql.join(values, sql`, `)} WHERE NOT EXISTS (${known})`),
  );
}

/** An INSERT of the builder lists all columns, so that the place in the stream is NULL here. */
function fieldOf(entry: NewEntry, name: keyof typeof entryColumns): SQL {
  return sql`${name === "sequence" ? null : entry[name]}`;
}
