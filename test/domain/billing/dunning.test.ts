/** A failed payment is retried on the account's days, and then has the account's final action. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import {
  actionsOf,
  done,
  entriesOf,
  inDays,
  type Json,
  on,
  openShop,
  read,
  rowOf,
  type Shop,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  clockOf,
  episodesOf,
  linked,
  ordersOf,
  setClock,
  shipNow,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();

function daysAfter(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * 86_400_000).toISOString();
}

function settings(shop: Shop, body: object) {
  return api(shop.api, "PUT", "/api/account", { body });
}

/** A subscription whose first payment was refused just now. */
async function declined(shop: Shop, store_payment_method_id = "pm_card_declined"): Promise<string> {
  const id = await linked(shop, worker, { store_payment_method_id });
  await advance(shop, worker, 1 / 24);
  return id;
}

async function episodeOf(shop: Shop, id: string): Promise<Json> {
  return (await episodesOf(shop, id))[0];
}

describe("retries", () => {
  test.each<[number[]]>([[[1, 3, 7]], [[2, 5]], [[1]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 60]]])(
    "%j days after the first failure, and then no more",
    async (days) => {
      const shop = await openShop();
      await settings(shop, { dunning_retry_days: days });
      const id = await declined(shop);
      const { opened_at, ...opened } = await episodeOf(shop, id);
      expect(opened).toMatchObject({ status: "OPEN", attempt_count: 1, max_attempts: days.length + 1 });
      for (const [nth, day] of days.entries()) {
        expect((await episodeOf(shop, id)).next_retry_at).toBe(daysAfter(opened_at, day));
        const until = (Date.parse(daysAfter(opened_at, day)) - Date.parse(await clockOf(shop))) / 86_400_000;
        if (until > 0.01) await advance(shop, worker, until - 0.01);
        expect(await attemptsOf(shop, id)).toHaveLength(nth + 1);
        await advance(
          shop,
          worker,
          (Date.parse(daysAfter(opened_at, day)) - Date.parse(await clockOf(shop))) / 86_400_000,
        );
        const [latest] = await attemptsOf(shop, id);
        expect(latest).toMatchObject({
          attempt_number: nth + 2,
          trigger: "DUNNING",
          status: "FAILED",
          cycle: 1,
        });
        expect(latest.created_at).toBe(daysAfter(opened_at, day));
      }
      expect(await episodeOf(shop, id)).toMatchObject({
        status: "EXHAUSTED",
        attempt_count: days.length + 1,
        next_retry_at: null,
        closed_at: daysAfter(opened_at, days.at(-1)!),
      });
      expect((await read(shop, id)).status).toBe("PAYMENT_FAILED");
      await advance(shop, worker, 30);
      expect(await attemptsOf(shop, id)).toHaveLength(days.length + 1);
      expect(await ordersOf(shop, id)).toEqual([]);
    },
  );

  test("by cron, to the minute, in real time", async () => {
    const shop = await openShop();
    setClock("2026-03-02T08:00:00.000Z");
    const id = await linked(shop, worker, {
      next_delivery_date: "2026-03-02",
      store_payment_method_id: "pm_card_declined",
    });
    await worker.tick();
    expect(await attemptsOf(shop, id)).toHaveLength(1);
    for (const [instant, attempts] of [
      ["2026-03-03T07:59:59.999Z", 1],
      ["2026-03-03T08:00:00.000Z", 2],
      ["2026-03-03T08:00:00.000Z", 2],
      ["2026-03-05T07:59:00.000Z", 2],
      ["2026-03-05T08:00:00.000Z", 3],
      ["2026-03-09T07:59:00.000Z", 3],
      ["2026-03-09T08:00:00.000Z", 4],
      ["2026-03-19T08:00:00.000Z", 4],
    ] as const) {
      setClock(instant);
      await worker.tick();
      expect([instant, (await attemptsOf(shop, id)).length]).toEqual([instant, attempts]);
    }
    expect((await read(shop, id)).status).toBe("PAYMENT_FAILED");
  });

  test("missed ticks: retries that are past are not made up for", async () => {
    const shop = await openShop();
    setClock("2026-03-02T08:00:00.000Z");
    const id = await linked(shop, worker, {
      next_delivery_date: "2026-03-02",
      store_payment_method_id: "pm_card_declined",
    });
    await worker.tick();
    setClock("2026-03-06T08:00:00.000Z");
    await worker.tick();
    await worker.tick();
    expect(await episodeOf(shop, id)).toMatchObject({
      attempt_count: 2,
      next_retry_at: "2026-03-09T08:00:00.000Z",
    });
  });

  test("the setting is the one of the first failure", async () => {
    const shop = await openShop();
    const id = await declined(shop);
    await settings(shop, { dunning_retry_days: [30] });
    await advance(shop, worker, 1.1);
    const { opened_at, ...episode } = await episodeOf(shop, id);
    expect(episode).toMatchObject({ attempt_count: 2, max_attempts: 4 });
    expect(episode.next_retry_at).toBe(daysAfter(opened_at, 3));
  });
});

