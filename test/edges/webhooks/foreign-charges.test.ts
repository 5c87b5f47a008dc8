/** A charge that others made on a contract is never charged again unless a person or the setting decides so. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { deriveStoreKey } from "../../../src/domain/billing/store-key.ts";
import { requestShopify } from "../../../src/stores/shopify/client.ts";
import { createAttempt, readAttempt } from "../../../src/stores/shopify/documents.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { fetchOf } from "../../support/fake-shopify.ts";
import { actionsOf, entriesOf, force, type Json, read, rowOf } from "../../support/shops.ts";
import { attemptsOf, ordersOf } from "../../support/worker.ts";
import { hookedShop, logged, sendAll } from "./hooks.ts";

/** Another installation of this service, or a former script of the same app, charges a contract that is linked to a subscription here. */

const shop = useShop(hookedShop);
const dayMs = 86_400_000;
let id: string;
let start: number;
beforeEach(async () => {
  id = await subscribed(shop);
  await shop.store.webhooks();
  start = Date.now();
});

function onDay(day: number): void {
  vi.useFakeTimers({ now: start + day * dayMs, toFake: ["Date"] });
}

/** Charges the contract under a key of somebody else's; `webhook` says whether the store's webhooks about that come. */
async function chargeAsOther(key = "former script 7", webhook = true): Promise<string> {
  const { settings } = shop.store;
  const connection = { shop: settings.shop, token: settings.token, send: fetchOf(shop.store) };
  const variables = { contract: shop.store.contracts()[0]!.id, attempt: { idempotencyKey: key } };
  const made = await requestShopify<Json>(connection, createAttempt, variables);
  const { id: attempt } = made.subscriptionBillingAttemptCreate.subscriptionBillingAttempt;
  await requestShopify(connection, readAttempt, { id: attempt });
  if (webhook) await sendAll(shop);
  else await shop.store.webhooks();
  await shop.worker.drain();
  return attempt;
}

/** Each day, with its night. */
async function live(from: number, to: number): Promise<void> {
  for (let day = from; day <= to; day++) {
    onDay(day);
    await shop.worker.tick(Date.now(), { reconciles: true });
    await sendAll(shop);
    await shop.worker.drain();
  }
}

function set(on_foreign_charge: string) {
  return shop.worker.call(shop.merchant.api, "PUT", "/api/account", { body: { on_foreign_charge } });
}

function settle(attemptId: string, body: Json) {
  return shop.worker.call(shop.merchant.api, "POST", `/api/billing-attempts/${attemptId}/settle`, { body });
}

function alertsIn(lines: Json[]): Json[] {
  return lines.filter(({ event, alert }) => alert && event === "charged_by_others");
}

describe.each([
  ["by the store's webhook", true],
  ["by the nightly comparison, where the webhook was lost", false],
])("wait, the default: noticed %s", (_how, webhook) => {
  test("the cycle waits for a person, and people are told once", async () => {
    onDay(5);
    let reference = "";
    const lines = await logged(async () => {
      reference = await chargeAsOther("former script 7", webhook);
      await live(6, 12);
    });
    expect(shop.store.charges).toHaveLength(1);
    expect(alertsIn(lines)).toMatchObject([
      {
        account_id: shop.merchant.of.account.id,
        subscription_id: id,
        reference,
        store_order_id: plain(shop.store.charges[0]!.order!),
        handled: "wait",
      },
    ]);
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "ACTIVE",
      billing_blocked_reason: "charged_by_others",
      current_billing_cycle: 1,
      is_in_dunning: false,
    });
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([
      { status: "REVIEW", error_code: "charged_by_others" },
    ]);
    expect((await actionsOf(id)).filter((action) => action === "billing_review_required")).toHaveLength(1);
  });
});

describe("a person decides by settling the attempt", () => {
  async function waiting(): Promise<{ attemptId: string; order: string }> {
    onDay(5);
    await chargeAsOther();
    await live(6, 8);
    const [attempt] = await attemptsOf(shop.merchant, id);
    return { attemptId: attempt.id, order: shop.store.charges[0]!.order! };
  }

  test("charged: it pays the cycle with its own order, and the dates move on", async () => {
    const { attemptId, order } = await waiting();
    const before = await rowOf(id);
    const { status, body } = await settle(attemptId, { charged: true, store_order_id: order });
    expect([status, body.data]).toMatchObject([200, { status: "SUCCEEDED", amount: 24.9 }]);
    expect(await ordersOf(shop.merchant, id)).toMatchObject([{ store_order_id: plain(order), total: 24.9 }]);
    const after = await read(shop.merchant, id);
    expect(after).toMatchObject({
      current_billing_cycle: 2,
      total_revenue: 24.9,
      billing_blocked_reason: null,
    });
    expect(after.next_billing_date > before.next_billing_date!).toBe(true);
    await live(9, 12);
    expect(shop.store.charges).toHaveLength(1);
  });

  test("not charged: the cycle is charged as usual, and nobody is told of that charge again", async () => {
    const { attemptId } = await waiting();
    expect((await settle(attemptId, { charged: false })).status).toBe(200);
    const lines = await logged(() => live(8, 9));
    expect(shop.store.charges).toHaveLength(2);
    expect(alertsIn(lines)).toEqual([]);
    expect((await attemptsOf(shop.merchant, id)).map(({ status }) => status).toSorted()).toEqual([
      "CANCELLED",
      "SUCCEEDED",
    ]);
    expect(await read(shop.merchant, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 49.8 });
  });
});

