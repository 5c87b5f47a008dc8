/** A charge at Shopify that a restored database does not know is recorded with its order, and charged once. */
import { expect, test } from "vitest";
import { reconcilePage } from "../../../src/domain/billing/reconcile/page.ts";
import { systemOf } from "../../edges/webhooks/refreshing.ts";
import { execute } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { inDays, read, rowOf } from "../../support/shops.ts";
import { attemptsOf, ordersOf, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";

const shop = useShop();

async function reconcile(after: string | null = null) {
  return reconcilePage(await systemOf(shop), { since: inDays(-3), after });
}

test("a charge that a restored database does not know is recorded with the store's order, and charged once", async () => {
  const id = await subscribed(shop);
  const before = await rowOf(id);
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(await reconcile()).toEqual({ findings: [], next: null });
  const [charge] = shop.store.charges;
  await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
  await execute(
    "DELETE FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
  await execute("DELETE FROM billing_attempts WHERE subscription_id = ?", id);
  await execute(
    `UPDATE subscriptions SET current_billing_cycle = 1, last_order_id = NULL, total_revenue = 0, next_billing_date = ?,
      next_delivery_date = ?, next_index = ?, next_billed_index = ?, anchor_date = ? WHERE id = ?`,
    before.next_billing_date,
    before.next_delivery_date,
    before.next_index,
    before.next_billed_index,
    before.anchor_date,
    id,
  );
  expect((await reconcile()).findings).toMatchObject([{ problem: "recorded", subscription_id: id }]);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", amount: 24.9 }]);
  expect(await ordersOf(shop.merchant, id)).toMatchObject([
    { store_order_id: plain(charge!.order!), total: 24.9 },
  ]);
  expect(await read(shop.merchant, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 24.9 });
  expect(shop.store.charges).toHaveLength(1);
  expect((await reconcile()).findings).toEqual([]);
});

test("a declined attempt at the store is no charge", async () => {
  const id = await subscribed(shop);
  shop.store.nextOutcomes(outcomes.payment("INSUFFICIENT_FUNDS"));
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "FAILED" }]);
  expect((await reconcile()).findings).toEqual([]);
});
