/** A cycle that is skipped or brought back at Shopify is so here, once, however its webhooks come. */
import { describe, expect, test, vi } from "vitest";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { soldAtCheckout } from "../../stores/shopify/sold.ts";
import { select } from "../../support/database.ts";
import { entriesOf, inDays, type Json, on, read, rowOf } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";
import { expectAllDone, hookedShop, logged, processAll, undoneDeliveries } from "./hooks.ts";

const shop = useShop(hookedShop);

async function skipsOf(id: string): Promise<Json[]> {
  return (await shop.worker.call(shop.merchant.api, "GET", on(id, "skips"))).body.data;
}

/** A weekly subscription, which is billed first in a week, with its contract. */
async function weekly(): Promise<{ id: string; contract: number }> {
  const id = await subscribed(shop);
  await shop.store.webhooks();
  return { id, contract: (await read(shop.merchant, id)).store_contract_id };
}

/** The cycle that Shopify bills the subscription's next billing in. */
const first = 1;

describe("a cycle that is skipped at Shopify", () => {
  test("is skipped here: dates move by one interval, the contract's too, and history and list of skips have it", async () => {
    const { id, contract } = await weekly();
    const before = await read(shop.merchant, id);
    shop.store.merchant.skipCycle(contract, first);
    await processAll(shop);
    const after = await read(shop.merchant, id);
    expect([before.next_billing_date, after.next_billing_date]).toEqual([inDays(7), inDays(14)]);
    expect([before.next_delivery_date, after.next_delivery_date]).toEqual([inDays(7), inDays(14)]);
    expect((await rowOf(id)).anchor_date).toBe(inDays(7));
    expect(shop.store.contract(contract).nextBillingDate.slice(0, 10)).toBe(inDays(14));
    expect(await skipsOf(id)).toMatchObject([
      {
        skip_weeks: 0,
        deliveries: 1,
        reason: "skipped at the store",
        previous_billing_date: inDays(7),
        undone_at: null,
      },
    ]);
    expect((await entriesOf(id)).filter(({ action }) => action === "subscription_skipped")).toMatchObject([
      { actor_type: "system", metadata: { reason: "skipped at the store", store_cycle: first } },
    ]);
  });

  test("is skipped once, however often its webhook comes", async () => {
    const { id, contract } = await weekly();
    for (let times = 0; times < 3; times++) {
      shop.store.merchant.skipCycle(contract, first);
      await processAll(shop);
    }
    expect((await read(shop.merchant, id)).next_billing_date).toBe(inDays(14));
    expect(await skipsOf(id)).toHaveLength(1);
  });

  test("is not charged on its day, and the next one is", async () => {
    const { id, contract } = await weekly();
    shop.store.merchant.skipCycle(contract, first);
    await processAll(shop);
    await shop.worker.tick(`${inDays(7)}T12:00:00Z`);
    expect(shop.store.charges).toEqual([]);
    expect(await attemptsOf(shop.merchant, id)).toEqual([]);
  });

  test("keeps the last day of a month", async () => {
    vi.useFakeTimers({ now: Date.parse("2027-01-31T09:00:00Z"), toFake: ["Date"] });
    const contract = soldAtCheckout(shop, {
      policy: { interval: "MONTH", intervalCount: 1 },
      nextBillingDate: "2027-02-28T09:00:00Z",
    });
    await processAll(shop);
    shop.store.merchant.skipCycle(contract, first);
    await processAll(shop);
    expect(await sole()).toMatchObject({ next_billing_date: "2027-03-31", anchor_date: "2027-01-31" });
  });

  test("moves nothing if it is over for this subscription", async () => {
    const { id, contract } = await weekly();
    await shop.worker.call(shop.merchant.api, "POST", on(id, "skip"), { body: { skip_weeks: 3 } });
    await shop.worker.drain();
    shop.store.merchant.skipCycle(contract, first);
    expect(await logged(() => processAll(shop))).not.toContainEqual(
      expect.objectContaining({ event: "store_skip_not_followed" }),
    );
    expect((await read(shop.merchant, id)).next_billing_date).toBe(inDays(28));
  });

  test("is noted, with an alert, where another billing comes before it", async () => {
    const { id, contract } = await weekly();
    shop.store.merchant.skipCycle(contract, 3);
    expect(await logged(() => processAll(shop))).toContainEqual(
      expect.objectContaining({ event: "store_skip_not_followed", alert: true, subscription_id: id }),
    );
    expect((await read(shop.merchant, id)).next_billing_date).toBe(inDays(7));
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "store_skip_not_followed",
      metadata: { store_cycle: 3, is_skipped: true, why: "an earlier billing comes first" },
    });
  });

  test("is noted while the subscription is paused", async () => {
    const { id, contract } = await weekly();
    await shop.worker.call(shop.merchant.api, "POST", on(id, "pause"), { body: {} });
    await shop.worker.drain();
    shop.store.merchant.skipCycle(contract, first);
    await processAll(shop);
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "store_skip_not_followed",
      metadata: { why: "the subscription is PAUSED" },
    });
  });

  test("waits for a charge that is on its way, and skips what comes after it in that cycle", async () => {
    const { id, contract } = await weekly();
    shop.store.settings.settlesAtRead = Number.POSITIVE_INFINITY;
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain({ soon: false });
    shop.store.merchant.skipCycle(contract, first);
    await processAll(shop);
    expect(await skipsOf(id)).toEqual([]);
    expect(await undoneDeliveries(shop)).toMatchObject([{ topic: "subscription_billing_cycles/skip" }]);
    shop.store.settle();
    await shop.worker.tick(Date.now() + 3 * 60_000);
    await shop.worker.tick(Date.now() + 60 * 60_000);
    await expectAllDone(shop);
    expect([shop.store.charges.length, (await skipsOf(id)).length]).toEqual([1, 1]);
    expect((await read(shop.merchant, id)).next_billing_date).toBe(inDays(14));
  });
});

