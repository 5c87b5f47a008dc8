/** The counters of records equal a count of the rows after any history. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newEntries } from "../../src/base/db/new-entries.ts";
import { placesInBlock } from "../../src/kit/journal/tables.ts";
import { api } from "../support/client.ts";
import { execute, insert, select } from "../support/database.ts";
import { type LogRow, listed, logOf, type Merchant, openMerchant, put, seeded } from "../support/records.ts";
import { attemptStep, entityStep, logStep, orderStep, profileStep } from "./counters.steps.ts";

/** The history also has entries about the account and its keys, which the feed does not show. */
const inFeed = "loggable_type IN ('subscription', 'order')";

/** Entries in the last block of the stream are not in the counters yet. */
const isCounted = `sequence < (SELECT MAX(sequence) FROM activity_logs AS last WHERE last.account_seq = activity_logs.account_seq)
  / ${placesInBlock} * ${placesInBlock}`;

/** The query that each table of counters must agree with. */
const counters = {
  profile_counts:
    "SELECT COALESCE(email_status, '') AS email_status, COUNT(*) AS count FROM profiles WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND deleted_at IS NULL GROUP BY 1",
  entity_counts:
    "SELECT entity_type, is_active, COUNT(*) AS count FROM entities WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND deleted_at IS NULL GROUP BY 1, 2",
  order_counts:
    "SELECT status, fulfillment_status, is_checkout_order, has_subscription, COUNT(*) AS count FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) GROUP BY 1, 2, 3, 4",
  billing_attempt_counts:
    "SELECT status, origin, COUNT(*) AS count FROM billing_attempts WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND settled_at IS NOT NULL GROUP BY 1, 2",
  activity_counts: `SELECT day, SUM(count) AS count, json_group_object(quarter, count) AS quarters FROM (
      SELECT substr(created_at, 1, 10) AS day, strftime('%H:%M', unixepoch(created_at) / 900 * 900, 'unixepoch') AS quarter,
        COUNT(*) AS count FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND ${inFeed} AND ${isCounted} GROUP BY 1, 2 ORDER BY 1, 2) GROUP BY 1`,
};

/** The counters of a day's quarters are an object, whose members have no order. */
const stored: Record<string, string> = {
  activity_counts: `(SELECT account_seq, day, count, (SELECT json_group_object(key, value)
    FROM (SELECT key, value FROM json_each(quarters) ORDER BY key)) AS quarters FROM activity_counts)`,
};

test("after any creates, updates, uploads and deletes the counters equal COUNT(*), and none is negative", async () => {
  const history = fc.array(fc.oneof(profileStep, profileStep, entityStep, orderStep, attemptStep, logStep), {
    minLength: 15,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const shop = await openMerchant();
      for (const step of steps) await step(shop);
      for (const [table, query] of Object.entries(counters)) {
        const counters = await select<{ count: number }>(
          `SELECT * FROM ${stored[table] ?? table} WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)`,
          shop.of.account.id,
        );
        expect(
          counters.filter(({ count }) => count < 0),
          table,
        ).toEqual([]);
        expect(sorted(counters.filter(({ count }) => count !== 0)), table).toEqual(
          sorted(await select(query, shop.of.account.id)),
        );
      }
      const lists = {
        profiles: "/api/profiles",
        entities: "/api/subscriptions/entities",
        orders: "/api/subscriptions/orders",
        billing_attempts: "/api/billing-attempts",
      };
      for (const [table, path] of Object.entries(lists)) {
        const condition = ["profiles", "entities"].includes(table) ? "AND deleted_at IS NULL" : "";
        const [{ n } = { n: 0 }] = await select<{ n: number }>(
          `SELECT COUNT(*) AS n FROM ${table} WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ${condition}`,
          shop.of.account.id,
        );
        expect((await listed(shop.admin, path, {})).meta.total, table).toBe(n);
      }
      for (const [kind, query] of [
        [
          "action",
          "SELECT DISTINCT action AS name FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND action LIKE 'integration%' ORDER BY 1",
        ],
        [
          "actor",
          "SELECT DISTINCT actor_name AS name FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND loggable_type IN ('subscription', 'order') AND actor_type = 'admin' AND actor_name IS NOT NULL ORDER BY 1",
        ],
      ] as const) {
        const counters = await select(
          "SELECT name FROM activity_names WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND kind = ? ORDER BY name",
          shop.of.account.id,
          kind,
        );
        expect(counters, kind).toEqual(await select(query, shop.of.account.id));
      }
    }),
    seeded(8),
  );
});

describe("the feed's total is that of its entries", () => {
  const day = "2026-03-01";
  const total = async (shop: Merchant) => {
    const query = { start_date: day, end_date: day };
    return (await api(shop.admin, "GET", "/api/activity-logs", { query })).body.metadata.total;
  };
  const at = (nth: number) => ({ created_at: `${day}T12:${String(nth % 60).padStart(2, "0")}:00.000Z` });
  const addEntries = async (shop: Merchant, count: number, values: Partial<LogRow> = {}) => {
    for (let nth = 0; nth < count; nth++) await insert(newEntries, logOf(shop.of, { ...at(nth), ...values }));
  };
  const skipPlaces = (shop: Merchant) =>
    execute("INSERT INTO event_sequences SELECT seq, 1000000 FROM accounts WHERE id = ?", shop.of.account.id);

  test("whatever part of a block of the stream is filled", async () => {
    const shop = await openMerchant();
    for (let count = 7; count <= 140; count += 7) {
      await addEntries(shop, 7);
      expect(await total(shop)).toBe(count);
    }
  });

  test("across a gap in the stream, as a restore leaves it, and beside entries that the feed does not show", async () => {
    const shop = await openMerchant();
    await addEntries(shop, 5);
    await addEntries(shop, 40, { loggable_type: "account" });
    await skipPlaces(shop);
    await addEntries(shop, 3);
    expect(await total(shop)).toBe(8);
  });

  test("where an entry of another database takes a place in a block that was counted", async () => {
    const shop = await openMerchant();
    await addEntries(shop, 5);
    await skipPlaces(shop);
    await addEntries(shop, 1);
    await put("activity_logs", [{ ...logOf(shop.of, at(20)), sequence: 9 }]);
    expect(await total(shop)).toBe(7);
  });
});

function sorted(rows: object[]): string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([name]) => name !== "account_seq")
          .sort(),
      ),
    )
    .sort();
}
