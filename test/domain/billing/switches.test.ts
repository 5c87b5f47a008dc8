/** At most five new attempts an hour come of what people do, and dunning makes the next try after that. */
import { describe, expect, test } from "vitest";
import { execute } from "../../support/database.ts";
import { inDays, type Json, on, openShop, read, refusal, type Shop } from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  episodesOf,
  later,
  linked,
  setClock,
  shipNow,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;

/**
 * A subscription whose first payment was declined, of an account of its own, while real time stands still at noon: the account's clock is
 * an hour ahead, on the same day.
 */
async function openDunning(store_payment_method_id = "pm_card_declined"): Promise<string> {
  setClock(`${inDays(0)}T12:00:00.000Z`);
  shop = await openShop();
  const id = await linked(shop, worker, { store_payment_method_id });
  await advance(shop, worker, 1 / 24);
  return id;
}

function retry(id: string) {
  return worker.call<Json>(shop.api, "POST", on(id, "retry-payment"));
}

/** A switch by the customer, its message waiting. It must succeed. */
async function switchTo(id: string, store_payment_method_id: string, query = {}): Promise<Json> {
  const body = { store_payment_method_id };
  const answer = await worker.call<Json>(shop.customer, "PUT", on(id, "payment-method"), { body, query });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const declined = ["pm_insufficient_funds", "pm_card_declined"];

/** So many switches to cards that are declined, each charged before the next. */
async function spendSwitches(id: string, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    expect((await switchTo(id, declined[nth % 2]!)).billing_attempt_id).toEqual(expect.any(String));
    await worker.drain();
  }
}

async function episodeOf(id: string): Promise<Json> {
  return (await episodesOf(shop, id))[0];
}

describe("at most five new attempts an hour come of what people do, in sum", () => {
  test("forty switches between declined cards charge five times; each succeeds, and the days of dunning stay", async () => {
    const id = await openDunning();
    const { next_retry_at } = await episodeOf(id);
    const started: (string | null)[] = [];
    for (let nth = 0; nth < 40; nth++) {
      started.push((await switchTo(id, declined[nth % 2]!)).billing_attempt_id);
      await worker.drain();
    }
    expect(started.filter((each) => each !== null)).toHaveLength(5);
    expect(started.slice(5)).toEqual(Array(35).fill(null));
    expect(await chargesOf(id)).toHaveLength(6);
    expect(await episodeOf(id)).toMatchObject({ status: "OPEN", attempt_count: 6, next_retry_at });
  });

  test("ship-now, retry-payment and switches count together; ship-now and retry-payment are then refused", async () => {
    const id = await openDunning();
    await shipNow(shop, worker, id, { allow_repeat: true });
    await worker.drain();
    await retry(id);
    await worker.drain();
    await spendSwitches(id, 3);
    const refused = [await retry(id), await shipNow(shop, worker, id, { allow_repeat: true })];
    expect(refused.map(refusal)).toEqual([
      [429, "RATE_LIMITED"],
      [429, "RATE_LIMITED"],
    ]);
    for (const { headers } of refused) expect(headers.get("Retry-After")).toBe("3600");
    expect((await switchTo(id, "pm_card_declined")).billing_attempt_id).toBeNull();
    expect(await attemptsOf(shop, id)).toHaveLength(6);
  });

  test("after retry-payment has used the hour up, a switch charges nothing, and its dry run says so before", async () => {
    const id = await openDunning();
    for (let nth = 0; nth < 5; nth++) {
      await retry(id);
      await worker.drain();
    }
    expect(await switchTo(id, "pm_success", { dry_run: true })).toMatchObject({ dry_run: null });
    expect(await switchTo(id, "pm_success")).toMatchObject({ billing_attempt_id: null });
    expect(worker.sent()).toEqual([]);
    expect(await attemptsOf(shop, id)).toHaveLength(6);
  });

  test("the hour is of real time: the account's clock does not end it, an hour does", async () => {
    const id = await openDunning();
    await spendSwitches(id, 5);
    await advance(shop, worker, 2 / 24);
    expect((await switchTo(id, "pm_success")).billing_attempt_id).toBeNull();
    setClock(Date.now() + 3_600_000);
    expect((await switchTo(id, "pm_other")).billing_attempt_id).toEqual(expect.any(String));
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({ is_in_dunning: false, current_billing_cycle: 2 });
  });

  test("a reactivation for today counts as one, and is refused as the sixth", async () => {
    const id = await openDunning();
    const reactivate = async (next_delivery_date: string, query = {}) => {
      await worker.call<Json>(shop.customer, "POST", on(id, "cancel"), { body: {} });
      return worker.call<Json>(shop.customer, "POST", on(id, "reactivate"), {
        body: { next_delivery_date },
        query,
      });
    };
    for (let nth = 0; nth < 5; nth++) {
      expect((await reactivate(inDays(0))).status).toBe(200);
      await worker.tick();
      await worker.drain();
    }
    expect(await attemptsOf(shop, id)).toHaveLength(6);
    const sixth = await reactivate(inDays(0));
    expect(refusal(sixth)).toEqual([429, "RATE_LIMITED"]);
    expect(sixth.headers.get("Retry-After")).toBe("3600");
    expect(refusal(await reactivate(inDays(0), { dry_run: true }))).toEqual([429, "RATE_LIMITED"]);
    expect((await reactivate(inDays(1))).status).toBe(200);
    await worker.tick();
    await worker.drain();
    expect(await attemptsOf(shop, id)).toHaveLength(6);
  });

  test("attempts that cron starts do not count", async () => {
    const id = await openDunning();
    await advance(shop, worker, 4);
    expect(await attemptsOf(shop, id)).toHaveLength(3);
    await spendSwitches(id, 5);
    expect((await switchTo(id, "pm_success")).billing_attempt_id).toBeNull();
  });
});

