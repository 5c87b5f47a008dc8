/** An order of which nothing was sent is cancelled once, and is paid back only where that is asked for and allowed. */
import { describe, expect, test } from "vitest";
import { inDays, read } from "../../support/shops.ts";
import { limitedKey, staff } from "../../support/tenant.ts";
import { attemptsOf, later, ordersOf, useShop } from "../../support/worker.ts";
import { expectConflict, orderActions, ownOrders } from "./own-orders.ts";

const { shop, worker } = useShop();
const { call, placed, order, refunds, refund, ledgerOf } = ownOrders(shop, worker);

function cancel(id: string, body: object = {}) {
  return call("POST", id, "/cancel", body);
}

test("an order of which nothing was sent is cancelled once, and its revenue stays what was paid", async () => {
  const { id, subscriptionId } = await placed();
  const once = await cancel(id, { reason: "Ordered twice" });
  expect([once.status, once.body.data]).toMatchObject([200, { status: "CANCELLED", refunded_amount: 0 }]);
  const twice = await cancel(id, { reason: "Ordered three times" });
  expect([twice.status, twice.body]).toEqual([200, once.body]);
  expect(await orderActions(id)).toEqual(["order_placed", "order_cancelled"]);
  expect(await refunds(id)).toEqual([]);
  expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 10 });
});

test("with a refund all that is left is paid back, once, and the order stays cancelled", async () => {
  const { id, subscriptionId } = await placed();
  await refund(id, { amount: 2.5 });
  await worker.drain();
  const once = await cancel(id, { reason: "Ordered twice", refund: true });
  expect([once.status, once.body.data.status]).toEqual([200, "CANCELLED"]);
  expect((await cancel(id, { reason: "Ordered twice", refund: true })).status).toBe(200);
  await worker.drain();
  expect(await refunds(id)).toMatchObject([
    { amount: 7.5, status: "SUCCEEDED", reason: "Ordered twice" },
    { amount: 2.5, status: "SUCCEEDED" },
  ]);
  expect(await order(id)).toMatchObject({ status: "CANCELLED", refunded_amount: 10, total: 10 });
  expect(await ledgerOf(subscriptionId)).toEqual([
    { amount: 250, state: "SUCCEEDED" },
    { amount: 750, state: "SUCCEEDED" },
  ]);
  expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 0 });
  expect((await cancel(id, { refund: true })).status).toBe(200);
  expect(await refunds(id)).toHaveLength(2);
});

test("a refund that was not asked for with the cancellation is not made by asking for it again", async () => {
  const { id, subscriptionId } = await placed();
  await cancel(id);
  expectConflict(await cancel(id, { refund: true }), /without a refund; POST .*refunds/);
  expect(await refunds(id)).toEqual([]);
  expect((await refund(id)).status).toBe(201);
  await worker.drain();
  expect(await order(id)).toMatchObject({ status: "CANCELLED", refunded_amount: 10 });
  expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 0 });
});

test("a refund that fails leaves the order cancelled; the same request once more is 200 and asks for nothing", async () => {
  const { id, subscriptionId } = await placed("pm_refund_fails");
  await cancel(id, { refund: true });
  await worker.drain();
  expect((await cancel(id, { refund: true })).status).toBe(200);
  expect(await refunds(id)).toMatchObject([{ status: "FAILED", amount: 10 }]);
  expect(await order(id)).toMatchObject({ status: "CANCELLED", refunded_amount: 0 });
  expect(await read(shop, subscriptionId)).toMatchObject({ total_revenue: 10 });
});

test.each(["PARTIALLY_FULFILLED", "FULFILLED"])(
  "an order that is %s is refused",
  async (fulfillment_status) => {
    const { id } = await placed();
    await call("PUT", id, "/fulfillment", { fulfillment_status });
    expectConflict(await cancel(id, { refund: true }), new RegExp(fulfillment_status));
    expect(await order(id)).toMatchObject({ status: "PAID" });
    expect(await refunds(id)).toEqual([]);
  },
);

test("a free order is cancelled, also where a refund is asked for: there is nothing to pay back", async () => {
  const { id } = await placed("pm_success", free());
  expect((await cancel(id, { refund: true })).body.data).toMatchObject({ status: "CANCELLED", total: 0 });
  expect(await refunds(id)).toEqual([]);
});

test("the cycle of a cancelled order does not become due again, and the dates stay", async () => {
  const { id, subscriptionId } = await placed("pm_success", { next_delivery_date: inDays(0) });
  const dates = async () => {
    const { next_billing_date, next_delivery_date, current_billing_cycle } = await read(shop, subscriptionId);
    return { next_billing_date, next_delivery_date, current_billing_cycle };
  };
  const before = await dates();
  await cancel(id, { refund: true });
  await worker.drain();
  await later(worker, 3600);
  expect(await dates()).toEqual(before);
  expect(await attemptsOf(shop, subscriptionId)).toHaveLength(1);
  expect(await ordersOf(shop, subscriptionId)).toHaveLength(1);
});

describe("the scopes of a cancellation", () => {
  test("orders:write cancels; with a refund billing:write is needed too, and nothing is cancelled without it", async () => {
    const { id } = await placed();
    const limited = await limitedKey(shop.of, ["orders:read", "orders:write"]);
    const admin = await staff(shop.of, "Ada");
    const as = { credentials: { ...admin.credentials, ...limited.credentials } };
    const refused = await call("POST", id, "/cancel", { refund: true }, { as });
    expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining("billing:write")]);
    expect(await order(id)).toMatchObject({ status: "PAID" });
    expect((await call("POST", id, "/cancel", {}, { as })).status).toBe(200);
  });
});

function free() {
  const line = {
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    product_title: "Sample",
    quantity: 1,
  };
  return { lines: [{ ...line, price: 0, selling_plan_id: shop.plan }] };
}
