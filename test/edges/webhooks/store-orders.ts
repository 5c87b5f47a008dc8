import type { JobOutcome } from "../../../src/base/job.ts";
import { refreshOrder } from "../../../src/domain/store-sync/orders.ts";
import { contractOf } from "../../stores/shopify/mirrored.ts";
import { type ConnectedShop, subscribed } from "../../stores/shopify/shop.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, read } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";
import { historyOf, systemOf } from "./refreshing.ts";

/** Ways to sell, bill and refresh the orders of a shop. */
export function storeOrders(shop: ConnectedShop) {
  const refresh = async (id: string): Promise<JobOutcome> => refreshOrder(await systemOf(shop), id);
  const rows = (): Promise<Json[]> =>
    select(
      "SELECT * FROM orders WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY id",
      shop.merchant.of.account.id,
    );
  const customerId = (): string => shop.store.method(shop.card).customer.id;
  const actionsLogged = async (type: "order" | "subscription"): Promise<string[]> =>
    (await historyOf(shop, type)).map(({ action }) => action);
  const revenueOf = async (id: string): Promise<number> => (await read(shop.merchant, id)).total_revenue;

  /** An order of a subscription's contract, sold at the checkout for 24.90 by default. */
  const soldFor = async (subscriptionId: string, more: Json = {}): Promise<string> =>
    shop.store.addOrder({
      customer: customerId(),
      total: 2490,
      contracts: [(await contractOf(shop, subscriptionId)).id],
      ...more,
    });

  /** A subscription that has been billed, and the store's id of the order. */
  const billed = async (): Promise<{ id: string; order: string }> => {
    const id = await subscribed(shop);
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
    return { id, order: shop.store.charges.at(-1)!.order! };
  };

  /** A subscription that the store has charged without our knowledge: its attempt is under review. */
  const underReview = async (): Promise<{ id: string; attemptId: string; order: string }> => {
    const { id, order } = await billed();
    const [attempt] = await attemptsOf(shop.merchant, id);
    await execute("DELETE FROM order_subscriptions WHERE subscription_id = ?", id);
    await execute("DELETE FROM orders WHERE billing_attempt_id = ?", attempt.id);
    await execute(
      "UPDATE billing_attempts SET status = 'REVIEW', order_id = NULL, settled_at = NULL WHERE id = ?",
      attempt.id,
    );
    await execute(
      `UPDATE subscriptions SET open_attempt_id = ?, last_order_id = NULL, total_revenue = 0, current_billing_cycle = 1
        WHERE id = ?`,
      attempt.id,
      id,
    );
    await execute(
      "DELETE FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.merchant.of.account.id,
    );
    return { id, attemptId: attempt.id, order };
  };
  return { refresh, rows, customerId, actionsLogged, revenueOf, soldFor, billed, underReview };
}