describe("beyond the limit dunning makes the next try, with the new payment method", () => {
  test("on its next day", async () => {
    const id = await openDunning();
    await spendSwitches(id, 5);
    await switchTo(id, "pm_success");
    await advance(shop, worker, 1);
    expect(await attemptsOf(shop, id)).toHaveLength(7);
    expect(await read(shop, id)).toMatchObject({ is_in_dunning: false, current_billing_cycle: 2 });
    expect(await episodeOf(id)).toMatchObject({ status: "RECOVERED" });
  });

  test("also after a decline for good, which had ended the retries: the episode is OPEN again", async () => {
    const id = await openDunning();
    await spendSwitches(id, 4);
    await switchTo(id, "pm_expired_card");
    await worker.drain();
    expect(await episodeOf(id)).toMatchObject({ status: "AWAITING_CUSTOMER", next_retry_at: null });
    expect((await switchTo(id, "pm_success")).billing_attempt_id).toBeNull();
    expect(await episodeOf(id)).toMatchObject({ status: "OPEN", next_retry_at: expect.any(String) });
    await advance(shop, worker, 1);
    expect(await read(shop, id)).toMatchObject({ is_in_dunning: false, current_billing_cycle: 2 });
  });

  test("on a day that counts from the first failure, not from the switch", async () => {
    const id = await openDunning();
    const { opened_at } = await episodeOf(id);
    await advance(shop, worker, 1.5);
    await spendSwitches(id, 4);
    await switchTo(id, "pm_expired_card");
    await worker.drain();
    await switchTo(id, "pm_success");
    const third = new Date(Date.parse(opened_at) + 3 * 86_400_000).toISOString();
    expect(await episodeOf(id)).toMatchObject({ status: "OPEN", next_retry_at: third });
  });

  test.each(["pm_insufficient_funds", "pm_expired_card"])(
    "after an attempt that was in progress with the old one (%s) has failed",
    async (old) => {
      const id = await openDunning();
      await spendSwitches(id, 4);
      await switchTo(id, old);
      expect((await switchTo(id, "pm_success")).billing_attempt_id).toBeNull();
      await worker.drain();
      expect(await attemptsOf(shop, id)).toHaveLength(6);
      expect(await episodeOf(id)).toMatchObject({ status: "OPEN", next_retry_at: expect.any(String) });
      await advance(shop, worker, 1);
      expect(await read(shop, id)).toMatchObject({ is_in_dunning: false, current_billing_cycle: 2 });
    },
  );

  test("not once its days are over: nothing is charged until somebody asks for it", async () => {
    const id = await openDunning();
    await advance(shop, worker, 8);
    await spendSwitches(id, 5);
    expect((await switchTo(id, "pm_success")).billing_attempt_id).toBeNull();
    await advance(shop, worker, 8);
    expect(await read(shop, id)).toMatchObject({ status: "PAYMENT_FAILED", can_retry_payment: true });
    const count = (await attemptsOf(shop, id)).length;
    setClock(Date.now() + 3_600_000);
    await retry(id);
    await worker.drain();
    expect(await attemptsOf(shop, id)).toHaveLength(count + 1);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", current_billing_cycle: 2 });
  });
});

