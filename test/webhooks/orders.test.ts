import { describe, expect, test } from "vitest";
import { settleReview } from "../../src/billing/actions/review.ts";
import type { Outcome } from "../../src/job.ts";
import { UnknownOutcomeError } from "../../src/store/port.ts";
import { refreshOrder } from "../../src/store-sync/orders.ts";
import { contractOf } from "../shopify/mirrored.ts";
import { subscribed, useShop } from "../shopify/shop.ts";
import { execute, select } from "../support/database.ts";
import { actionsOf, feedOf, type Json, read } from "../support/lives.ts";
import { attemptsOf, ordersOf, shipNow } from "../support/machine.ts";
import { orderOf, put, subscriptionOf } from "../support/records.ts";
import { profile, tenant } from "../support/tenant.ts";
import { historyOf, type Logged, orderShown, systemOf } from "./refreshing.ts";

const shop = useShop();

const refresh = async (id: string): Promise<Outcome> => refreshOrder(await systemOf(shop), id);
const rows = (): Promise<Json[]> =>
  select("SELECT * FROM orders WHERE account_id = ? ORDER BY id", shop.own.of.account.id);
const customerId = (): string => shop.store.method(shop.card).customer.id;
const actionsLogged = async (type: "order" | "subscription"): Promise<string[]> =>
  (await historyOf(shop, type)).map(({ action }) => action);
const revenueOf = async (id: string): Promise<number> => (await read(shop.own, id)).total_revenue;

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
  await shipNow(shop.own, shop.worker, id);
  await shop.worker.drain();
  return { id, order: shop.store.charges.at(-1)!.order! };
};

