import fc from "fast-check";
import { expect, test } from "vitest";
import { fulfillmentStatuses, orderStatuses } from "../../src/orders/tables.ts";
import { api } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import { listed, logOf, type Merchant, merchant, orderOf, put, seeded } from "../support/records.ts";

type History = (shop: Merchant) => Promise<void>;

const oneOf = fc.constantFrom;
const status = oneOf("subscribed", "unsubscribed", "suppressed", null);

/** The living ids of a table, by age; an operation picks its record by number. */
const nthOf = async (shop: Merchant, table: string, n: number): Promise<string | undefined> => {
  const living = table === "orders" ? "" : "AND deleted_at IS NULL";
  const rows = await select<{ id: string }>(
    `SELECT id FROM ${table} WHERE account_id = ? ${living} ORDER BY id`,
    shop.of.account.id,
  );
  return rows[n % Math.max(1, rows.length)]?.id;
};
const email = (n: number) => `count-${n}@customers.test`;

const profileStep: fc.Arbitrary<History> = fc.oneof(
  fc.tuple(fc.nat(30), status).map(
    ([n, email_status]): History =>
      async ({ admin }) => {
        await api(admin, "POST", "/api/profiles", { body: { email: email(n), email_status } });
      },
  ),
  fc.tuple(fc.nat(), status).map(
    ([n, email_status]): History =>
      async (shop) => {
        const id = await nthOf(shop, "profiles", n);
        if (id) await api(shop.admin, "PUT", `/api/profiles/${id}`, { body: { email_status } });
      },
  ),
  fc.nat().map(
    (n): History =>
      async (shop) => {
        const id = await nthOf(shop, "profiles", n);
        if (id) await api(shop.admin, "DELETE", `/api/profiles/${id}`);
      },
  ),
  fc.tuple(fc.uniqueArray(fc.nat(30), { maxLength: 8 }), status).map(
    ([rows, email_status]): History =>
      async ({ admin }) => {
        const body = rows.map((n) => ({ email: email(n), ...(n % 3 === 0 ? {} : { email_status }) }));
        await api(admin, "POST", "/api/profiles/bulk-upload", { body });
      },
  ),
);

const entityStep: fc.Arbitrary<History> = fc.oneof(
  fc.tuple(fc.nat(), oneOf("dog", "cat"), fc.boolean()).map(
    ([n, entity_type, is_active]): History =>
      async (shop) => {
        const profile_id = await nthOf(shop, "profiles", n);
        if (profile_id)
          await api(shop.of, "POST", "/api/subscriptions/entities", {
            body: { profile_id, entity_type, name: "x", is_active },
          });
      },
  ),
  fc.tuple(fc.nat(), fc.boolean()).map(
    ([n, is_active]): History =>
      async (shop) => {
        const id = await nthOf(shop, "entities", n);
        if (id) await api(shop.of, "PUT", `/api/subscriptions/entities/${id}`, { body: { is_active } });
      },
  ),
  fc.nat().map(
    (n): History =>
      async (shop) => {
        const id = await nthOf(shop, "entities", n);
        if (id) await api(shop.of, "DELETE", `/api/subscriptions/entities/${id}`);
      },
  ),
);

const facets = fc.record({
  status: oneOf(...orderStatuses),
  fulfillment_status: oneOf(...fulfillmentStatuses),
  is_checkout_order: oneOf(0 as const, 1 as const),
  has_subscription: oneOf(0 as const, 1 as const),
});

const orderStep: fc.Arbitrary<History> = fc.oneof(
  fc.array(facets, { maxLength: 5 }).map(
    (rows): History =>
      async ({ of }) =>
        put(
          "orders",
          rows.map((values) => orderOf(of, values)),
        ),
  ),
  fc.tuple(fc.nat(), facets).map(
    ([n, values]): History =>
      async (shop) => {
        const id = await nthOf(shop, "orders", n);
        if (!id) return;
        const names = Object.keys(values).map((name) => `${name} = ?`);
        await execute(`UPDATE orders SET ${names.join(", ")} WHERE id = ?`, ...Object.values(values), id);
      },
  ),
  oneOf(...orderStatuses).map(
    (status): History =>
      async ({ of }) => {
        await execute("UPDATE orders SET status = ? WHERE account_id = ?", status, of.account.id);
      },
  ),
);