describe("a challenge that gives way to another payment method", () => {
  test("does so while the hour allows another attempt; after that it stays open, and the new method is tried once the hour is over", async () => {
    const id = await openDunning();
    await execute("UPDATE accounts SET clock_at = NULL WHERE id = ?", shop.of.account.id);
    for (const card of [
      "pm_requires_action",
      "pm_insufficient_funds",
      "pm_requires_action",
      "pm_card_declined",
    ]) {
      await switchTo(id, card);
      await worker.drain();
    }
    expect(await attemptsOf(shop, id)).toMatchObject([
      { status: "FAILED", error_code: "card_declined" },
      { status: "FAILED", error_code: "withdrawn" },
      { status: "FAILED", error_code: "insufficient_funds" },
      { status: "FAILED", error_code: "withdrawn" },
      { status: "FAILED" },
    ]);
    await switchTo(id, "pm_requires_action");
    await worker.drain();
    await switchTo(id, "pm_success");
    await worker.drain();
    await later(worker, 61);
    const attempts = await attemptsOf(shop, id);
    expect([attempts.length, attempts[0].status]).toEqual([6, "ACTION_REQUIRED"]);
    await later(worker, 3_600);
    await later(worker, 3_600);
    expect((await attemptsOf(shop, id))[0]).toMatchObject({ status: "SUCCEEDED" });
    expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(1);
  });
});

describe("a review that is settled as not charged, after the payment method was changed", () => {
  test("tries the new one at once, names the attempt, and its dry run says before what that charges", async () => {
    shop = await openShop();
    const id = await linked(shop, worker, { store_payment_method_id: "pm_timeout_not_charged" });
    await shipNow(shop, worker, id);
    await worker.drain({ soon: false });
    const [{ id: attemptId }] = await attemptsOf(shop, id);
    await execute("UPDATE billing_attempts SET status = 'REVIEW' WHERE id = ?", attemptId);
    await switchTo(id, "pm_success");
    worker.forget();
    const settle = async (query = {}) =>
      (
        await worker.call<Json>(shop.admin, "POST", `/api/billing-attempts/${attemptId}/settle`, {
          body: { charged: false },
          query,
        })
      ).body;
    const { dry_run } = await settle({ dry_run: true });
    const { billing_attempt_id } = await settle();
    const [started, settled] = await attemptsOf(shop, id);
    expect([started.id, settled.status]).toEqual([billing_attempt_id, "CANCELLED"]);
    const { cycle, amount, currency_code, billing_date } = started;
    expect(dry_run).toEqual({ cycle, amount, currency_code, billing_date });
  });
});
