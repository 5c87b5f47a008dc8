/** A fault of the merchant or of the store is a wait that is never counted against the customer. */
import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { chargeLater } from "../../../src/domain/billing/actions/wait.ts";
import type { BillingAttempt } from "../../../src/domain/billing/tables.ts";
import { api } from "../../support/client.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select, testDb } from "../../support/database.ts";
import {
  actionsOf,
  done,
  entriesOf,
  feedOf,
  inDays,
  on,
  openShop,
  read,
  rowOf,
  type Shop,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  clockOf,
  deliveriesOf,
  episodesOf,
  linked,
  ordersOf,
  shipNow,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
  worker.forget();
});

function withMethod(store_payment_method_id: string, more: object = {}) {
  return linked(shop, worker, { store_payment_method_id, ...more });
}

/** The cause is over: the same card is accepted from now on. */
function cured(as = `pm_${newId()}`) {
  return execute(
    "UPDATE payment_methods SET store_payment_method_id = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    as,
    shop.of.account.id,
  );
}

async function set(settings: object): Promise<void> {
  const { status, text } = await api(shop.api, "PUT", "/api/account", { body: settings });
  if (status !== 200) throw new Error(text);
}

function hours(n: number) {
  return n / 24;
}

function retry(id: string) {
  return worker.call(shop.api, "POST", on(id, "retry-payment"));
}

describe("a payment provider that is off", () => {
  test("the subscription stays ACTIVE and says why, its history records it once, and nobody is in dunning", async () => {
    const id = await withMethod("pm_gateway_disabled");
    await advance(shop, worker, 3);
    expect(await read(shop, id)).toMatchObject({
      status: "ACTIVE",
      billing_blocked_reason: "payment_provider_is_not_enabled",
      is_in_dunning: false,
      can_retry_payment: true,
      current_billing_cycle: 1,
    });
    expect(await episodesOf(shop, id)).toEqual([]);
    expect(await ordersOf(shop, id)).toEqual([]);
    const actions = await actionsOf(id);
    expect(actions.filter((action) => action === "billing_waiting")).toHaveLength(1);
    expect((await entriesOf(id)).find(({ action }) => action === "billing_waiting")).toMatchObject({
      actor_type: "system",
      metadata: { cycle: 1, error_code: "payment_provider_is_not_enabled" },
    });
    expect((await feedOf(shop, id)).map(({ action }) => action)).toContain("billing_waiting");
  });

  test("it is tried again after 1, 2, 4, 8, 16, then every 24 hours", async () => {
    const id = await withMethod("pm_gateway_disabled");
    await advance(shop, worker, 0.001);
    const pauses: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      const [{ settled_at }] = await attemptsOf(shop, id);
      const { billing_retry_at } = await rowOf(id);
      pauses.push((Date.parse(billing_retry_at!) - Date.parse(settled_at)) / 3_600_000);
      const ahead = Date.parse(billing_retry_at!) - Date.parse(await clockOf(shop));
      await advance(shop, worker, ahead / 86_400_000);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 24, 24]);
    expect(
      (await attemptsOf(shop, id)).map(({ trigger, attempt_number }) => [trigger, attempt_number]),
    ).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((number) => ["RECURRING", number]));
  });

  test("off for weeks ends nobody, and once it is on again the cycle is charged once, by itself", async () => {
    const id = await withMethod("pm_gateway_disabled");
    await advance(shop, worker, 24);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", current_billing_cycle: 1 });
    await cured();
    await advance(shop, worker, 1);
    expect(await read(shop, id)).toMatchObject({
      status: "ACTIVE",
      billing_blocked_reason: null,
      can_retry_payment: false,
      current_billing_cycle: 2,
    });
    expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(1);
    expect(await ordersOf(shop, id)).toHaveLength(1);
    const actions = await actionsOf(id);
    expect(actions.filter((action) => action.startsWith("billing_wait"))).toEqual([
      "billing_waiting",
      "billing_wait_ended",
    ]);
    expect(actions.filter((action) => action.startsWith("dunning"))).toEqual([]);
    await advance(shop, worker, 7);
    expect(await ordersOf(shop, id)).toHaveLength(2);
  });

  test("another cause is recorded anew", async () => {
    const id = await withMethod("pm_gateway_disabled");
    await advance(shop, worker, 1);
    await cured("pm_out_of_stock");
    await advance(shop, worker, 2);
    expect((await read(shop, id)).billing_blocked_reason).toBe("insufficient_inventory");
    expect((await actionsOf(id)).filter((action) => action === "billing_waiting")).toHaveLength(2);
  });

  test("retry-payment and ship-now try at once", async () => {
    const id = await withMethod("pm_gateway_disabled");
    await advance(shop, worker, 1);
    await cured();
    expect((await retry(id)).status).toBe(200);
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 2, billing_blocked_reason: null });

    shop = await openShop();
    const other = await withMethod("pm_gateway_disabled");
    await advance(shop, worker, 1);
    await cured();
    expect((await shipNow(shop, worker, other, { allow_repeat: true })).status).toBe(200);
    await worker.drain();
    expect(await read(shop, other)).toMatchObject({ current_billing_cycle: 2, billing_blocked_reason: null });
  });

  test("a skip, another date, a pause and a cancellation end the wait", async () => {
    const make = async () => {
      const id = await withMethod("pm_gateway_disabled");
      await advance(shop, worker, 0.1);
      expect((await read(shop, id)).billing_blocked_reason).not.toBeNull();
      return id;
    };
    const skipped = await make();
    await done(shop.api, "POST", skipped, "skip", { skip_weeks: 1 });
    const moved = await make();
    await done(shop.api, "PUT", moved, "schedule", { next_delivery_date: inDays(20) });
    const paused = await make();
    await done(shop.api, "POST", paused, "pause");
    const cancelled = await make();
    await done(shop.api, "POST", cancelled, "cancel");
    const ids = [skipped, moved, paused, cancelled];
    for (const id of ids) {
      expect(await read(shop, id)).toMatchObject({ billing_blocked_reason: null, can_retry_payment: false });
      expect(await rowOf(id)).toMatchObject({ billing_retry_at: null, billing_waiting_since: null });
    }
    const tries = () => Promise.all(ids.map(async (id) => (await attemptsOf(shop, id)).length));
    const before = await tries();
    await advance(shop, worker, 5);
    expect(await tries()).toEqual(before);
  });
});

