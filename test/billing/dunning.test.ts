import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { api } from "../support/client.ts";
import {
  actionsOf,
  done,
  entriesOf,
  inDays,
  type Json,
  type Life,
  life,
  on,
  read,
  rowOf,
} from "../support/lives.ts";
import {
  advance,
  attemptsOf,
  clockOf,
  episodesOf,
  linked,
  type Machine,
  machine,
  ordersOf,
  setClock,
  shipNow,
} from "../support/machine.ts";

let works: Machine;
beforeAll(() => {
  works = machine();
});
afterEach(() => {
  vi.useRealTimers();
});

const daysAfter = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * 86_400_000).toISOString();
const settings = (of: Life, body: object) => api(of.api, "PUT", "/api/account", { body });
/** A subscription whose first payment was refused just now. */
const declined = async (of: Life, store_payment_method_id = "pm_card_declined"): Promise<string> => {
  const id = await linked(of, works, { store_payment_method_id });
  await advance(of, works, 1 / 24);
  return id;
};
const episodeOf = async (of: Life, id: string): Promise<Json> => (await episodesOf(of, id))[0];

describe("retries", () => {
  test.each<[number[]]>([[[1, 3, 7]], [[2, 5]], [[1]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 60]]])(
    "%j days after the first failure, and then no more",
    async (days) => {
      const of = await life();
      await settings(of, { dunning_retry_days: days });
      const id = await declined(of);
      const { opened_at, ...opened } = await episodeOf(of, id);
      expect(opened).toMatchObject({ status: "OPEN", attempt_count: 1, max_attempts: days.length + 1 });
      for (const [nth, day] of days.entries()) {
        expect((await episodeOf(of, id)).next_retry_at).toBe(daysAfter(opened_at, day));
        const until = (Date.parse(daysAfter(opened_at, day)) - Date.parse(await clockOf(of))) / 86_400_000;
        if (until > 0.01) await advance(of, works, until - 0.01);
        expect(await attemptsOf(of, id)).toHaveLength(nth + 1);
        await advance(
          of,
          works,
          (Date.parse(daysAfter(opened_at, day)) - Date.parse(await clockOf(of))) / 86_400_000,
        );
        const [latest] = await attemptsOf(of, id);
        expect(latest).toMatchObject({
          attempt_number: nth + 2,
          trigger: "DUNNING",
          status: "FAILED",
          cycle: 1,
        });
        expect(latest.created_at).toBe(daysAfter(opened_at, day));
      }
      expect(await episodeOf(of, id)).toMatchObject({
        status: "EXHAUSTED",
        attempt_count: days.length + 1,
        next_retry_at: null,
        closed_at: daysAfter(opened_at, days.at(-1)!),
      });
      expect((await read(of, id)).status).toBe("PAYMENT_FAILED");
      await advance(of, works, 30);
      expect(await attemptsOf(of, id)).toHaveLength(days.length + 1);
      expect(await ordersOf(of, id)).toEqual([]);
    },
  );

  test("by cron, to the minute, in real time", async () => {
    const of = await life();
    setClock("2026-03-02T08:00:00.000Z");
    const id = await linked(of, works, {
      next_delivery_date: "2026-03-02",
      store_payment_method_id: "pm_card_declined",
    });
    await works.tick();
    expect(await attemptsOf(of, id)).toHaveLength(1);
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
      await works.tick();
      expect([instant, (await attemptsOf(of, id)).length]).toEqual([instant, attempts]);
    }
    expect((await read(of, id)).status).toBe("PAYMENT_FAILED");
  });

  test("missed ticks: retries that are past are not made up for", async () => {
    const of = await life();
    setClock("2026-03-02T08:00:00.000Z");
    const id = await linked(of, works, {
      next_delivery_date: "2026-03-02",
      store_payment_method_id: "pm_card_declined",
    });
    await works.tick();
    setClock("2026-03-06T08:00:00.000Z");
    await works.tick();
    await works.tick();
    expect(await episodeOf(of, id)).toMatchObject({
      attempt_count: 2,
      next_retry_at: "2026-03-09T08:00:00.000Z",
    });
  });

  test("the setting is the one of the first failure", async () => {
    const of = await life();
    const id = await declined(of);
    await settings(of, { dunning_retry_days: [30] });
    await advance(of, works, 1.1);
    expect(await episodeOf(of, id)).toMatchObject({ attempt_count: 2, max_attempts: 4 });
  });
});