/** A subscription that the store has charged without our knowledge: its attempt is under review. */
const underReview = async (): Promise<{ id: string; attemptId: string; order: string }> => {
  const { id, order } = await billed();
  const [attempt] = await attemptsOf(shop.own, id);
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
  await execute("DELETE FROM activity_logs WHERE account_id = ?", shop.own.of.account.id);
  return { id, attemptId: attempt.id, order };
};

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
      store_order_id: order,
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
        metadata: { store_order_id: order },
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

  test("belongs to a customer stored by number alone; orders of a stranger and of a guest belong to nobody", async () => {
    const another = shop.store.addCustomer();
    const { id } = await profile(shop.own.of, { store_customer_id: another.split("/").at(-1)! });
    const deleted = shop.store.addCustomer();
    await profile(shop.own.of, { store_customer_id: deleted, deleted_at: "2026-01-01T00:00:00.000Z" });
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
    expect(await read(shop.own, id)).toMatchObject({ total_revenue: 24.9, last_order: shown.id });
    expect(await historyOf(shop, "order")).toMatchObject([
      { action: "order_placed", loggable_id: shown.id, subscription_id: id, actor_type: "system" },
    ]);
    expect((await feedOf(shop.own, id)).map(({ action }: Json) => action)).not.toContain("order_placed");
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
    expect((await read(shop.own, id)).last_order).toBe((await orderShown(shop, recent)).id);
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

  test("in another currency than the account's is not recorded, and its id is logged", async () => {
    const order = shop.store.addOrder({ customer: customerId(), total: 500 });
    const logged: Logged = [];
    const ctx = await systemOf(shop, logged);
    const account = { ...ctx.account, currency_code: "USD" };
    expect(await refreshOrder({ ...ctx, account }, order)).toBe("done");
    expect(await rows()).toEqual([]);
    expect(logged).toEqual([["order_in_other_currency", { store_order_id: order }]]);
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
    const { body } = await shop.worker.call(shop.own.admin, "GET", "/api/subscriptions/orders", {
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
    const { store_contract_id } = await read(shop.own, id);
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
    expect(await read(shop.own, id)).toMatchObject({
      total_revenue: 24.9,
      last_order: (await orderShown(shop, order)).id,
    });
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_updated"]);
    await refresh(order);
    expect(await actionsLogged("order")).toHaveLength(2);
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

describe("while a charge is in progress", () => {
  /** A charge that the store has made, and has not been asked about since. */
  const charged = async (): Promise<{ id: string; order: string; attemptId: string }> => {
    const id = await subscribed(shop);
    const { body } = await shipNow(shop.own, shop.worker, id);
    await shop.worker.drain({ soon: false });
    shop.store.settle();
    return { id, order: shop.store.charges[0]!.order!, attemptId: body.billing_attempt_id };
  };

  test("its order waits until the store is asked about the charge, and billing records it", async () => {
    const { id, order, attemptId } = await charged();
    shop.worker.forget();
    expect(await refresh(order)).toBe("later");
    expect(shop.worker.sent()).toContainEqual({
      type: "charge",
      account_id: shop.own.of.account.id,
      attempt_id: attemptId,
    });
    expect(await rows()).toEqual([]);
    await shop.worker.drain();
    expect(await ordersOf(shop.own, id)).toMatchObject([{ store_order_id: order, total: 24.9 }]);
    expect(await refresh(order)).toBe("done");
    expect(await actionsLogged("order")).toEqual(["order_placed"]);
    expect(await revenueOf(id)).toBe(24.9);
  });

  test("an order of the checkout does not wait", async () => {
    const { id } = await charged();
    const order = await soldFor(id);
    expect(await refresh(order)).toBe("done");
    expect(await orderShown(shop, order)).toMatchObject({ subscriptions: [{ id }] });
    await shop.worker.drain();
    expect(await ordersOf(shop.own, id)).toHaveLength(2);
    expect(await revenueOf(id)).toBe(49.8);
  });

  test.each([1, 2, 3, 4])(
    "the charge is recorded at the same time: one order, counted once (%i)",
    async (nth) => {
      const { id, order } = await charged();
      const work = [() => shop.worker.drain(), () => refresh(order), () => refresh(order)];
      const turned = [...work.slice(nth % 3), ...work.slice(0, nth % 3)];
      await Promise.all(turned.map((act) => act()));
      await shop.worker.drain();
      expect(await refresh(order)).toBe("done");
      expect(await ordersOf(shop.own, id)).toHaveLength(1);
      expect(await attemptsOf(shop.own, id)).toMatchObject([{ status: "SUCCEEDED" }]);
      expect(await revenueOf(id)).toBe(24.9);
      expect(await actionsLogged("order")).toEqual(["order_placed"]);
    },
  );
});

describe("an order that was recorded before its charge was known", () => {
  const settle = async (attemptId: string, order: string) =>
    settleReview(await systemOf(shop), attemptId, order);

  test.each(["by its id", "by its number"])(
    "becomes the order of the charge, named %s, and counts once",
    async (how) => {
      const { id, attemptId, order } = await underReview();
      expect(await refresh(order)).toBe("done");
      expect(await revenueOf(id)).toBe(24.9);
      const before = await orderShown(shop, order);
      const named = how === "by its number" ? order.split("/").at(-1)! : order;
      expect(await settle(attemptId, named)).toMatchObject({ status: "SUCCEEDED", order_id: before.id });
      expect(await read(shop.own, id)).toMatchObject({
        total_revenue: 24.9,
        current_billing_cycle: 2,
        last_order: before.id,
      });
      const after = await orderShown(shop, order);
      expect(after).toMatchObject({ id: before.id, store_order_id: order, total: 24.9, subtotal: 20 });
      expect(after.delivery_date).not.toBeNull();
      expect(after.billing_date).not.toBeNull();
      expect((await rows()).map((row) => row.billing_attempt_id)).toEqual([attemptId]);
      expect(await actionsLogged("order")).toEqual(["order_placed", "order_updated"]);
      expect(await actionsLogged("subscription")).toEqual(["billing_succeeded"]);
      await refresh(order);
      expect(await actionsLogged("order")).toHaveLength(2);
    },
  );

  test("later changes remain: it is fulfilled, and refunded in part", async () => {
    const { id, attemptId, order } = await underReview();
    shop.store.fulfill(order);
    shop.store.refund(order, 490);
    await refresh(order);
    await settle(attemptId, order);
    expect(await orderShown(shop, order)).toMatchObject({
      status: "PARTIALLY_REFUNDED",
      fulfillment_status: "FULFILLED",
    });
    expect(await revenueOf(id)).toBe(20);
  });

  test("recorded unpaid and without a customer, it is now paid and belongs to the subscription", async () => {
    const { id, attemptId, order } = await underReview();
    shop.store.order(order).isPaid = false;
    await execute("UPDATE subscriptions SET store_contract_id = store_contract_id + 1 WHERE id = ?", id);
    await refresh(order);
    expect(await orderShown(shop, order)).toMatchObject({ status: "PENDING", subscriptions: [] });
    await settle(attemptId, order);
    expect(await orderShown(shop, order)).toMatchObject({ status: "PAID", subscriptions: [{ id }] });
    expect(await revenueOf(id)).toBe(24.9);
  });

  test("the review is settled while its webhook arrives: one order, counted once", async () => {
    const { id, attemptId, order } = await underReview();
    await Promise.all([refresh(order), settle(attemptId, order), refresh(order)]);
    expect(await rows()).toMatchObject([{ billing_attempt_id: attemptId }]);
    expect(await attemptsOf(shop.own, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await revenueOf(id)).toBe(24.9);
  });

  test.each(["another charge's", "another subscription's"])("%s order is not claimed", async (whose) => {
    const { id, attemptId } = await underReview();
    const other = whose === "another charge's" ? await billed() : { id: await subscribed(shop), order: "" };
    const order = other.order || (await soldFor(other.id));
    await refresh(order);
    expect(await settle(attemptId, order)).toMatchObject({ status: "REVIEW", error_code: "order_taken" });
    expect((await orderShown(shop, order)).subscriptions).toMatchObject([{ id: other.id }]);
    expect([await revenueOf(id), await revenueOf(other.id)]).toEqual([0, 24.9]);
  });
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
  const other = await tenant({ currency: "EUR" });
  const theirs = await profile(other, { store_customer_id: customerId() });
  const { store_contract_id } = await read(shop.own, id);
  await put("subscriptions", [subscriptionOf(other, theirs.id, { store_contract_id, total_revenue: 7 })]);
  await put("orders", [orderOf(other, { store_order_id: order, status: "PENDING" })]);
  const ofOthers = () =>
    Promise.all(
      ["orders", "subscriptions", "order_subscriptions", "activity_logs"].map((table) =>
        select(`SELECT * FROM ${table} WHERE account_id = ?`, other.account.id),
      ),
    );
  const before = await ofOthers();
  await refresh(order);
  shop.store.refund(order, 100);
  await refresh(order);
  expect(await ofOthers()).toEqual(before);
  expect(await rows()).toMatchObject([{ profile_id: shop.profileId, refunded_amount: 100 }]);
});
