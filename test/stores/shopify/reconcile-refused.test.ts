/** A charge under the key of a refused attempt is recorded, or reported, never lost. */
import { getTableColumns } from "drizzle-orm";
import { expect, test } from "vitest";
import { reconcilePage } from "../../../src/domain/billing/reconcile/page.ts";
import { type Subscription, subscriptions } from "../../../src/domain/subscriptions/tables.ts";
import { systemOf } from "../../edges/webhooks/refreshing.ts";
import { execute } from "../../support/database.ts";
import { done, force, inDays, read, rowOf } from "../../support/shops.ts";
import { attemptsOf, ordersOf, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";

const shop = useShop();

async function reconcile() {
  return (await reconcilePage(await systemOf(shop), { since: inDays(-3), after: null })).findings;
}

async function ship(id: string): Promise<void> {
  expect((await shipNow(shop.merchant, shop.worker, id, { allow_repeat: true })).status).toBe(200);
  await shop.worker.drain();
}

/** A subscription whose first attempt Shopify has refused to make; the second had its key, and was charged. */
async function chargedAfterRefusal() {
  const id = await subscribed(shop);
  shop.store.refuse("subscriptionBillingAttemptCreate", "INVALID");
  await ship(id);
  const refused = await rowOf(id);
  await ship(id);
  const [second, first] = await attemptsOf(shop.merchant, id);
  expect([first.status, second.status]).toEqual(["FAILED", "SUCCEEDED"]);
  /** The database as it was between the two. */
  const restore = async (): Promise<void> => {
    await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
    await execute(
      "DELETE FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.merchant.of.account.id,
    );
    await execute("DELETE FROM billing_attempts WHERE id = ?", second.id);
    const columns = Object.keys(getTableColumns(subscriptions)) as (keyof Subscription)[];
    await force(id, Object.fromEntries(columns.map((name) => [name, refused[name]])));
  };
  return { id, first, restore };
}

test("of attempts that share a key the one that was charged counts: nobody is told to refund it", async () => {
  const { id, first } = await chargedAfterRefusal();
  expect(await reconcile()).toEqual([]);
  // While a test clock stands still both have one time.
  await execute("UPDATE billing_attempts SET created_at = ? WHERE subscription_id = ?", first.created_at, id);
  expect(await reconcile()).toEqual([]);
  expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
});

test("a charge that a restore has undone is recorded also where an earlier attempt with its key was refused", async () => {
  const { id, restore } = await chargedAfterRefusal();
  await restore();
  expect(await reconcile()).toMatchObject([{ problem: "recorded", subscription_id: id }]);
  expect(await read(shop.merchant, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 24.9 });
  expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
  expect(shop.store.charges).toHaveLength(1);
});

test("a charge under the key of a refused attempt is reported with that, where its subscription has ended since", async () => {
  const { id, first, restore } = await chargedAfterRefusal();
  await restore();
  await done(shop.merchant.api, "POST", id, "cancel");
  expect(await reconcile()).toMatchObject([
    { problem: "recorded_as_not_charged", attempt_id: first.id, subscription_id: id },
  ]);
  expect(await ordersOf(shop.merchant, id)).toEqual([]);
});