test("while retries run: ACTIVE and in dunning, and found as a failed payment", async () => {
  const shop = await openShop();
  const [id, fine] = [await declined(shop), await linked(shop, worker, { next_delivery_date: inDays(30) })];
  const episode = await episodeOf(shop, id);
  expect(await read(shop, id)).toMatchObject({
    status: "ACTIVE",
    is_active: true,
    is_in_dunning: true,
    can_retry_payment: true,
    can_pause: true,
    can_cancel: true,
    current_dunning_episode: episode.id,
    current_billing_cycle: 1,
  });
  expect(episode).toEqual({
    id: expect.any(String),
    subscription_id: id,
    cycle: 1,
    status: "OPEN",
    attempt_count: 1,
    max_attempts: 4,
    next_retry_at: daysAfter(episode.opened_at, 1),
    last_error_code: "card_declined",
    last_error_message: "The card was declined",
    opened_at: expect.any(String),
    closed_at: null,
  });
  const found = async (failed_payment: boolean) =>
    (await api(shop.api, "GET", "/api/subscriptions", { query: { failed_payment } })).body.data.map(
      (one: Json) => one.id,
    );
  expect([await found(true), await found(false)]).toEqual([[id], [fine]]);
  await advance(shop, worker, 8);
  expect((await read(shop, id)).status).toBe("PAYMENT_FAILED");
  expect(await found(true)).toEqual([id]);
});

test("billing_failed names the attempt and the error; dunning_started follows it", async () => {
  const shop = await openShop();
  const id = await declined(shop, "pm_insufficient_funds");
  const [attempt] = await attemptsOf(shop, id);
  const [failed, begun] = (await entriesOf(id)).slice(-2);
  expect(failed).toMatchObject({
    action: "billing_failed",
    actor_type: "system",
    metadata: {
      billing_attempt_id: attempt.id,
      cycle: 1,
      attempt_number: 1,
      error_code: "insufficient_funds",
    },
  });
  expect(begun).toMatchObject({
    action: "dunning_started",
    metadata: { dunning_episode_id: (await episodeOf(shop, id)).id, cycle: 1 },
  });
});

describe("when the retries have run out", () => {
  test.each([
    ["fail", "PAYMENT_FAILED", []],
    ["pause", "PAUSED", ["subscription_paused"]],
    ["cancel", "CANCELLED", ["subscription_cancelled"]],
  ] as const)("the final action %s: %s", async (dunning_final_action, status, actions) => {
    const shop = await openShop();
    await settings(shop, { dunning_final_action, dunning_retry_days: [1] });
    const id = await declined(shop);
    await advance(shop, worker, 1);
    expect(await read(shop, id)).toMatchObject({
      status,
      is_in_dunning: false,
      current_dunning_episode: null,
    });
    expect((await actionsOf(id)).slice(-1 - actions.length)).toEqual(["dunning_exhausted", ...actions]);
    expect(
      (await entriesOf(id)).find(({ action }) => action === "dunning_exhausted")?.metadata,
    ).toMatchObject({
      final_action: dunning_final_action,
    });
    await advance(shop, worker, 10);
    expect(await attemptsOf(shop, id)).toHaveLength(2);
    const { next_billing_date } = await rowOf(id);
    expect(next_billing_date === null).toBe(status === "CANCELLED");
  });

  test("PAYMENT_FAILED may be cancelled, and is not billed, skipped or paused", async () => {
    const shop = await openShop();
    await settings(shop, { dunning_retry_days: [1] });
    const id = await declined(shop);
    await advance(shop, worker, 1);
    for (const [part, body] of [
      ["skip", { skip_weeks: 1 }],
      ["pause", {}],
    ] as const)
      expect((await api(shop.api, "POST", on(id, part), { body })).body.errorCode).toBe("INVALID_STATE");
    expect((await shipNow(shop, worker, id)).body.error).toBe("Subscription is not billable: PAYMENT_FAILED");
    expect((await done(shop.api, "POST", id, "cancel")).status).toBe("CANCELLED");
  });

  test("paused at the end, and resumed: the same cycle is tried anew, and fails anew", async () => {
    const shop = await openShop();
    await settings(shop, { dunning_final_action: "pause", dunning_retry_days: [1] });
    const id = await declined(shop);
    await advance(shop, worker, 1);
    await done(shop.api, "POST", id, "resume");
    expect(await attemptsOf(shop, id)).toHaveLength(2);
    await advance(shop, worker, 8);
    expect((await attemptsOf(shop, id)).map(({ cycle, attempt_number }) => [cycle, attempt_number])).toEqual([
      [1, 4],
      [1, 3],
      [1, 2],
      [1, 1],
    ]);
    expect((await episodesOf(shop, id)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
      ["EXHAUSTED", 2],
      ["EXHAUSTED", 2],
    ]);
    expect((await read(shop, id)).status).toBe("PAUSED");
  });
});