const instant = fc
  .date({ min: new Date("2025-12-30"), max: new Date("2026-01-03"), noInvalidDate: true })
  .map((date) => date.toISOString());
const logStep: fc.Arbitrary<History> = fc
  .array(
    fc.record({
      created_at: instant,
      action: oneOf("order_placed", "integration_a", "integration_b"),
      actor_type: oneOf("admin" as const, "api" as const, null),
      actor_name: oneOf("Ada", "Bob", null),
    }),
    { maxLength: 10 },
  )
  .map(
    (rows): History =>
      async ({ of }) =>
        put(
          "activity_logs",
          rows.map((values) => logOf(of, values)),
        ),
  );

/** The history also has entries about the account and its keys, which the feed does not show. */
const inFeed = "loggable_type IN ('subscription', 'order')";

const counters = {
  profile_counts:
    "SELECT COALESCE(email_status, '') AS email_status, COUNT(*) AS count FROM profiles WHERE account_id = ? AND deleted_at IS NULL GROUP BY 1",
  entity_counts:
    "SELECT entity_type, is_active, COUNT(*) AS count FROM entities WHERE account_id = ? AND deleted_at IS NULL GROUP BY 1, 2",
  order_counts:
    "SELECT status, fulfillment_status, is_checkout_order, has_subscription, COUNT(*) AS count FROM orders WHERE account_id = ? GROUP BY 1, 2, 3, 4",
  activity_counts: `SELECT 'D' || substr(created_at, 1, 10) AS bucket, COUNT(*) AS count FROM activity_logs WHERE account_id = ?1 AND ${inFeed} GROUP BY 1
    UNION ALL SELECT 'Q' || strftime('%Y-%m-%dT%H:%M', unixepoch(created_at) / 900 * 900, 'unixepoch'), COUNT(*) FROM activity_logs WHERE account_id = ?1 AND ${inFeed} GROUP BY 1`,
};

const sorted = (rows: object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([name]) => name !== "account_id")
          .sort(),
      ),
    )
    .sort();

test("after any history of creates, updates, uploads and deletes the counters are what COUNT(*) says, and none is negative", async () => {
  const history = fc.array(fc.oneof(profileStep, profileStep, entityStep, orderStep, logStep), {
    minLength: 15,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const shop = await merchant();
      for (const step of steps) await step(shop);
      for (const [table, counted] of Object.entries(counters)) {
        const counters = await select<{ count: number }>(
          `SELECT * FROM ${table} WHERE account_id = ?`,
          shop.of.account.id,
        );
        expect(
          counters.filter(({ count }) => count < 0),
          table,
        ).toEqual([]);
        expect(sorted(counters.filter(({ count }) => count !== 0)), table).toEqual(
          sorted(await select(counted, shop.of.account.id)),
        );
      }
      const lists = ["/api/profiles", "/api/subscriptions/entities", "/api/subscriptions/orders"];
      for (const [nth, table] of ["profiles", "entities", "orders"].entries()) {
        const living = table === "orders" ? "" : "AND deleted_at IS NULL";
        const [{ n } = { n: 0 }] = await select<{ n: number }>(
          `SELECT COUNT(*) AS n FROM ${table} WHERE account_id = ? ${living}`,
          shop.of.account.id,
        );
        expect((await listed(shop.admin, lists[nth]!, {})).meta.total, table).toBe(n);
      }
      for (const [kind, counted] of [
        [
          "action",
          "SELECT DISTINCT action AS name FROM activity_logs WHERE account_id = ? AND action LIKE 'integration%' ORDER BY 1",
        ],
        [
          "actor",
          "SELECT DISTINCT actor_name AS name FROM activity_logs WHERE account_id = ? AND actor_type = 'admin' AND actor_name IS NOT NULL ORDER BY 1",
        ],
      ] as const) {
        const counters = await select(
          "SELECT name FROM activity_names WHERE account_id = ? AND kind = ? ORDER BY name",
          shop.of.account.id,
          kind,
        );
        expect(counters, kind).toEqual(await select(counted, shop.of.account.id));
      }
    }),
    seeded(8),
  );
});