describe("in dunning", () => {
  test("a wait uses up no retry: the customer's days go on where they stood", async () => {
    await set({ dunning_retry_days: [1, 3] });
    const id = await withMethod("pm_insufficient_funds");
    await advance(shop, worker, hours(1));
    expect(await episodesOf(shop, id)).toMatchObject([{ status: "OPEN", attempt_count: 1 }]);
    await cured("pm_gateway_disabled");
    await advance(shop, worker, 14);
    expect(await read(shop, id)).toMatchObject({
      status: "ACTIVE",
      is_in_dunning: true,
      billing_blocked_reason: "payment_provider_is_not_enabled",
    });
    expect(await episodesOf(shop, id)).toMatchObject([
      { status: "OPEN", attempt_count: 1, next_retry_at: null },
    ]);
    await cured("pm_insufficient_funds");
    await advance(shop, worker, 1);
    const [episode] = await episodesOf(shop, id);
    expect(episode).toMatchObject({ status: "OPEN", attempt_count: 2 });
    expect(Date.parse(episode.next_retry_at)).toBeGreaterThan(Date.parse(await clockOf(shop)));
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", billing_blocked_reason: null });
    await advance(shop, worker, 3);
    expect(await read(shop, id)).toMatchObject({ status: "PAYMENT_FAILED" });
  });

  test("and stay there after each further decline", async () => {
    await set({ dunning_retry_days: [1, 3, 5] });
    const id = await withMethod("pm_insufficient_funds");
    await advance(shop, worker, hours(1));
    await cured("pm_gateway_disabled");
    await advance(shop, worker, 14);
    await cured("pm_insufficient_funds");
    await advance(shop, worker, 3.5);
    expect(await episodesOf(shop, id)).toMatchObject([{ status: "OPEN", attempt_count: 3 }]);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: true });
  });

  test("the days count from the first decline, however long billing has waited before it", async () => {
    await set({ dunning_retry_days: [1, 3] });
    const id = await withMethod("pm_gateway_disabled");
    await advance(shop, worker, 14);
    await cured("pm_insufficient_funds");
    await advance(shop, worker, 1);
    const [{ opened_at, next_retry_at }] = await episodesOf(shop, id);
    expect(Date.parse(next_retry_at) - Date.parse(opened_at)).toBe(86_400_000);
  });

  test("PAYMENT_FAILED, a retry by hand that the merchant's fault stops goes on by itself", async () => {
    await set({ dunning_retry_days: [1] });
    const id = await withMethod("pm_insufficient_funds");
    await advance(shop, worker, 3);
    expect(await read(shop, id)).toMatchObject({ status: "PAYMENT_FAILED" });
    await cured("pm_gateway_disabled");
    await retry(id);
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({
      status: "PAYMENT_FAILED",
      billing_blocked_reason: "payment_provider_is_not_enabled",
    });
    await cured();
    await advance(shop, worker, 1);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", current_billing_cycle: 2 });
  });
});

test("a paused subscription waits for nothing, however long a store that is busy keeps its payment open", async () => {
  const id = await withMethod("pm_pending", { next_delivery_date: inDays(7) });
  const attemptId = (await shipNow(shop, worker, id)).body.billing_attempt_id;
  await worker.drain({ soon: false });
  await done(shop.api, "POST", id, "pause");
  const [attempt] = await select<BillingAttempt>("SELECT * FROM billing_attempts WHERE id = ?", attemptId);
  expect(attempt).toMatchObject({ status: "PROCESSING" });
  const now = new Date(Date.parse(attempt!.created_at) + 2 * 3_600_000).toISOString();
  const ctx = ctxOn(testDb(), shop.of.account, { now, realNow: now });
  await chargeLater(ctx, attempt!, { outcome: "throttled", seconds: 90 });
  expect(await read(shop, id)).toMatchObject({
    status: "PAUSED",
    billing_blocked_reason: null,
    can_retry_payment: false,
  });
  expect(await actionsOf(id)).not.toContain("billing_waiting");
});

