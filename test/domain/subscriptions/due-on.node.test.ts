/** The database works out the date on which a schedule asks for something as the rules do. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { migrationTexts } from "../../../scripts/migrations.ts";

type Row = Record<string, string | number | null>;

function empty(): DatabaseSync {
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  for (const migration of migrationTexts()) database.exec(migration);
  return database;
}

/** Puts a row into a table; what it does not name is empty. */
function put(database: DatabaseSync, table: string, row: Row): void {
  const columns = database
    .prepare('SELECT name, type FROM pragma_table_info(?) WHERE "notnull" = 1 AND dflt_value IS NULL')
    .all(table) as { name: string; type: string }[];
  const blank = Object.fromEntries(columns.map(({ name, type }) => [name, type === "INTEGER" ? 1 : ""]));
  const whole: Row = { ...blank, ...row };
  const names = Object.keys(whole);
  const marks = names.map(() => "?");
  database
    .prepare(`INSERT INTO ${table} (${names}) VALUES (${marks})`)
    .run(...names.map((name) => whole[name] ?? null));
}

function subscription(more: Row): Row {
  return {
    id: "one",
    account_seq: 1,
    number: 1001,
    status: "ACTIVE",
    billing_interval: "MONTH",
    billing_interval_count: 3,
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
    next_index: 1,
    next_billed_index: 3,
    store_contract_id: 7,
    lines: "[]",
    discounts: "[]",
    ...more,
  };
}

describe("the date on which a schedule asks for something", () => {
  const dates = {
    next_billing_date: "billing",
    next_production_date: "production",
    next_delivery_date: "delivery",
  };
  const nothingOwed = { next_index: 3, ...dates };
  const owed = { ...dates };
  test.each<[string, Row, string | null]>([
    ["nothing owed: the billing", nothingOwed, "billing"],
    ["nothing owed, and an attempt is open", { ...nothingOwed, open_attempt_id: "a" }, null],
    ["nothing owed, in dunning", { ...nothingOwed, dunning_episode_id: "d" }, null],
    ["nothing owed, PAYMENT_FAILED", { ...nothingOwed, status: "PAYMENT_FAILED" }, null],
    ["nothing owed, and no contract yet", { ...nothingOwed, store_contract_id: null }, null],
    ["owed: when it is packed", owed, "production"],
    ["owed, without a slot: when it is delivered", { ...owed, next_production_date: null }, "delivery"],
    ["owed, and an attempt is open", { ...owed, open_attempt_id: "a" }, "production"],
    ["owed, in dunning", { ...owed, dunning_episode_id: "d" }, "production"],
    ["owed, PAYMENT_FAILED", { ...owed, status: "PAYMENT_FAILED" }, "production"],
    ["owed, and no contract yet", { ...owed, store_contract_id: null }, null],
    [
      "cancelled, and still delivering",
      { ...owed, status: "CANCELLED", next_billing_date: null },
      "production",
    ],
    [
      "cancelled before it had a contract, and still delivering",
      { ...owed, status: "CANCELLED", next_billing_date: null, store_contract_id: null },
      "production",
    ],
    ["cancelled, without dates", { status: "CANCELLED" }, null],
    ["cancelled, nothing owed", { ...nothingOwed, status: "CANCELLED", next_billing_date: null }, null],
    ["expired", { next_index: 3, status: "EXPIRED" }, null],
    ["a pause holds what is owed", { ...owed, status: "PAUSED" }, null],
    ["a pause until a day", { ...owed, status: "PAUSED", pause_until: "until" }, "until"],
  ])("%s", (_, more, expected) => {
    const database = empty();
    put(database, "subscriptions", subscription(more));
    expect(database.prepare("SELECT due_on FROM subscriptions").get()?.due_on).toBe(expected);
  });
});
