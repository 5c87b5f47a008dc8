/** A known order follows its fulfilments, refunds and cancellation at the store, with an entry each. */
import { describe, expect, test } from "vitest";
import { contractOf } from "../../stores/shopify/mirrored.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { execute } from "../../support/database.ts";
import { actionsOf, type Json, read } from "../../support/shops.ts";
import { historyOf, orderShown } from "./refreshing.ts";
import { storeOrders } from "./store-orders.ts";

const shop = useShop();
const { refresh, rows, customerId, actionsLogged, revenueOf, soldFor, billed } = storeOrders(shop);

describe("an order that is known here", () => {
  const tracking = { company: "DHL", number: "T1", url: "https://dhl.test/T1" };

  test("fulfilled in part, then completely, with tracking", async () => {
    const order = shop.store.addOrder({ customer: customerId(), total: 500 });
    await refresh(order);
    shop.store.fulfill(order, { part: true, tracking });
    await refresh(order);
    expect(await orderShown(shop, order)).toMatchObject({
      fulfillment_status: "PARTIALLY_FULFILLED",
      tracking_number: "T1",
      tracking_company: "DHL",
      tracking_url: "https://dhl.test/T1",
    });
    shop.store.fulfill(order, { tracking: { ...tracking, number: "T2", url: "http://dhl.test/T2" } });
    await refresh(order);
    expect(await orderShown(shop, order)).toMatchObject({
      fulfillment_status: "FULFILLED",
      tracking_number: "T2",
      tracking_url: null,
    });
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_updated", "order_fulfilled"]);
    expect((await historyOf(shop, "order")).at(-1).changes).toEqual({
      fulfillment_status: { from: "PARTIALLY_FULFILLED", to: "FULFILLED" },
      tracking_number: { from: "T1", to: "T2" },
      tracking_url: { from: "https://dhl.test/T1", to: null },
    });
    const { body } = await shop.worker.call(shop.merchant.admin, "GET", "/api/subscriptions/orders", {
      query: { search: "T2" },
    });
    expect(body.data).toHaveLength(1);
  });

  test("refunded in part, then completely: each refund reduces the revenue, with one entry each", async () => {
    const id = await subscribed(shop);
    const order = await soldFor(id);
    await refresh(order);
    const states: unknown[] = [];
    for (const amount of [490, 2000]) {
      shop.store.refund(order, amount);
      await refresh(order);
      states.push([(await orderShown(shop, order)).status, await revenueOf(id)]);
    }
    expect(states).toEqual([
      ["PARTIALLY_REFUNDED", 20],
      ["REFUNDED", 0],
    ]);
    const refunds = (entries: Json[]) =>
      entries.filter(({ action }) => action === "order_refunded").map(({ metadata }) => metadata.amount);
    expect(refunds(await historyOf(shop, "order"))).toEqual([4.9, 20]);
    expect(refunds(await historyOf(shop, "subscription"))).toEqual([]);
  });

  test("fulfilled, refunded and cancelled at once: an entry for each, in one change", async () => {
    const id = await subscribed(shop);
    const order = await soldFor(id);
    await refresh(order);
    shop.store.fulfill(order);
    shop.store.refund(order, 2490);
    shop.store.cancelOrder(order);
    await refresh(order);
    const all = ["order_cancelled", "order_refunded", "order_fulfilled"];
    expect((await actionsLogged("order")).slice(1).toSorted()).toEqual(all.toSorted());
    expect([(await orderShown(shop, order)).status, await revenueOf(id)]).toEqual(["CANCELLED", 0]);
    expect((await rows())[0].revision).toBe(2);
  });

  test("cancelled, counts no longer, whatever is refunded", async () => {
    const id = await subscribed(shop);
    const order = await soldFor(id);
    await refresh(order);
    shop.store.cancelOrder(order);
    await refresh(order);
    expect(await revenueOf(id)).toBe(0);
    shop.store.refund(order, 490);
    await refresh(order);
    expect(await revenueOf(id)).toBe(0);
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_cancelled", "order_refunded"]);
  });

  test("joins a subscription once its contract is linked to one, and counts there", async () => {
    const id = await subscribed(shop);
    const { store_contract_id } = await read(shop.merchant, id);
    await execute("UPDATE subscriptions SET store_contract_id = NULL WHERE id = ?", id);
    const order = shop.store.addOrder({ total: 2490, contracts: [store_contract_id] });
    await refresh(order);
    expect(await orderShown(shop, order)).toMatchObject({ subscriptions: [], profile_id: null });
    await execute("UPDATE subscriptions SET store_contract_id = ? WHERE id = ?", store_contract_id, id);
    await refresh(order);
    expect(await orderShown(shop, order)).toMatchObject({
      subscriptions: [{ id }],
      profile_id: shop.profileId,
    });
    expect(await read(shop.merchant, id)).toMatchObject({
      total_revenue: 24.9,
      last_order: (await orderShown(shop, order)).id,
    });
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_updated"]);
    await refresh(order);
    expect(await actionsLogged("order")).toHaveLength(2);
  });

  test("counts in neither of two subscriptions once it is known to be of both, whatever is refunded", async () => {
    const [one, two] = [await subscribed(shop), await subscribed(shop)];
    const [first, second] = [await contractOf(shop, one), await contractOf(shop, two)];
    const { store_contract_id } = await read(shop.merchant, two);
    await execute("UPDATE subscriptions SET store_contract_id = NULL WHERE id = ?", two);
    const order = await soldFor(one, { contracts: [first.id, second.id] });
    await refresh(order);
    const revenues = async () => [await revenueOf(one), await revenueOf(two)];
    expect(await revenues()).toEqual([24.9, 0]);
    await execute("UPDATE subscriptions SET store_contract_id = ? WHERE id = ?", store_contract_id, two);
    await refresh(order);
    expect((await orderShown(shop, order)).subscriptions).toHaveLength(2);
    expect(await revenues()).toEqual([0, 0]);
    shop.store.refund(order, 490);
    await refresh(order);
    expect(await revenues()).toEqual([0, 0]);
  });

  test("that was billed here keeps its amounts and dates, and follows the store in everything else", async () => {
    const { id, order } = await billed();
    const before = await orderShown(shop, order);
    await refresh(order);
    expect(await orderShown(shop, order)).toEqual(before);
    shop.store.order(order).subtotal = 1;
    shop.store.order(order).discounts = 1;
    shop.store.fulfill(order, { tracking });
    shop.store.refund(order, 490);
    expect(await refresh(order)).toBe("done");
    expect(await orderShown(shop, order)).toEqual({
      ...before,
      status: "PARTIALLY_REFUNDED",
      refunded_amount: 4.9,
      fulfillment_status: "FULFILLED",
      tracking_number: "T1",
      tracking_company: "DHL",
      tracking_url: "https://dhl.test/T1",
      subscriptions: expect.anything(),
      updated_at: expect.any(String),
    });
    expect(await revenueOf(id)).toBe(20);
    expect((await actionsLogged("order")).slice(-2).toSorted()).toEqual([
      "order_fulfilled",
      "order_refunded",
    ]);
    expect((await actionsOf(id)).at(-1)).toBe("billing_succeeded");
    await refresh(order);
    expect(await revenueOf(id)).toBe(20);
  });
});
