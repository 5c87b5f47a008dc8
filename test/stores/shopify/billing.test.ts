/** A subscription is charged at Shopify once and recorded once, whatever answer is missing. */
import { describe, expect, test, vi } from "vitest";
import { plain } from "../../support/fake-shopify/ids.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { logged } from "../../support/jobs.ts";
import { entriesOf, read } from "../../support/shops.ts";
import { attemptsOf, ordersOf, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";

const shop = useShop();

/** Ships now, and does all that follows, the waiting too. */
async function shipped(id: string): Promise<void> {
  const { status, text } = await shipNow(shop.merchant, shop.worker, id);
  if (status !== 200) throw new Error(text);
  await shop.worker.drain();
}

test("a subscription has one contract at the store: its lines, delivery and payment method", async () => {
  const id = await subscribed(shop);
  const { store_contract_id } = await read(shop.merchant, id);
  const [contract, ...others] = shop.store.contracts();
  expect(others).toEqual([]);
  expect(contract!.id).toBe(`gid://shopify/SubscriptionContract/${store_contract_id}`);
});

test("ship-now creates an attempt at the store, reads it until it is settled, and records its order", async () => {
  const id = await subscribed(shop);
  await shipped(id);
  expect(shop.store.charges).toMatchObject([{ amount: 2490, currency: "EUR" }]);
  const [attempt] = await attemptsOf(shop.merchant, id);
  expect(attempt).toMatchObject({ status: "SUCCEEDED", amount: 24.9 });
  expect(await ordersOf(shop.merchant, id)).toMatchObject([
    { store_order_id: plain(shop.store.charges[0]!.order!), total: 24.9, status: "PAID" },
  ]);
  expect(await read(shop.merchant, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 24.9 });
});

describe.each(["none", "done", "late"] as const)("a missing answer, its effect %s", (effect) => {
  test.each(["network", "http500", "malformed"] as const)("%s: charged once, recorded once", async (kind) => {
    const id = await subscribed(shop);
    shop.store.fail({ kind, effect, times: 1, on: "CreateAttempt" });
    await shipped(id);
    shop.store.arriveLate();
    await shop.worker.drain();
    expect(shop.store.charges).toHaveLength(1);
    expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  });

  test("of the contract's creation: one contract", async () => {
    shop.store.fail({ kind: "network", effect, times: 1, on: "CreateContract" });
    await subscribed(shop).catch(() => undefined);
    shop.store.arriveLate();
    expect(shop.store.contracts().length).toBeLessThanOrEqual(1);
  });
});

test("throttled: nothing is done, and the request is repeated", async () => {
  const id = await subscribed(shop);
  shop.store.fail({ kind: "http429", effect: "none", times: 2 });
  await shipped(id);
  expect(shop.store.charges).toHaveLength(1);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
});

test("a contract that is edited before its charge: what was charged is recorded, with an alert, and the cycle goes on", async () => {
  const id = await subscribed(shop);
  shop.store.nextOutcomes(outcomes.slow());
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain({ soon: false });
  shop.store.contracts()[0]!.lines[0]!.price = 1200;
  shop.store.settle();
  const lines = await logged(() => shop.worker.drain());
  const [attempt] = await attemptsOf(shop.merchant, id);
  expect(attempt).toMatchObject({ status: "SUCCEEDED", amount: 28.9, error_code: null });
  expect(await ordersOf(shop.merchant, id)).toMatchObject([{ total: 28.9 }]);
  expect(await read(shop.merchant, id)).toMatchObject({
    current_billing_cycle: 2,
    total_revenue: 28.9,
    billing_blocked_reason: null,
  });
  const [entry] = (await entriesOf(id)).filter(({ action }) => action === "billing_succeeded");
  expect(entry!.metadata).toMatchObject({
    amount: 28.9,
    requested_amount: 24.9,
    contract_differs: ["lines"],
  });
  expect(lines).toContainEqual(
    expect.objectContaining({
      event: "charged_another_amount",
      alert: true,
      subscription_id: id,
      attempt_id: attempt.id,
      amount: 2890,
      requested_amount: 2490,
      contract_differs: ["lines"],
    }),
  );
  expect(shop.store.contracts()[0]!.lines).toMatchObject([{ price: 1000 }]);
});

test("another amount is recorded, too, where the store does not say what of the contract differs", async () => {
  const id = await subscribed(shop);
  shop.store.nextOutcomes(outcomes.slow());
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain({ soon: false });
  shop.store.contracts()[0]!.lines[0]!.price = 1200;
  shop.store.settle();
  shop.store.fail({ kind: "http500", times: 1, on: "Contract" });
  await shop.worker.drain();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", amount: 28.9 }]);
});

test("the last request before a charge reads the contract, also one that has to be changed or activated first", async () => {
  const id = await subscribed(shop);
  await shop.worker.call(shop.merchant.api, "PUT", `/api/subscriptions/${id}`, { body: { note: "New" } });
  Object.assign(shop.store.contracts()[0]!, { status: "FAILED", deliveryPrice: 1 });
  await shipped(id);
  const operations = shop.store.requests.map(({ operation }) => operation);
  expect(operations).toContain("ActivateContract");
  expect(operations).toContain("CommitDraft");
  expect(operations[operations.indexOf("CreateAttempt") - 1]).toBe("Contract");
  expect(shop.store.charges).toMatchObject([{ amount: 2490 }]);
});

describe("a success whose order the store does not show yet", () => {
  const hidden = async (): Promise<string> => {
    const id = await subscribed(shop);
    shop.store.nextOutcomes(outcomes.slow());
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain({ soon: false });
    shop.store.settle();
    shop.store.orders[0]!.isDeleted = true;
    return id;
  };

  test("is pending until it does: charged once, one order", async () => {
    const id = await hidden();
    await shop.worker.drain({ soon: false });
    await shop.worker.tick(Date.now() + 120_000);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "PROCESSING" }]);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: false });
    shop.store.orders[0]!.isDeleted = false;
    vi.useFakeTimers({ now: Date.now() + 600_000, toFake: ["Date"] });
    await shop.worker.tick();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", attempt_number: 1 }]);
    expect(shop.store.charges).toHaveLength(1);
    vi.useRealTimers();
    expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
  });
});