describe("goods that are out of stock, by the account's out_of_stock_action", () => {
  test("retry, the default: as what the merchant has to cure", async () => {
    const id = await withMethod("pm_out_of_stock");
    await advance(shop, worker, 10);
    expect(await read(shop, id)).toMatchObject({
      status: "ACTIVE",
      billing_blocked_reason: "insufficient_inventory",
      is_in_dunning: false,
    });
    await cured();
    await advance(shop, worker, 1);
    expect(await ordersOf(shop, id)).toHaveLength(1);
  });

  test("skip: the cycle is skipped, which the history records, and the next one is billed", async () => {
    await set({ out_of_stock_action: "skip" });
    const id = await withMethod("pm_out_of_stock");
    const { next_delivery_date: planned } = await read(shop, id);
    await advance(shop, worker, 1);
    const after = await read(shop, id);
    expect(after).toMatchObject({ status: "ACTIVE", billing_blocked_reason: null, current_billing_cycle: 1 });
    expect(Date.parse(after.next_delivery_date) - Date.parse(planned)).toBe(7 * 86_400_000);
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "subscription_skipped",
      actor_type: "system",
      metadata: { cycle: 1, reason: "out_of_stock" },
    });
    await cured();
    await advance(shop, worker, 7);
    expect(await deliveriesOf(shop, id)).toEqual([[after.next_delivery_date, 10]]);
  });

  test("skip does not move the schedule for a ship-now ahead of it", async () => {
    await set({ out_of_stock_action: "skip" });
    const id = await withMethod("pm_out_of_stock", { next_delivery_date: inDays(30) });
    await shipNow(shop, worker, id);
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({
      next_delivery_date: inDays(30),
      billing_blocked_reason: null,
    });
    expect(await actionsOf(id)).not.toContain("subscription_skipped");
  });

  test.each([
    ["at once", []],
    ["after a wait", ["pm_gateway_disabled"]],
  ])(
    "skip: what is owed of a ship-now ahead of the schedule is owed no more once it finds no stock, %s",
    async (_, meanwhile) => {
      await set({ out_of_stock_action: "skip", dunning_retry_days: [1, 3] });
      const id = await withMethod("pm_insufficient_funds", { next_delivery_date: inDays(30) });
      await shipNow(shop, worker, id);
      await worker.drain();
      for (const method of [...meanwhile, "pm_out_of_stock"]) {
        await cured(method);
        await advance(shop, worker, 1.1);
      }
      const codes = (await attemptsOf(shop, id)).map(({ error_code }) => error_code);
      expect(codes.filter((code) => code === "insufficient_inventory")).toHaveLength(1);
      expect(await read(shop, id)).toMatchObject({
        status: "ACTIVE",
        is_in_dunning: false,
        billing_blocked_reason: null,
        next_delivery_date: inDays(30),
      });
      expect(await episodesOf(shop, id)).toMatchObject([{ status: "CLOSED", next_retry_at: null }]);
    },
  );

  test("bill_anyway: it is sold where the store allows it", async () => {
    await set({ out_of_stock_action: "bill_anyway" });
    const id = await withMethod("pm_out_of_stock");
    await advance(shop, worker, 1);
    expect(await ordersOf(shop, id)).toHaveLength(1);
  });

  test("any other value is 400, and the setting is shown", async () => {
    const { body } = await api(shop.api, "GET", "/api/account");
    expect(body.data.out_of_stock_action).toBe("retry");
    const { status } = await api(shop.api, "PUT", "/api/account", {
      body: { out_of_stock_action: "ignore" },
    });
    expect(status).toBe(400);
  });
});

test("nobody waits for the merchant's provider where the customer's other payment method is tried in its stead", async () => {
  const id = await withMethod("pm_gateway_disabled", { next_delivery_date: inDays(7) });
  await shipNow(shop, worker, id);
  const body = { store_payment_method_id: "pm_success" };
  expect((await worker.call(shop.customer, "PUT", on(id, "payment-method"), { body })).status).toBe(200);
  await worker.drain({ soon: false });
  expect(await attemptsOf(shop, id)).toMatchObject([
    { status: "SUCCEEDED" },
    { status: "FAILED", error_code: "payment_provider_is_not_enabled" },
  ]);
  expect(await read(shop, id)).toMatchObject({ billing_blocked_reason: null, current_billing_cycle: 2 });
  const waits = (await actionsOf(id)).filter((action) => action.startsWith("billing_wait"));
  expect(waits).toEqual([]);
});
