/** A return of goods is followed to its end by webhooks, and changes neither money nor revenue. */
import { describe, expect, test } from "vitest";
import { topics } from "../../../src/stores/shopify/topics.ts";
import { contractOf } from "../../stores/shopify/mirrored.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { api } from "../../support/client.ts";
import { type Json, read } from "../../support/shops.ts";
import { expectAllDone, hookedShop, processAll } from "./hooks.ts";
import { historyOf, orderShown } from "./refreshing.ts";
import { storeOrders } from "./store-orders.ts";

const shop = useShop(hookedShop);
const { rows, actionsLogged, revenueOf, soldFor } = storeOrders(shop);

/** A subscription with an order of 24.90 that is known here. */
async function sold(): Promise<{ id: string; order: string }> {
  const id = await subscribed(shop);
  await shop.store.webhooks();
  const order = await soldFor(id);
  await processAll(shop);
  return { id, order };
}

/** The events of the account's feed about its orders, oldest first. */
async function eventsOfOrders(): Promise<Json[]> {
  const query = { types: "order.*", limit: "100" };
  return (await api(shop.merchant.admin, "GET", "/api/events", { query })).body.data;
}

describe("a return of an order's goods", () => {
  test("is followed from its request to its end by webhooks, and changes neither money nor revenue", async () => {
    const { id, order } = await sold();
    const shown: unknown[] = [];
    for (const step of ["request", "approve", "close"] as const) {
      shop.store.return(order, step);
      await processAll(shop);
      const { status, return_status } = await orderShown(shop, order);
      shown.push([status, return_status, await revenueOf(id)]);
    }
    expect(shown).toEqual([
      ["PAID", "RETURN_REQUESTED", 24.9],
      ["PAID", "IN_PROGRESS", 24.9],
      ["PAID", "RETURNED", 24.9],
    ]);
    await expectAllDone(shop);
    expect(await rows()).toMatchObject([{ return_status: "RETURNED", refunded_amount: 0 }]);
    expect(await actionsLogged("order")).toEqual([
      "order_placed",
      "order_updated",
      "order_updated",
      "order_returned",
    ]);
    const last = (await historyOf(shop, "order")).at(-1);
    expect([last?.changes, last?.metadata]).toEqual([
      { return_status: { from: "IN_PROGRESS", to: "RETURNED" } },
      { store_order_id: (await rows())[0].store_order_id },
    ]);
  });

  test("is an event of its own type", async () => {
    const { order } = await sold();
    shop.store.return(order, "approve");
    shop.store.return(order, "close");
    await processAll(shop);
    const { id } = await orderShown(shop, order);
    expect((await eventsOfOrders()).map(({ type, order_id }) => [type, order_id])).toEqual([
      ["order.placed", id],
      ["order.returned", id],
    ]);
  });

  test("is apart from the refund that pays for it, in either order", async () => {
    const { id, order } = await sold();
    shop.store.return(order, "approve");
    shop.store.return(order, "close");
    await processAll(shop);
    shop.store.refund(order, 490);
    await processAll(shop);
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_returned", "order_refunded"]);
    expect(await orderShown(shop, order)).toMatchObject({
      status: "PARTIALLY_REFUNDED",
      return_status: "RETURNED",
    });
    expect(await revenueOf(id)).toBe(20);
    const next = await soldFor(id);
    await processAll(shop);
    shop.store.refund(next, 2490);
    await processAll(shop);
    shop.store.return(next, "approve");
    shop.store.return(next, "close");
    await processAll(shop);
    expect((await actionsLogged("order")).slice(3)).toEqual([
      "order_placed",
      "order_refunded",
      "order_returned",
    ]);
    expect(await orderShown(shop, next)).toMatchObject({ status: "REFUNDED", return_status: "RETURNED" });
    expect(await revenueOf(id)).toBe(20);
  });

  test("and its refund at once are an entry each, in one change", async () => {
    const { order } = await sold();
    shop.store.return(order, "approve");
    shop.store.return(order, "close");
    shop.store.refund(order, 2490);
    await processAll(shop);
    expect((await actionsLogged("order")).slice(1).toSorted()).toEqual(["order_refunded", "order_returned"]);
    expect((await rows())[0].revision).toBe(2);
  });

  test("is there for a refund without one, too: none", async () => {
    const { order } = await sold();
    shop.store.refund(order, 490);
    await processAll(shop);
    expect(await orderShown(shop, order)).toMatchObject({
      status: "PARTIALLY_REFUNDED",
      return_status: null,
    });
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_refunded"]);
  });

  test.each(["decline", "cancel"] as const)(
    "that comes to nothing (%s) is no return any more",
    async (end) => {
      const { order } = await sold();
      shop.store.return(order, "request");
      await processAll(shop);
      shop.store.return(order, end);
      await processAll(shop);
      expect((await orderShown(shop, order)).return_status).toBeNull();
      expect(await actionsLogged("order")).not.toContain("order_returned");
    },
  );

  test("that is reopened and closed again is returned twice, as at the store", async () => {
    const { order } = await sold();
    shop.store.return(order, "approve");
    for (const step of ["close", "reopen", "close"] as const) {
      shop.store.return(order, step);
      await processAll(shop);
    }
    expect((await actionsLogged("order")).slice(1)).toEqual([
      "order_returned",
      "order_updated",
      "order_returned",
    ]);
  });

  test("is found once, however often its webhook comes, and in whichever order", async () => {
    const { order } = await sold();
    for (const step of ["request", "approve", "close"] as const) shop.store.return(order, step);
    const hooks = await processAll(shop, (all) => [...all.toReversed()]);
    expect(hooks.map(({ topic }) => topic)).toEqual(["returns/close", "returns/approve", "returns/request"]);
    expect(await actionsLogged("order")).toEqual(["order_placed", "order_returned"]);
  });

  test("is found with the order's next change where the app has no webhooks of returns", async () => {
    const { order } = await sold();
    shop.store.return(order, "approve");
    shop.store.return(order, "close");
    await shop.store.webhooks();
    expect((await orderShown(shop, order)).return_status).toBeNull();
    shop.store.fulfill(order);
    await processAll(shop);
    expect((await orderShown(shop, order)).return_status).toBe("RETURNED");
  });

  test("of an order that was billed here is shown as any other", async () => {
    const { id, order } = await storeOrders(shop).billed();
    await processAll(shop);
    expect((await contractOf(shop, id)).id).toBeDefined();
    expect((await orderShown(shop, order)).return_status).toBeNull();
    shop.store.return(order, "approve");
    shop.store.return(order, "close");
    await processAll(shop);
    expect(await orderShown(shop, order)).toMatchObject({ status: "PAID", return_status: "RETURNED" });
    expect((await read(shop.merchant, id)).total_revenue).toBe(24.9);
  });
});

test("no topic of returns is one that a connection depends on", () => {
  const ofReturns = [...topics].filter(([name]) => name.startsWith("returns/"));
  expect(ofReturns.map(([name, { kind, isRequired }]) => [name, kind, isRequired])).toEqual(
    ["request", "approve", "decline", "cancel", "close", "reopen"].map((step) => [
      `returns/${step}`,
      "order",
      undefined,
    ]),
  );
});
