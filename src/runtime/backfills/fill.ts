import { isNull } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import type { Db, Statement, Value } from "../../base/db/port.ts";
import { backfills as noted } from "../../base/db/schema-tables.ts";
import { build, first, prepare, raw, rows } from "../../base/db/statement.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { type Backfill, backfills } from "./backfills.ts";

/** Gives a page of rows of each backfill their value. Repeated it does nothing twice: rows that have theirs are left alone. */
export async function fill(db: Db, now: Instant, known: readonly Backfill[] = backfills): Promise<void> {
  if (known.length === 0) return;
  for (const { name, after } of await rows(db, selectOpen({}))) {
    const backfill = known.find((one) => one.name === name);
    if (backfill) await fillPage(db, { backfill, after: after === null ? null : JSON.parse(after), now });
  }
}

/** Gives all rows theirs at once, where nobody else waits for the database. */
export function fillStatements({ name, table, set, missing }: Backfill, now: Instant): Statement[] {
  return [
    raw(`UPDATE ${table} SET ${set} WHERE ${missing}`),
    raw("UPDATE backfills SET after = NULL, done_at = ? WHERE name = ? AND done_at IS NULL", now, name),
  ];
}

type Page = { backfill: Backfill; after: Value[] | null; now: Instant };

/**
 * A page ends with a row's key; the last one has no end. After it the backfill is done, unless rows without the value came behind it, as
 * code of the previous version writes them: then it begins anew.
 */
async function fillPage(db: Db, { backfill, after, now }: Page): Promise<void> {
  const { name, table, key, set, missing } = backfill;
  const columns = key.join(", ");
  const marks = `(${key.map(() => "?").join(", ")})`;
  const from = after ? `(${columns}) > ${marks}` : "TRUE";
  const last = await first(
    db,
    raw<Record<string, Value>>(
      `SELECT ${columns} FROM ${table} WHERE ${from} ORDER BY ${columns} LIMIT 1 OFFSET ${pageSize - 1}`,
      ...(after ?? []),
    ),
  );
  const until = last && key.map((column) => last[column] as Value);
  const range = until ? `${from} AND (${columns}) <= ${marks}` : from;
  await commit({ db }, [
    raw(`UPDATE ${table} SET ${set} WHERE ${range} AND ${missing}`, ...(after ?? []), ...(until ?? [])),
    until
      ? raw("UPDATE backfills SET after = ? WHERE name = ?", JSON.stringify(until), name)
      : raw(
          `UPDATE backfills SET after = NULL, done_at = CASE WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${missing}) THEN NULL ELSE ? END
            WHERE name = ?`,
          now,
          name,
        ),
  ]);
}

const pageSize = 1000;

const selectOpen = prepare(() =>
  build.select({ name: noted.name, after: noted.after }).from(noted).where(isNull(noted.done_at)),
);
