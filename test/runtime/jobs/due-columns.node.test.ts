/** The alarm of an object knows each table that has work, and each column by which it falls due. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { migrationTexts } from "../../../scripts/migrations.ts";
import type { Db, Row, Value } from "../../../src/base/db/port.ts";
import { emptyUsage } from "../../../src/base/db/usage.ts";
import { nextDueAt } from "../../../src/edges/operator/next-due.ts";

/** An index by a time: its table, the column behind the owner's, and the values that its condition names. */
type TimeIndex = { table: string; column: string; where: Row };

/** Columns by whose values an index divides its rows. */
const owners = ["account_seq", "endpoint_id"];

/** The names of columns that work waits for. */
const dueNames = /^(next_\w*at|due_\w+|retry_due_at|remind_of|remind_on|expiry_due_on|ends_on)$/;
/** Other times, by which rows are listed, found again or deleted. */
const otherNames =
  /^(created_at|updated_at|expires_at|expires_on|done_at|lease_until|settled_at|cancelled_at|accepted_at|(first|last)_seen_at|(production|delivery|billing|scheduled_delivery)_date|reminder_recorded_for|pause_until|prune_at)$/;

const timeIndexes = indexesByTime(empty());
const dueColumns = timeIndexes.filter(({ column }) => dueNames.test(column));

test("each time that rows are found by is one that work waits for, or is known not to be", () => {
  const unknown = timeIndexes.filter(({ column }) => !dueNames.test(column) && !otherNames.test(column));
  expect(unknown).toEqual([]);
  expect(dueColumns.length).toBeGreaterThan(9);
});

const now = "2026-11-22T12:00:00.000Z";

describe("the alarm of an object knows of work in each table that has some", () => {
  const named = dueColumns.map((index) => [`${index.table}.${index.column}`, index] as const);
  test.each(named)("%s", async (_, { table, column, where }) => {
    const database = empty();
    put(database, "accounts", { seq: 1, timezone: "UTC", payment_reminder_days_before: 3 });
    if (column === "next_attempt_at") put(database, "webhook_endpoints", {});
    const { row, at } = waiting[column] ?? { row: { [column]: soon }, at: soon };
    put(database, table, { ...(table === "subscriptions" ? anySubscription : {}), ...where, ...row });
    expect(await nextDueAt(dbOf(database), new Date(now))).toBe(Date.parse(at));
  });
});

const soon = "2026-11-22T12:05:00.000Z";

/** The columns that are dates, and follow from others: a row of which work waits, and until when. */
const waiting: Record<string, { row: Row; at: string }> = {
  retry_due_at: { row: { billing_retry_at: soon }, at: soon },
  due_on: { row: { next_billing_date: "2026-11-24" }, at: "2026-11-24T00:00:00.000Z" },
  remind_on: {
    row: { next_billing_date: "2026-12-13", remind_days: 20 },
    at: "2026-11-23T00:00:00.000Z",
  },
  expiry_due_on: {
    row: { status: "VALID", exp_year: 2026, exp_month: 12 },
    at: "2026-12-01T00:00:00.000Z",
  },
  ends_on: { row: { ends_on: "2026-11-25" }, at: "2026-11-25T00:00:00.000Z" },
  remind_of: { row: { next_billing_date: "2026-11-29" }, at: "2026-11-26T00:00:00.000Z" },
};

const anySubscription = { status: "ACTIVE", store_contract_id: 7, lines: "[]", deliveries_per_billing: 1 };

function empty(): DatabaseSync {
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  for (const migration of migrationTexts()) database.exec(migration);
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec("PRAGMA ignore_check_constraints = ON");
  return database;
}

function indexesByTime(database: DatabaseSync): TimeIndex[] {
  const indexes = database
    .prepare("SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all() as { tbl_name: string; sql: string }[];
  return indexes.flatMap(({ tbl_name: table, sql }) => {
    const [, columns = "", condition = ""] = /\(([^)]*)\)\s*(?:WHERE (.*))?$/s.exec(sql) ?? [];
    const [column] = columns.split(/,\s*/).filter((name) => !owners.includes(name));
    if (!column || !/_(at|on|of|for|until|date)$/.test(column)) return [];
    const named = [...condition.matchAll(/(\w+) = '(\w+)'/g)].map(([, name, value]) => [name, value]);
    return [{ table, column, where: Object.fromEntries(named) as Row }];
  });
}

/** Puts a row into a table; what it does not name is 1, the owner of all there is. */
function put(database: DatabaseSync, table: string, row: Row): void {
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?) WHERE "notnull" = 1 AND dflt_value IS NULL')
    .all(table) as { name: string }[];
  const whole: Row = { ...Object.fromEntries(columns.map(({ name }) => [name, "1"])), ...row };
  const names = Object.keys(whole);
  const insert = `INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`;
  database.prepare(insert).run(...names.map((name) => whole[name] ?? null));
}

function dbOf(database: DatabaseSync): Db {
  return {
    engine: "object",
    usage: emptyUsage(),
    batch: async (statements) =>
      statements.map(({ sql, params }) => ({
        rows: database.prepare(sql).all(...(params as Value[])) as Row[],
      })),
  };
}
