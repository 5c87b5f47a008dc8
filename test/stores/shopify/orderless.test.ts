/** A charge whose order Shopify does not show is recorded from the attempt, and its cycle is never charged again. */
import { beforeEach, describe, expect, test } from "vitest";
import { connect, hookedShop, logged, processAll } from "../../edges/webhooks/hooks.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { actionsOf, entriesOf, read } from "../../support/shops.ts";
import { attemptsOf, ordersOf, setClock, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";

/** Shopify has charged, and its order is deleted, may not be read, or has another total: nothing waits for ever. */

const shop = useShop(hookedShop);
const minuteMs = 60_000;
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
  await shop.store.webhooks();
});

function attempts() {
  return attemptsOf(shop.merchant, id);
}

function orders() {
  return ordersOf(shop.merchant, id);
}

/** Minutes pass, with a tick in each third. */
async function pass(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 3) {
    setClock(Date.now() + 3 * minuteMs);
    await shop.worker.tick();
  }
}

async function charged(): Promise<void> {
  const { status, text } = await shipNow(shop.merchant, shop.worker, id);
  if (status !== 200) throw new Error(text);
  await shop.worker.drain({ soon: false });
}

describe("an order that was deleted before it was read", () => {
  const deleted = async (): Promise<void> => {
    shop.store.nextOutcomes(outcomes.slow());
    await charged();
    shop.store.settle();
    shop.store.orders[0]!.isDeleted = true;
    await shop.store.webhooks();
  };

  test("is recorded from the attempt within half an hour, with what was paid; the cycle is never charged again", async () => {
    shop.store.settings.taxesIncluded = false;
    shop.store.settings.taxRate = 0.1;
    await deleted();
    const lines = await logged(() => pass(30));
    expect(shop.store.charges).toMatchObject([{ amount: 2739 }]);
    expect(await attempts()).toMatchObject([{ status: "SUCCEEDED", amount: 24.9, attempt_number: 1 }]);
    expect(await orders()).toMatchObject([
      { status: "PAID", total: 27.39, store_order_id: shop.store.attempts[0]!.id },
    ]);
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "ACTIVE",
      current_billing_cycle: 2,
      total_revenue: 27.39,
      billing_blocked_reason: null,
      is_in_dunning: false,
    });
    expect(await actionsOf(id)).toContain("billing_succeeded");
    expect(lines).toContainEqual(expect.objectContaining({ event: "charge_without_order", alert: true }));
    await pass(60);
    expect(shop.store.charges).toHaveLength(1);
    expect(await orders()).toHaveLength(1);
  });

  test("that appears after all is the same order, with its own id and total", async () => {
    await deleted();
    await pass(30);
    expect(await orders()).toHaveLength(1);
    const order = shop.store.orders[0]!;
    order.isDeleted = false;
    shop.store.fulfill(order.id);
    await processAll(shop);
    await shop.worker.drain();
    expect(await orders()).toMatchObject([
      { store_order_id: plain(order.id), store_order_number: order.name, fulfillment_status: "FULFILLED" },
    ]);
    expect((await read(shop.merchant, id)).total_revenue).toBe(24.9);
  });

  test("another order of the same contract is not taken for it", async () => {
    await deleted();
    await pass(30);
    const other = shop.store.addOrder({
      total: 500,
      sourceName: "subscription_contract",
      contracts: [shop.store.contracts()[0]!.number],
    });
    await processAll(shop);
    await shop.worker.drain();
    const ids = (await orders()).map(({ store_order_id }) => store_order_id);
    expect(ids.toSorted()).toEqual([shop.store.attempts[0]!.id, plain(other)].toSorted());
  });
});

describe("an app without read_orders", () => {
  const revoke = (): void => {
    const { settings } = shop.store;
    settings.scopes = settings.scopes.filter((scope) => scope !== "read_orders");
  };

  test("records what was charged, once, and says what it may not read", async () => {
    revoke();
    const lines = await logged(async () => {
      await charged();
      await pass(30);
    });
    expect(shop.store.charges).toHaveLength(1);
    expect(await attempts()).toMatchObject([{ status: "SUCCEEDED", amount: 24.9 }]);
    expect(await orders()).toMatchObject([{ total: 24.9, status: "PAID" }]);
    expect(lines).toContainEqual(expect.objectContaining({ event: "store_access_denied", alert: true }));
    await pass(60);
    expect(shop.store.charges).toHaveLength(1);
  });

  test("is not connected: the missing scopes are named", async () => {
    revoke();
    shop.store.settings.scopes = shop.store.settings.scopes.filter((scope) => scope !== "read_discounts");
    await expect(connect(shop)).rejects.toThrow("The app lacks the scopes read_orders, read_discounts");
  });
});

test("whoever may write may read: write_orders is enough", async () => {
  shop.store.settings.scopes = shop.store.settings.scopes.map((scope) =>
    scope === "read_orders" ? "write_orders" : scope,
  );
  await connect(shop);
});

test("duties and fees on top are recorded with the real total, an alert, and the cycle goes on", async () => {
  Object.assign(shop.store.settings, { duties: 310, fees: 190, taxesIncluded: false, taxRate: 0.1 });
  const lines = await logged(async () => {
    await charged();
    await shop.worker.drain();
  });
  expect(shop.store.charges).toMatchObject([{ amount: 3239 }]);
  expect(await attempts()).toMatchObject([{ status: "SUCCEEDED", amount: 24.9, error_code: null }]);
  expect(await orders()).toMatchObject([{ total: 32.39 }]);
  expect(await read(shop.merchant, id)).toMatchObject({
    current_billing_cycle: 2,
    total_revenue: 32.39,
    billing_blocked_reason: null,
  });
  const [entry] = (await entriesOf(id)).filter(({ action }) => action === "billing_succeeded");
  expect(entry!.metadata).toMatchObject({ fees_amount: 5 });
  expect(lines).toContainEqual(
    expect.objectContaining({ event: "charge_with_fees", alert: true, amount: 3239, fees_amount: 500 }),
  );
});