describe("a cycle that is skipped no more at Shopify", () => {
  test("is back here, with the dates that it had", async () => {
    const { id, contract } = await weekly();
    const before = await rowOf(id);
    shop.store.merchant.skipCycle(contract, first);
    await processAll(shop);
    shop.store.merchant.unskipCycle(contract, first);
    await processAll(shop);
    const datesOf = ({
      anchor_date,
      next_index,
      next_billed_index,
      ...row
    }: Awaited<ReturnType<typeof rowOf>>) => [
      anchor_date,
      next_index,
      next_billed_index,
      row.next_billing_date,
      row.next_delivery_date,
    ];
    expect(datesOf(await rowOf(id))).toEqual(datesOf(before));
    expect(await skipsOf(id)).toMatchObject([{ undone_at: expect.any(String) }]);
  });

  test("is found as it is now, whichever webhook comes first", async () => {
    const { id, contract } = await weekly();
    shop.store.merchant.skipCycle(contract, first);
    shop.store.merchant.unskipCycle(contract, first);
    await processAll(shop, (hooks) => hooks.toReversed());
    expect((await read(shop.merchant, id)).next_billing_date).toBe(inDays(7));
    expect(await skipsOf(id)).toEqual([]);
  });

  test("is left as it is and noted where the dates have been moved since", async () => {
    const { id, contract } = await weekly();
    shop.store.merchant.skipCycle(contract, first);
    await processAll(shop);
    await shop.worker.call(shop.merchant.api, "POST", on(id, "skip"), { body: { skip_weeks: 1 } });
    await shop.worker.drain();
    shop.store.merchant.unskipCycle(contract, first);
    await processAll(shop);
    expect((await read(shop.merchant, id)).next_billing_date).toBe(inDays(21));
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "store_skip_not_followed",
      metadata: { is_skipped: false, why: expect.stringContaining("moved since") },
    });
  });

  test("whose skip was taken back here has the same dates again", async () => {
    const { id, contract } = await weekly();
    const before = await read(shop.merchant, id);
    shop.store.merchant.skipCycle(contract, first);
    await processAll(shop);
    const { status } = await shop.worker.call(shop.merchant.api, "POST", on(id, "unskip"));
    expect(status).toBe(200);
    await shop.worker.drain();
    const after = await read(shop.merchant, id);
    expect([after.next_billing_date, after.next_delivery_date]).toEqual([
      before.next_billing_date,
      before.next_delivery_date,
    ]);
    shop.store.merchant.unskipCycle(contract, first);
    await processAll(shop);
    expect((await read(shop.merchant, id)).next_billing_date).toBe(inDays(7));
  });
});

test("a skip of a contract that is no subscription yet takes the contract in first", async () => {
  const contract = soldAtCheckout(shop, {
    policy: { interval: "WEEK", intervalCount: 1 },
    nextBillingDate: `${inDays(7)}T09:00:00Z`,
  });
  await shop.store.webhooks();
  shop.store.merchant.skipCycle(contract, first);
  await processAll(shop);
  expect(await sole()).toMatchObject({ next_billing_date: inDays(14) });
});

/** The account's only subscription. */
async function sole(): Promise<Json> {
  const rows = await select<Json>(
    "SELECT * FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
  expect(rows).toHaveLength(1);
  return rows[0];
}
