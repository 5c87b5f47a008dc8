/** Each row that the API could not have written is refused by an import, with its table, key and column. */
import { beforeAll, describe, expect, test } from "vitest";
import { seed } from "../../../scripts/seed/index.ts";
import type { Db, Row } from "../../../src/base/db/port.ts";
import { raw, rows } from "../../../src/base/db/statement.ts";
import { demoId } from "../../../src/base/demo.ts";
import { requireRows } from "../../../src/edges/operator/imported-rows/require-rows.ts";
import { findTables, rowsOf } from "../../../src/edges/operator/move/copy.ts";
import { libsqlFile } from "../../support/libsql-file.ts";

const account = demoId("account", 1);
let db: Db;
const found = new Map<string, { key: string[]; rows: Row[] }>();
beforeAll(async () => {
  ({ db } = await libsqlFile());
  await seed(db, new Date());
  for (const table of await findTables(db)) {
    const its: Row[] = [];
    for await (const row of rowsOf(db, table, account)) its.push(row);
    found.set(table.name, { key: table.key, rows: its });
  }
  const own = await rows<Row>(db, raw<Row>("SELECT * FROM accounts WHERE id = ?", account));
  found.set("accounts", { key: [], rows: own });
});

function check(table: string, changes: Row = {}) {
  const { key, rows: its } = found.get(table)!;
  const first = its.slice(0, 1).map((row) => ({ ...row, ...changes }));
  return () => requireRows({ table, key, rows: Object.keys(changes).length === 0 ? its : first });
}

function faultOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("every row of the demo store is taken as it is, and every table is known", () => {
  expect(found.size).toBeGreaterThan(30);
  for (const table of found.keys()) expect(faultOf(check(table)), table).toBeUndefined();
  expect([...found.values()].filter(({ rows: its }) => its.length > 0).length).toBeGreaterThan(15);
});

describe("a row that the API could not have written is refused, with table, row and column", () => {
  test.each<[string, Row, string]>([
    ["accounts", { id: "__proto__" }, "must be the id of a record"],
    ["accounts", { timezone: "Nowhere/None" }, "must be an IANA time zone"],
    ["accounts", { currency_code: "XXY" }, "must be an ISO 4217 currency code"],
    ["accounts", { currency_code: "eur" }, "must be stored as EUR"],
    ["accounts", { shop: "evil.example/path?x=" }, "must be a domain"],
    ["accounts", { shop: "169.254.169.254" }, "must be a domain"],
    ["accounts", { shop: "0x7f.1" }, "must be a domain"],
    ["accounts", { name: "" }, ""],
    ["accounts", { store: "nobody" }, "must be one of sandbox, shopify"],
    ["accounts", { clock_at: "tomorrow" }, "must be an instant"],
    ["accounts", { clock_at: "2026-11-20" }, "must be an instant"],
    ["accounts", { dunning_retry_days: "[3,1]" }, "must ascend"],
    ["accounts", { dunning_retry_days: "[" }, "must be JSON"],
    ["accounts", { payment_reminder_days_before: 1.5 }, "must be a whole number"],
    ["accounts", { notify_payment_update: 2 }, "must be 0 or 1"],
    ["accounts", { portal: '{"logo_url":"javascript:alert(1)"}' }, "logo_url: must be an https address"],
    ["accounts", { portal: '{"return_urls":["javascript:alert(1)"]}' }, "return_urls.0: must be an https"],
    ["accounts", { portal: '{"base_url":"https://10.0.0.1"}' }, "base_url: must have a public host name"],
    ["accounts", { portal: '{"more":1}' }, ""],
    ["accounts", { portal: "[]" }, ""],
    ["accounts", { store_currencies: '["XXY"]' }, "must be an ISO 4217 currency code"],
    ["subscriptions", { id: "__proto__" }, "must be the id of a record"],
    ["subscriptions", { profile_id: "constructor" }, "must be the id of a record"],
    ["subscriptions", { status: "active" }, "must be one of ACTIVE"],
    ["subscriptions", { next_billing_date: "2026-02-30" }, "must be a calendar date"],
    ["subscriptions", { pause_until: "2026-11-20T12:00:00.000Z" }, "must be a calendar date"],
    ["subscriptions", { lines: '{"a":1}' }, ""],
    ["subscriptions", { total: "12" }, "must be a whole number"],
    ["subscriptions", { total: 1e300 }, "must be a whole number"],
    ["subscriptions", { note: "a\0b" }, "must be a text without NUL"],
    ["subscriptions", { revision: null }, "must not be null"],
    ["profiles", { email: "nobody" }, "must be an e-mail address"],
    ["profiles", { store_customer_id: "gid://shopify/Order/1" }, "must be gid://shopify/Customer"],
    ["orders", { tracking_url: "javascript:alert(1)" }, "must be an https URL"],
    ["reasons", { label: "" }, "must have at least 1 character"],
    ["entities", { image_url: "data:text/html,x" }, "must be an https URL"],
    ["selling_plans", { id: "gid://shopify/Order/1" }, "must be gid://shopify/SellingPlan"],
    ["selling_plans", { is_active: 7 }, "must be 0 or 1"],
    ["delivery_slots", { start_time: "25:00" }, ""],
    ["activity_logs", { metadata: "[1]" }, "must be an object"],
    ["activity_logs", { actor_type: "root" }, "must be one of customer"],
    ["activity_logs", { kept_id: "-7000" }, "must be an id"],
    ["activity_logs", { created_ms: 8e15 }, "must be a time"],
  ])("%s with %j", (table, changes, message) => {
    const [column = ""] = Object.keys(changes);
    const fault = faultOf(check(table, changes));
    expect(fault).toMatchObject({ code: "VALIDATION_FAILED" });
    const { details } = fault as { details: { path: string; message: string }[] };
    expect(details).toHaveLength(1);
    expect(details[0]?.path).toMatch(new RegExp(`^${table}\\..*${column}$`));
    expect(details[0]?.message).toContain(message);
  });

  test("a refusal names the row by its key, and lists 100 faults at most", () => {
    const { key, rows: its } = found.get("orders")!;
    const faults = faultOf(() =>
      requireRows({
        table: "orders",
        key,
        rows: its.map((row) => ({ ...row, status: "x", order_type: "y" })),
      }),
    ) as { details: { path: string }[] };
    expect(faults.details[0]?.path).toBe(`orders.${its[0]?.id}.status`);
    expect(faults.details.length).toBeLessThanOrEqual(100);
  });
});
