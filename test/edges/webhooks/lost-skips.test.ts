/** A cycle whose skip at Shopify was not heard of is skipped once its charge is refused, once. */
import { describe, expect, test, vi } from "vitest";
import { refreshCycle } from "../../../src/domain/store-sync/cycles.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { execute } from "../../support/database.ts";
import type { Webhook } from "../../support/fake-shopify.ts";
import { entriesOf, type Json, on, read, rowOf } from "../../support/shops.ts";
import { attemptsOf, setClock, shipNow } from "../../support/worker.ts";
import { expectAllDone, hookedShop, logged, sendAccepted } from "./hooks.ts";
import { systemOf } from "./refreshing.ts";

const shop = useShop(hookedShop);

/** The cycle that Shopify bills the subscription's next billing in. */
const first = 1;

type Skipped = { id: string; contract: number; lost: Webhook[]; days: (n: number) => string };

/** A weekly subscription whose first cycle is skipped at Shopify, and the webhook about that, which has not come. */
async function skippedUnheard(index = first): Promise<Skipped> {
  const days = daysFrom(Date.now());
  const id = await subscribed(shop);
  await shop.store.webhooks();
  const contract = (await read(shop.merchant, id)).store_contract_id;
  // Cycles end in the evening, so that the first is the current one when it is billed at noon.
  shop.store.contract(contract).createdAt = `${days(0)}T18:00:00.000Z`;
  shop.store.merchant.skipCycle(contract, index);
  const lost = await shop.store.webhooks();
  expect(lost.map(({ topic }) => topic)).toContain("subscription_billing_cycles/skip");
  return { id, contract, lost, days };
}

function daysFrom(start: number): (n: number) => string {
  return (n) => new Date(start + n * 86_400_000).toISOString().slice(0, 10);
}

/** Cron at noon of a day, with what it sends. */
async function noonOf(day: string, hours = 0): Promise<void> {
  const at = Date.parse(`${day}T12:00:00Z`) + hours * 3_600_000;
  setClock(at);
  await shop.worker.tick(at);
}

async function skipsOf(id: string): Promise<Json[]> {
  return (await shop.worker.call(shop.merchant.api, "GET", on(id, "skips"))).body.data;
}

async function deliver(hooks: Webhook[]): Promise<void> {
  for (const hook of hooks) await sendAccepted(shop, hook);
  await shop.worker.drain();
  await expectAllDone(shop);
}

async function expectSkippedOnce({ id, days }: Skipped): Promise<void> {
  expect(shop.store.charges).toEqual([]);
  expect(await skipsOf(id)).toMatchObject([
    { skip_weeks: 0, reason: "skipped at the store", previous_billing_date: days(7), undone_at: null },
  ]);
  expect(await rowOf(id)).toMatchObject({
    next_billing_date: days(14),
    billing_blocked_reason: null,
    billing_waiting_since: null,
    billing_retry_at: null,
    open_attempt_id: null,
  });
}