test("while retries run: ACTIVE and in dunning, and found as a failed payment", async () => {
  const of = await life();
  const [id, fine] = [await declined(of), await linked(of, works, { next_delivery_date: inDays(30) })];
  const episode = await episodeOf(of, id);
  expect(await read(of, id)).toMatchObject({
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
    (await api(of.api, "GET", "/api/subscriptions", { query: { failed_payment } })).body.data.map(
      (one: Json) => one.id,
    );
  expect([await found(true), await found(false)]).toEqual([[id], [fine]]);
  await advance(of, works, 8);
  expect((await read(of, id)).status).toBe("PAYMENT_FAILED");
  expect(await found(true)).toEqual([id]);
});

test("billing_failed tells of what; dunning_started follows it", async () => {
  const of = await life();
  const id = await declined(of, "pm_insufficient_funds");
  const [attempt] = await attemptsOf(of, id);
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
    metadata: { dunning_episode_id: (await episodeOf(of, id)).id, cycle: 1 },
  });
});

describe("when the retries have run out", () => {
  test.each([
    ["fail", "PAYMENT_FAILED", []],
    ["pause", "PAUSED", ["subscription_paused"]],
    ["cancel", "CANCELLED", ["subscription_cancelled"]],
  ] as const)("the final action %s: %s", async (dunning_final_action, status, actions) => {
    const of = await life();
    await settings(of, { dunning_final_action, dunning_retry_days: [1] });
    const id = await declined(of);
    await advance(of, works, 1);
    expect(await read(of, id)).toMatchObject({ status, is_in_dunning: false, current_dunning_episode: null });
    expect((await actionsOf(id)).slice(-1 - actions.length)).toEqual(["dunning_exhausted", ...actions]);
    expect(
      (await entriesOf(id)).find(({ action }) => action === "dunning_exhausted")?.metadata,
    ).toMatchObject({
      final_action: dunning_final_action,
    });
    await advance(of, works, 10);
    expect(await attemptsOf(of, id)).toHaveLength(2);
    const { next_billing_date } = await rowOf(id);
    expect(next_billing_date === null).toBe(status === "CANCELLED");
  });

  test("PAYMENT_FAILED may be cancelled, and is not billed, skipped or paused", async () => {
    const of = await life();
    await settings(of, { dunning_retry_days: [1] });
    const id = await declined(of);
    await advance(of, works, 1);
    for (const [part, body] of [
      ["skip", { skip_weeks: 1 }],
      ["pause", {}],
    ] as const)
      expect((await api(of.api, "POST", on(id, part), { body })).body.errorCode).toBe("INVALID_STATE");
    expect((await shipNow(of, works, id)).body.error).toBe("Subscription is not billable: PAYMENT_FAILED");
    expect((await done(of.api, "POST", id, "cancel")).status).toBe("CANCELLED");
  });

  test("paused at the end, and resumed: the same cycle is tried anew, and fails anew", async () => {
    const of = await life();
    await settings(of, { dunning_final_action: "pause", dunning_retry_days: [1] });
    const id = await declined(of);
    await advance(of, works, 1);
    await done(of.api, "POST", id, "resume");
    expect(await attemptsOf(of, id)).toHaveLength(2);
    await advance(of, works, 8);
    expect((await attemptsOf(of, id)).map(({ cycle, attempt_number }) => [cycle, attempt_number])).toEqual([
      [1, 4],
      [1, 3],
      [1, 2],
      [1, 1],
    ]);
    expect((await episodesOf(of, id)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
      ["EXHAUSTED", 2],
      ["EXHAUSTED", 2],
    ]);
    expect((await read(of, id)).status).toBe("PAUSED");
  });
});
