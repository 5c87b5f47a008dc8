import fc from "fast-check";
import { isOpen } from "../../src/domain/billing/queries.ts";
import { attemptOrigins, attemptStatuses } from "../../src/domain/billing/tables.ts";
import { fulfillmentStatuses, orderStatuses } from "../../src/domain/orders/tables.ts";
import { api } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import {
  attemptOf,
  logOf,
  type Merchant,
  orderOf,
  profileOf,
  put,
  subscriptionOf,
} from "../support/records.ts";

/** A change of an account's records through the API, or by billing. */
export type Step = (shop: Merchant) => Promise<void>;

const oneOf = fc.constantFrom;

const status = oneOf("subscribed", "unsubscribed", "suppressed", null);

function email(n: number) {
  return `count-${n}@customers.test`;
}

export const profileStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(30), status).map(
    ([n, email_status]): Step =>
      async ({ admin }) => {
        await api(admin, "POST", "/api/profiles", { body: { email: email(n), email_status } });
      },
  ),
  fc.tuple(fc.nat(), status).map(
    ([n, email_status]): Step =>
      async (shop) => {
        const id = await pickId(shop, "profiles", n);
        if (id) await api(shop.admin, "PUT", `/api/profiles/${id}`, { body: { email_status } });
      },
  ),
  fc.nat().map(
    (n): Step =>
      async (shop) => {
        const id = await pickId(shop, "profiles", n);
        if (id) await api(shop.admin, "DELETE", `/api/profiles/${id}`);
      },
  ),
  fc.tuple(fc.uniqueArray(fc.nat(30), { maxLength: 8 }), status).map(
    ([rows, email_status]): Step =>
      async ({ admin }) => {
        const body = rows.map((n) => ({ email: email(n), ...(n % 3 === 0 ? {} : { email_status }) }));
        await api(admin, "POST", "/api/profiles/bulk-upload", { body });
      },
  ),
);

export const entityStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(), oneOf("dog", "cat"), fc.boolean()).map(
    ([n, entity_type, is_active]): Step =>
      async (shop) => {
        const profile_id = await pickId(shop, "profiles", n);
        if (profile_id)
          await api(shop.of, "POST", "/api/subscriptions/entities", {
            body: { profile_id, entity_type, name: "x", is_active },
          });
      },
  ),
  fc.tuple(fc.nat(), fc.boolean()).map(
    ([n, is_active]): Step =>
      async (shop) => {
        const id = await pickId(shop, "entities", n);
        if (id) await api(shop.of, "PUT", `/api/subscriptions/entities/${id}`, { body: { is_active } });
      },
  ),
  fc.nat().map(
    (n): Step =>
      async (shop) => {
        const id = await pickId(shop, "entities", n);
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

export const orderStep: fc.Arbitrary<Step> = fc.oneof(
  fc.array(facets, { maxLength: 5 }).map(
    (rows): Step =>
      async ({ of }) =>
        put(
          "orders",
          rows.map((values) => orderOf(of, values)),
        ),
  ),
  fc.tuple(fc.nat(), facets).map(
    ([n, values]): Step =>
      async (shop) => {
        const id = await pickId(shop, "orders", n);
        if (!id) return;
        const names = Object.keys(values).map((name) => `${name} = ?`);
        await execute(`UPDATE orders SET ${names.join(", ")} WHERE id = ?`, ...Object.values(values), id);
      },
  ),
  oneOf(...orderStatuses).map(
    (status): Step =>
      async ({ of }) => {
        await execute(
          "UPDATE orders SET status = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
          status,
          of.account.id,
        );
      },
  ),
);

/** Attempts of a subscription of their own, the first of them open, which then change their status. */
export const attemptStep: fc.Arbitrary<Step> = fc
  .record({
    origins: fc.array(oneOf(...attemptOrigins), { maxLength: 4 }),
    next: fc.option(oneOf(...attemptStatuses.filter((status) => !isOpen({ status }))), { nil: undefined }),
  })
  .map(
    ({ origins, next }): Step =>
      async ({ of }) => {
        const customer = profileOf(of);
        const owner = subscriptionOf(of, customer.id);
        await put("profiles", [customer]);
        await put("subscriptions", [owner]);
        await put(
          "billing_attempts",
          origins.map((origin, cycle) =>
            attemptOf(of, owner.id, cycle, { origin, status: cycle === 0 ? "PROCESSING" : "FAILED" }),
          ),
        );
        if (next)
          await execute(
            "UPDATE billing_attempts SET status = ?, settled_at = created_at WHERE subscription_id = ?",
            next,
            owner.id,
          );
      },
  );

const instant = fc
  .date({ min: new Date("2025-12-30"), max: new Date("2026-01-03"), noInvalidDate: true })
  .map((date) => date.toISOString());
export const logStep: fc.Arbitrary<Step> = fc
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
    (rows): Step =>
      async ({ of }) =>
        put(
          "activity_logs",
          rows.map((values) => logOf(of, values)),
        ),
  );

/** The id of a record that is not deleted, picked by a number. */
async function pickId(shop: Merchant, table: string, n: number): Promise<string | undefined> {
  const condition = table === "orders" ? "" : "AND deleted_at IS NULL";
  const rows = await select<{ id: string }>(
    `SELECT id FROM ${table} WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ${condition} ORDER BY id`,
    shop.of.account.id,
  );
  return rows[n % Math.max(1, rows.length)]?.id;
}
