/** An order and its charge become one order, counted once, whichever is known first. */
import { describe, expect, test } from "vitest";
import { settleReview } from "../../../src/domain/billing/actions/review.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { execute } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { read } from "../../support/shops.ts";
import { attemptsOf, ordersOf, shipNow } from "../../support/worker.ts";
import { orderShown, systemOf } from "./refreshing.ts";
import { storeOrders } from "./store-orders.ts";

const shop = useShop();
const { refresh, rows, actionsLogged, revenueOf, soldFor, billed, underReview } = storeOrders(shop);

describe("while a charge is in progress", () => {
  /** A charge that the store has made, and has not been asked about since. */
  const charged = async (): Promise<{ id: string; order: string; attemptId: string }> => {
    const id = await subscribed(shop);
    const { body } = await shipNow(shop.merchant, shop.worker, id);
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
      account_id: shop.merchant.of.account.id,
      attempt_id: attemptId,
      subscription_id: id,
    });
    expect(await rows()).toEqual([]);
    await shop.worker.drain();
    expect(await ordersOf(shop.merchant, id)).toMatchObject([{ store_order_id: plain(order), total: 24.9 }]);
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
    expect(await ordersOf(shop.merchant, id)).toHaveLength(2);
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
      expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
      expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
      expect(await revenueOf(id)).toBe(24.9);
      expect(await actionsLogged("order")).toEqual(["order_placed"]);
    },
  );
});

describe("an order that was recorded before its charge was known", () => {
  const settle = async (attemptId: string, order: string, amount?: number) => {
    const { settled } = await settleReview(await systemOf(shop), {
      id: attemptId,
      request: { charged: true, store_order_id: order, ...(amount === undefined ? {} : { amount }) },
    });
    return settled;
  };

  test.each(["by its id", "by its number"])(
    "becomes the order of the charge, named %s, and counts once",
    async (how) => {
      const { id, attemptId, order } = await underReview();
      expect(await refresh(order)).toBe("done");
      expect(await revenueOf(id)).toBe(24.9);
      const before = await orderShown(shop, order);
      const named = how === "by its number" ? order.split("/").at(-1)! : order;
      expect(await settle(attemptId, named)).toMatchObject({ status: "SUCCEEDED", order_id: before.id });
      expect(await read(shop.merchant, id)).toMatchObject({
        total_revenue: 24.9,
        current_billing_cycle: 2,
        last_order: before.id,
      });
      const after = await orderShown(shop, order);
      expect(after).toMatchObject({ id: before.id, store_order_id: plain(order), total: 24.9, subtotal: 20 });
      expect(after.delivery_date).not.toBeNull();
      expect(after.billing_date).not.toBeNull();
      expect((await rows()).map((row) => row.billing_attempt_id)).toEqual([attemptId]);
      expect(await actionsLogged("order")).toEqual(["order_placed", "order_updated"]);
      expect(await actionsLogged("subscription")).toEqual(["billing_succeeded"]);
      await refresh(order);
      expect(await actionsLogged("order")).toHaveLength(2);
    },
  );

  test("an order that the store does not have is refused", async () => {
    const { id, attemptId } = await underReview();
    await expect(settle(attemptId, "gid://shopify/Order/999999")).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      details: [{ path: "store_order_id" }],
    });
    expect((await attemptsOf(shop.merchant, id))[0]).toMatchObject({ status: "REVIEW" });
  });

  test("an order that the store made apart from the charge is recorded with its own total", async () => {
    const { id, attemptId } = await underReview();
    const order = await soldFor(id, { total: 3000 });
    expect(await settle(attemptId, order)).toMatchObject({ status: "SUCCEEDED", amount: 3000 });
    expect(await revenueOf(id)).toBe(30);
  });

  test("the amount that a person states is recorded as it is, though the store has added taxes", async () => {
    Object.assign(shop.store.settings, { taxesIncluded: false, taxRate: 0.1 });
    const { attemptId, order } = await underReview();
    expect(shop.store.charges).toMatchObject([{ amount: 2739 }]);
    expect(await settle(attemptId, order, 24.5)).toMatchObject({ status: "SUCCEEDED", amount: 2450 });
  });

  test("a store that does not answer is no reason to wait: the frozen amount is recorded", async () => {
    const { id, attemptId, order } = await underReview();
    shop.store.fail({ kind: "network", effect: "none" });
    expect(await settle(attemptId, order)).toMatchObject({ status: "SUCCEEDED", amount: 2490 });
    expect(await revenueOf(id)).toBe(24.9);
  });

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
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await revenueOf(id)).toBe(24.9);
  });

  test("the order of an earlier charge of the subscription is not claimed again", async () => {
    const { id, order } = await billed();
    await execute("UPDATE billing_attempts SET created_at = '2026-01-01', requested_at = '2026-01-01'");
    const { body } = await shipNow(shop.merchant, shop.worker, id, { allow_repeat: true });
    shop.worker.forget();
    await execute(
      "UPDATE billing_attempts SET status = 'REVIEW', claims = 1 WHERE id = ?",
      body.billing_attempt_id,
    );
    await expect(settle(body.billing_attempt_id, order)).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect((await attemptsOf(shop.merchant, id))[0]).toMatchObject({ status: "REVIEW" });
    expect(await revenueOf(id)).toBe(24.9);
  });

  test.each(["another charge's", "another subscription's"])("%s order is not claimed", async (whose) => {
    const { id, attemptId } = await underReview();
    const other = whose === "another charge's" ? await billed() : { id: await subscribed(shop), order: "" };
    const order = other.order || (await soldFor(other.id));
    await refresh(order);
    await expect(settle(attemptId, order)).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect((await attemptsOf(shop.merchant, id))[0]).toMatchObject({ status: "REVIEW" });
    expect((await orderShown(shop, order)).subscriptions).toMatchObject([{ id: other.id }]);
    expect([await revenueOf(id), await revenueOf(other.id)]).toEqual([0, 24.9]);
  });
});
