/** An order of the store is recorded once, as the store has it, for its customer. */
import { describe, expect, test } from "vitest";
import { refreshOrder } from "../../../src/domain/store-sync/orders.ts";
import { UnknownOutcomeError } from "../../../src/stores/port.ts";
import { contractOf } from "../../stores/shopify/mirrored.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { select } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { orderOf, put, subscriptionOf } from "../../support/records.ts";
import { actionsOf, feedOf, type Json, read } from "../../support/shops.ts";
import { openTenant, profile } from "../../support/tenant.ts";
import { historyOf, type Logged, orderShown, systemOf } from "./refreshing.ts";
import { storeOrders } from "./store-orders.ts";

const shop = useShop();
const { refresh, rows, customerId, actionsLogged, revenueOf, soldFor } = storeOrders(shop);

describe("an order that is not known here", () => {
  test("is recorded as the store has it, for its customer, with an entry", async () => {
    const order = shop.store.addOrder({
      customer: customerId(),
      total: 2290,
      subtotal: 1800,
      discounts: 200,
      tags: ["Upsell"],
    });
    expect(await refresh(order)).toBe("done");
    expect(await orderShown(shop, order)).toMatchObject({
      store_order_id: plain(order),
      store_order_number: shop.store.order(order).name,
      status: "PAID",
      fulfillment_status: "UNFULFILLED",
      order_type: "UPSELL",
      is_checkout_order: true,
      profile_id: shop.profileId,
      currency_code: "EUR",
      subtotal: 20,
      discount_amount: 2,
      total: 22.9,
      delivery_date: null,
      billing_date: null,
      production_date: null,
      order_created_at: shop.store.order(order).createdAt,
      subscriptions: [],
    });
    expect(await historyOf(shop, "order")).toMatchObject([
      {
        action: "order_placed",
        actor_type: "system",
        actor_name: null,
        subscription_id: null,
        profile_id: shop.profileId,
        metadata: { store_order_id: plain(order) },
      },
    ]);
  });

  test("read again, writes nothing", async () => {
    const order = shop.store.addOrder({ customer: customerId(), total: 500 });
    await refresh(order);
    const before = await rows();
    expect(await refresh(order)).toBe("done");
    expect(await rows()).toEqual(before);
    expect(await actionsLogged("order")).toEqual(["order_placed"]);
  });

  test("belongs to its customer; orders of a stranger and of a guest belong to nobody", async () => {
    const another = shop.store.addCustomer();
    const { id } = await profile(shop.merchant.of, { store_customer_id: plain(another) });
    const deleted = shop.store.addCustomer();
    await profile(shop.merchant.of, {
      store_customer_id: plain(deleted),
      deleted_at: "2026-01-01T00:00:00.000Z",
    });
    const owners: unknown[] = [];
    for (const customer of [another, deleted, shop.store.addCustomer(), undefined]) {
      const order = shop.store.addOrder({ total: 500, ...(customer ? { customer } : {}) });
      await refresh(order);
      owners.push((await orderShown(shop, order)).profile_id);
    }
    expect(owners).toEqual([id, null, null, null]);
  });

  test("of a subscription's contract becomes its latest order and counts in its revenue, with an entry for the order alone", async () => {
    const id = await subscribed(shop);
    const order = await soldFor(id);
    await refresh(order);
    const shown = await orderShown(shop, order);
    expect(shown).toMatchObject({ order_type: "SUBSCRIPTION", subscriptions: [{ id }] });
    expect(await read(shop.merchant, id)).toMatchObject({ total_revenue: 24.9, last_order: shown.id });
    expect(await historyOf(shop, "order")).toMatchObject([
      { action: "order_placed", loggable_id: shown.id, subscription_id: id, actor_type: "system" },
    ]);
    expect((await feedOf(shop.merchant, id)).map(({ action }: Json) => action)).not.toContain("order_placed");
  });

  test("of two subscriptions belongs to both and counts in neither", async () => {
    const [one, two] = [await subscribed(shop), await subscribed(shop)];
    const contracts = await Promise.all([one, two].map(async (id) => (await contractOf(shop, id)).id));
    const order = shop.store.addOrder({ customer: customerId(), total: 4980, contracts });
    await refresh(order);
    expect((await orderShown(shop, order)).subscriptions.map(({ id }: Json) => id).toSorted()).toEqual(
      [one, two].toSorted(),
    );
    expect([await revenueOf(one), await revenueOf(two)]).toEqual([0, 0]);
    expect(await historyOf(shop, "order")).toMatchObject([{ action: "order_placed", subscription_id: null }]);
    shop.store.refund(order, 100);
    await refresh(order);
    expect([await revenueOf(one), await revenueOf(two)]).toEqual([0, 0]);
  });

  test("older than the subscription's latest order does not replace it", async () => {
    const id = await subscribed(shop);
    const [old, recent] = [await soldFor(id), await soldFor(id)];
    shop.store.order(old).createdAt = "2026-01-01T00:00:00.000Z";
    await refresh(recent);
    await refresh(old);
    expect((await read(shop.merchant, id)).last_order).toBe((await orderShown(shop, recent)).id);
    expect(await revenueOf(id)).toBe(49.8);
  });

  test("counts as revenue only once it is paid", async () => {
    const id = await subscribed(shop);
    const order = await soldFor(id, { paid: false });
    await refresh(order);
    expect([(await orderShown(shop, order)).status, await revenueOf(id)]).toEqual(["PENDING", 0]);
    shop.store.payOrder(order);
    await refresh(order);
    expect([(await orderShown(shop, order)).status, await revenueOf(id)]).toEqual(["PAID", 24.9]);
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_updated"]);
    expect(await actionsOf(id)).not.toContain("order_updated");
  });

  test("unknown to the store too, does nothing", async () => {
    expect(await refresh("gid://shopify/Order/999")).toBe("done");
    expect(await refresh("gid://shopify/Customer/1")).toBe("done");
    expect(await rows()).toEqual([]);
  });

  test("is recorded in the currency in which the customer bought", async () => {
    const order = shop.store.addOrder({ customer: customerId(), total: 500 });
    shop.store.order(order).currency = "GBP";
    expect(await refresh(order)).toBe("done");
    expect(await orderShown(shop, order)).toMatchObject({ total: 5, currency_code: "GBP" });
  });

  test("in another currency than its subscription's is not recorded, and its id is logged", async () => {
    const order = await soldFor(await subscribed(shop), {});
    shop.store.order(order).currency = "GBP";
    const before = await rows();
    const logged: Logged = [];
    expect(await refreshOrder(await systemOf(shop, logged), order)).toBe("done");
    expect(await rows()).toEqual(before);
    expect(logged).toEqual([["order_in_other_currency", { store_order_id: plain(order) }]]);
  });

  test("writes nothing while the store does not answer, and leaves the retry to the queue", async () => {
    const order = shop.store.addOrder({ customer: customerId(), total: 500 });
    shop.store.fail({ kind: "http500", times: 1 });
    await expect(refresh(order)).rejects.toThrow(UnknownOutcomeError);
    expect(await rows()).toEqual([]);
    expect(await refresh(order)).toBe("done");
    expect(await rows()).toHaveLength(1);
  });
});