test("count: the charge is the cycle's payment, and the dates move on", async () => {
  await set("count");
  onDay(5);
  const lines = await logged(async () => {
    await chargeAsOther();
    await live(6, 12);
  });
  expect(alertsIn(lines)).toMatchObject([{ handled: "count" }]);
  expect(shop.store.charges).toHaveLength(1);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED", amount: 24.9 }]);
  expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
  expect(await read(shop.merchant, id)).toMatchObject({
    current_billing_cycle: 2,
    total_revenue: 24.9,
    billing_blocked_reason: null,
  });
});

test("ignore: the cycle is charged as usual, with one alert", async () => {
  await set("ignore");
  onDay(5);
  const lines = await logged(async () => {
    await chargeAsOther();
    await live(6, 8);
  });
  expect(alertsIn(lines)).toMatchObject([{ handled: "ignore" }]);
  expect(shop.store.charges).toHaveLength(2);
  expect(await read(shop.merchant, id)).toMatchObject({ total_revenue: 49.8, billing_blocked_reason: null });
});

test("another installation's keys look like ours: they are somebody else's", async () => {
  onDay(5);
  await chargeAsOther("5e".repeat(20));
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ error_code: "charged_by_others" }]);
});

test("a key that may be of an attempt which a restore has undone is ours: the comparison decides", async () => {
  onDay(5);
  const account_id = shop.merchant.of.account.id;
  const { activation } = await rowOf(id);
  const cycle = { account_id, subscription_id: id, activation, cycle: 1, attempt_number: 2 } as const;
  const lines = await logged(async () => {
    await chargeAsOther(await deriveStoreKey(cycle as Parameters<typeof deriveStoreKey>[0]));
    await shop.worker.tick(Date.now(), { reconciles: true });
  });
  expect(alertsIn(lines)).toEqual([]);
  expect(await attemptsOf(shop.merchant, id)).toEqual([]);
});

test("a subscription that was cancelled has nothing to wait with: an alert, and nothing else", async () => {
  const { status } = await shop.worker.call(shop.merchant.api, "POST", `/api/subscriptions/${id}/cancel`, {
    body: {},
  });
  expect(status).toBe(200);
  const lines = await logged(() => chargeAsOther());
  expect(alertsIn(lines)).toMatchObject([{ handled: "ignore" }]);
  expect(await read(shop.merchant, id)).toMatchObject({
    status: "CANCELLED",
    billing_blocked_reason: null,
  });
});

test.each([
  ["has expired", { status: "EXPIRED", next_billing_date: null, next_delivery_date: null }, "EXPIRED"],
  [
    "delivers what its last billing paid for",
    { max_cycles: 1, current_billing_cycle: 2, next_billed_index: 1, next_billing_date: null },
    "ACTIVE",
  ],
] as const)(
  "a subscription that %s has no cycle that the charge could pay: an alert, and nothing waits for a person",
  async (_, state, status) => {
    await force(id, state);
    const lines = await logged(() => chargeAsOther());
    expect(alertsIn(lines)).toMatchObject([{ handled: "ignore" }]);
    expect(await read(shop.merchant, id)).toMatchObject({ status, billing_blocked_reason: null });
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([
      { status: "CANCELLED", error_code: "charged_by_others" },
    ]);
    expect(await actionsOf(id)).not.toContain("billing_review_required");
  },
);

test("ship-now while the cycle waits answers the attempt under review, and charges nothing", async () => {
  onDay(5);
  await chargeAsOther();
  const path = `/api/subscriptions/${id}/ship-now`;
  const { status, body } = await shop.worker.call(shop.merchant.api, "POST", path, { body: {} });
  await shop.worker.drain();
  expect([status, body.status ?? body.errorCode]).toEqual([200, "REVIEW"]);
  expect(shop.store.charges).toHaveLength(1);
  expect((await entriesOf(id)).at(-1)).toMatchObject({
    action: "billing_review_required",
    metadata: { error_code: "charged_by_others" },
  });
});
