/** A column that is compared with itself is found, and no other comparison. */
import { expect, test } from "vitest";
import { selfComparisons } from "../support/self-comparisons.ts";

const comparing = [
  `SELECT (SELECT 1 FROM "links" WHERE "account_id" = "account_id" AND "order_id" = "id") FROM "orders"`,
  `SELECT 1 FROM "orders" WHERE "orders"."account_id" = "orders"."account_id"`,
  "SELECT 1 FROM orders WHERE account_id=account_id",
  "SELECT 1 FROM orders AS o JOIN links AS l ON l.account_id = l.account_id",
  "SELECT 1 FROM orders WHERE account_id\n  = account_id",
  "SELECT 1 FROM orders WHERE deleted_at IS NOT deleted_at",
];

const others = [
  `SELECT 1 FROM "orders" WHERE "orders"."account_id" = "links"."account_id" AND "orders"."id" = ?`,
  "SELECT 1 FROM orders AS o JOIN links AS l ON o.account_id = l.account_id AND l.id = l.id_of_order",
  "UPDATE counts SET count = count + 1",
  "UPDATE orders SET label = label || ? WHERE account_id = ?",
  "INSERT INTO orders DEFAULT VALUES ON CONFLICT DO UPDATE SET total = excluded.total",
  "SELECT 1 WHERE 1 = 1",
];

test("a column that is compared with itself is found, and no other comparison", () => {
  for (const sql of comparing) expect.soft(selfComparisons(sql), sql).toHaveLength(1);
  for (const sql of others) expect.soft(selfComparisons(sql), sql).toEqual([]);
});