describe("a cycle that is skipped at Shopify, whose webhook was lost", () => {
  test("is skipped here once its charge is refused, with the contract's date, the entry and the list of skips", async () => {
    const skipped = await skippedUnheard();
    const { id, contract, days } = skipped;
    await noonOf(days(7));
    await expectSkippedOnce(skipped);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([
      { status: "FAILED", error_code: "billing_cycle_skipped", attempt_number: 1 },
    ]);
    expect(shop.store.contract(contract).nextBillingDate.slice(0, 10)).toBe(days(14));
    const actions = (await entriesOf(id)).filter(({ action }) => /^(billing|subscription_s)/.test(action));
    expect(actions.map(({ action }) => action)).toEqual([
      "billing_started",
      "billing_failed",
      "billing_waiting",
      "subscription_skipped",
    ]);
    expect(actions.at(-1)).toMatchObject({
      actor_type: "system",
      metadata: { reason: "skipped at the store", store_cycle: first },
    });
  });

  test("is billed again from the next cycle on, once, under the key that was never used", async () => {
    const { id, days } = await skippedUnheard();
    await noonOf(days(7));
    for (const day of [8, 13]) await noonOf(days(day));
    expect(shop.store.charges).toEqual([]);
    await noonOf(days(14));
    expect(shop.store.charges).toHaveLength(1);
    const attempts = await attemptsOf(shop.merchant, id);
    expect(attempts.map(({ status, cycle, attempt_number }) => [status, cycle, attempt_number])).toEqual(
      expect.arrayContaining([
        ["FAILED", 1, 1],
        ["SUCCEEDED", 1, 1],
      ]),
    );
    expect((await read(shop.merchant, id)).next_billing_date).toBe(days(21));
  });

  test("is skipped once where the webhook comes after all", async () => {
    const skipped = await skippedUnheard();
    await noonOf(skipped.days(7));
    await deliver(skipped.lost);
    await deliver(skipped.lost);
    await expectSkippedOnce(skipped);
  });

  test("is skipped once where the webhook has come first, and is not charged on its day", async () => {
    const skipped = await skippedUnheard();
    await deliver(skipped.lost);
    await noonOf(skipped.days(7));
    await expectSkippedOnce(skipped);
    expect(await attemptsOf(shop.merchant, skipped.id)).toEqual([]);
  });

  test("is skipped once where the webhook comes while its charge is refused", async () => {
    const skipped = await skippedUnheard();
    const reads = vi.fn();
    const fetched = globalThis.fetch;
    vi.stubGlobal("fetch", async (input: Request, init?: RequestInit) => {
      const request = new Request(input, init);
      const text = await request.clone().text();
      // The refusal is recorded, and its cycle not followed yet: the webhook's job gets in between.
      if (text.includes("query Cycle(") && reads.mock.calls.length === 0) {
        reads();
        const { contract } = skipped;
        expect(
          await refreshCycle(await systemOf(shop), `gid://shopify/SubscriptionContract/${contract} 1`),
        ).toBe("done");
      }
      return fetched(request);
    });
    await noonOf(skipped.days(7));
    expect(reads).toHaveBeenCalledOnce();
    await expectSkippedOnce(skipped);
  });

  test("is skipped once, whoever follows it at the same time", async () => {
    const skipped = await skippedUnheard();
    shop.store.fail({ kind: "http500", on: "Cycle", times: 1 });
    await noonOf(skipped.days(7));
    const ctx = await systemOf(shop);
    const subject = `gid://shopify/SubscriptionContract/${skipped.contract} ${first}`;
    await Promise.allSettled([1, 2, 3].map(() => refreshCycle(ctx, subject)));
    await noonOf(skipped.days(7), 2);
    await expectSkippedOnce(skipped);
  });

  test("waits where the store does not say which cycle it is, and is skipped by the next try", async () => {
    const skipped = await skippedUnheard();
    shop.store.fail({ kind: "http500", on: "Cycle", times: 1 });
    const lines = await logged(() => noonOf(skipped.days(7)));
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "store_cycle_not_read", subscription_id: skipped.id }),
    );
    expect(await rowOf(skipped.id)).toMatchObject({
      next_billing_date: skipped.days(7),
      billing_blocked_reason: "billing_cycle_skipped",
    });
    await noonOf(skipped.days(7), 1);
    await expectSkippedOnce(skipped);
  });

  test("is skipped where a person asks to ship now, and nothing is charged", async () => {
    const skipped = await skippedUnheard();
    shop.store.contract(skipped.contract).createdAt = new Date().toISOString();
    expect((await shipNow(shop.merchant, shop.worker, skipped.id)).status).toBe(200);
    await shop.worker.drain();
    await expectSkippedOnce(skipped);
  });

  test("is taken back as one whose webhook came", async () => {
    const { id, contract, days } = await skippedUnheard();
    shop.store.contract(contract).createdAt = new Date().toISOString();
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
    shop.store.merchant.unskipCycle(contract, first);
    await deliver(await shop.store.webhooks());
    expect((await read(shop.merchant, id)).next_billing_date).toBe(days(7));
    expect(await skipsOf(id)).toMatchObject([{ undone_at: expect.any(String) }]);
  });
});

test("a charge that is refused for a later cycle than its own waits, and people are told once", async () => {
  const { id, contract, days } = await skippedUnheard(2);
  // Cycles end in the morning: at noon of the day on which the first is billed, the second is the current one.
  shop.store.contract(contract).createdAt = `${days(0)}T06:00:00.000Z`;
  const told = async (): Promise<Json[]> =>
    (await entriesOf(id)).filter(({ action }) => action === "store_skip_not_followed");
  await noonOf(days(7));
  expect(await told()).toMatchObject([
    { metadata: { store_cycle: 2, why: "an earlier billing comes first" } },
  ]);
  for (const hours of [1, 3, 7]) await noonOf(days(7), hours);
  expect(await told()).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({
    next_billing_date: days(7),
    billing_blocked_reason: "billing_cycle_skipped",
  });
  expect(shop.store.charges).toEqual([]);
});

test("a cycle that was skipped is not skipped again where its billing comes to lie in it once more", async () => {
  const { id, contract, lost, days } = await skippedUnheard();
  await deliver(lost);
  await execute("UPDATE subscriptions SET next_billing_date = ? WHERE id = ?", days(5), id);
  const subject = `gid://shopify/SubscriptionContract/${contract} ${first}`;
  expect(await refreshCycle(await systemOf(shop), subject)).toBe("done");
  expect(await skipsOf(id)).toHaveLength(1);
});
