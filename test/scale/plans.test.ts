/** No statement scans a tenant's table or all rows of an account. */
import { describe, expect, test } from "vitest";
import { each } from "../support/document.ts";
import { scansOf, statementsOf } from "../support/plans.ts";
import { call, openWorld } from "../support/world.ts";

describe("no statement scans a tenant's table, nor all rows of an account", () => {
  test.each(each())("%s", async (_, operation) => {
    const world = await openWorld();
    const statements = await statementsOf(() => call(operation, world));
    expect(await scansOf(statements)).toEqual([]);
  });
});

describe("the check itself", () => {
  test.each([
    ["SELECT * FROM orders WHERE total = ?", "orders"],
    ["SELECT s.id FROM subscriptions AS s ORDER BY s.note", "subscriptions"],
    ["UPDATE orders SET total = 1 WHERE tracking_url = ?", "orders"],
    [
      "SELECT id FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND tracking_url = ?",
      "orders",
    ],
  ])("finds the scan of %s", async (sql, table) => {
    expect(await scansOf([sql])).toMatchObject([{ table }]);
  });

  test.each([
    "SELECT * FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND id = ?",
    "SELECT * FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY created_at, id LIMIT 25",
  ])("finds none in %s", async (sql) => {
    expect(await scansOf([sql])).toEqual([]);
  });
});
