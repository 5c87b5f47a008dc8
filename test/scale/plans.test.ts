/** The check for scans, which each operation's statements pass (test/contract/checks/plans.ts), finds those that there are. */
import { describe, expect, test } from "vitest";
import { scansOf } from "../support/plans.ts";

describe("the check for scans", () => {
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