test("a return that moves no money is no refund: the order stays paid, and counts as before", async () => {
  const id = await subscribed(shop);
  const order = await soldFor(id);
  await refresh(order);
  await shop.store.webhooks();
  shop.store.returnItems(order);
  expect((await shop.store.webhooks()).map(({ topic }) => topic)).toContain("refunds/create");
  await refresh(order);
  expect(await rows()).toMatchObject([{ status: "PAID", refunded_amount: 0 }]);
  expect(await actionsLogged("order")).toEqual(["order_placed"]);
  expect(await revenueOf(id)).toBe(24.9);
});

describe("at the same time", () => {
  test("repeated refreshes of one order write one row and one entry, and count it once", async () => {
    const id = await subscribed(shop);
    const order = await soldFor(id);
    await Promise.all([1, 2, 3, 4].map(() => refresh(order)));
    expect(await rows()).toHaveLength(1);
    expect(await actionsLogged("order")).toEqual(["order_placed"]);
    expect(await revenueOf(id)).toBe(24.9);
    shop.store.refund(order, 490);
    await Promise.all([1, 2, 3, 4].map(() => refresh(order)));
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_refunded"]);
    expect(await revenueOf(id)).toBe(20);
  });

  test("orders of one subscription: each counts", async () => {
    const id = await subscribed(shop);
    const all = await Promise.all([1, 2, 3].map(() => soldFor(id)));
    await Promise.all(all.map(refresh));
    expect(await revenueOf(id)).toBe(74.7);
  });

  test("an older answer that arrives later does not undo a newer one", async () => {
    const order = shop.store.addOrder({ customer: customerId(), total: 500 });
    await refresh(order);
    shop.store.refund(order, 100);
    const slow = await systemOf(shop);
    let asked = 0;
    const findOrder = async (id: string) => {
      const answer = await slow.store.records!.findOrder(id);
      if (asked++ === 0) {
        shop.store.refund(order, 100);
        await refresh(order);
      }
      return answer;
    };
    const store = { ...slow.store, records: { ...slow.store.records!, findOrder } };
    await refreshOrder({ ...slow, store }, order);
    expect(asked).toBe(2);
    expect(await rows()).toMatchObject([{ refunded_amount: 200, revision: 2 }]);
  });
});

test("another account's order, subscription and customer with the same ids do not change", async () => {
  const id = await subscribed(shop);
  const order = await soldFor(id);
  const other = await openTenant({ currency: "EUR" });
  const theirs = await profile(other, { store_customer_id: plain(customerId()) });
  const { store_contract_id } = await read(shop.merchant, id);
  await put("subscriptions", [subscriptionOf(other, theirs.id, { store_contract_id, total_revenue: 7 })]);
  await put("orders", [orderOf(other, { store_order_id: order, status: "PENDING" })]);
  const ofOthers = () =>
    Promise.all(
      ["orders", "subscriptions", "order_subscriptions", "activity_logs"].map((table) =>
        select(
          `SELECT * FROM ${table} WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)`,
          other.account.id,
        ),
      ),
    );
  const before = await ofOthers();
  await refresh(order);
  shop.store.refund(order, 100);
  await refresh(order);
  expect(await ofOthers()).toEqual(before);
  expect(await rows()).toMatchObject([{ profile_id: shop.profileId, refunded_amount: 100 }]);
});
