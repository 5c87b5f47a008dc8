/** A pause over a delivery goes on by the schedule after it, and what is owed stays owed. */
import { describe, expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import {
  actionsOf,
  addPlan,
  done,
  entriesOf,
  itemOf,
  type Json,
  on,
  read,
  refusal,
} from "../../support/shops.ts";
import { advance, attemptsOf, episodesOf, linked, startClock, useShop } from "../../support/worker.ts";

const at = useShop({ timezone: "Europe/Berlin" });

async function billedEvery(unit: string, count: number, more: object = {}): Promise<string> {
  const { shop, worker } = at;
  const plan = await addPlan(shop, { billing_interval: unit, billing_interval_count: count });
  return linked(shop, worker, { next_delivery_date: "2031-03-01", lines: [itemOf(plan)], ...more });
}

async function upcoming(id: string): Promise<[string, string, boolean][]> {
  const { body } = await api<Json>(at.shop.api, "GET", on(id, "upcoming"), { query: { count: 3 } });
  return body.data.map((one: Json) => [one.billing_date, one.delivery_date, one.is_at_risk]);
}

async function chargedOn(id: string): Promise<string[]> {
  const attempts = await attemptsOf(at.shop, id);
  return attempts.filter(({ status }) => status === "SUCCEEDED").map((one) => one.created_at.slice(0, 10));
}

describe("a pause over the day of a delivery", () => {
  test.each<[string, number, string, string]>([
    ["YEAR", 1, "2031-03-06", "2032-03-06"],
    ["MONTH", 3, "2031-03-06", "2031-06-06"],
    ["WEEK", 8, "2031-03-06", "2031-05-01"],
    ["MONTH", 1, "2031-04-01", "2031-05-01"],
    ["WEEK", 4, "2031-03-29", "2031-04-26"],
  ])("every %s x %i: it goes on on %s, then on %s", async (unit, count, next, later) => {
    const { shop, worker } = at;
    await startClock(shop, "2031-02-20T12:00:00.000Z");
    const id = await billedEvery(unit, count);
    await done(shop.api, "POST", id, "pause", { pause_until: "2031-03-05" });
    const planned = await upcoming(id);
    expect(planned.slice(0, 2).map(([billing]) => billing)).toEqual([next, later]);
    await advance(shop, worker, 13);
    expect(await read(shop, id)).toMatchObject({
      ...{ status: "ACTIVE", next_billing_date: next, next_delivery_date: next, current_billing_cycle: 1 },
    });
    expect(await attemptsOf(shop, id)).toEqual([]);
    expect(await upcoming(id)).toEqual(planned);
    if (next > "2031-03-06") return;
    await advance(shop, worker, 2);
    expect(await chargedOn(id)).toEqual(["2031-03-05"].map((day) => addDays(day, 1)));
    expect((await read(shop, id)).next_billing_date).toBe(later);
  });

  test("resumed on its day: nothing is charged before tomorrow; resumed before: it stays", async () => {
    const { shop } = at;
    await startClock(shop, "2031-02-27T12:00:00.000Z");
    const [early, late] = [await billedEvery("MONTH", 3), await billedEvery("MONTH", 3)];
    for (const id of [early, late]) await done(shop.api, "POST", id, "pause");
    expect(await done(shop.api, "POST", early, "resume")).toMatchObject({ next_billing_date: "2031-03-01" });
    await startClock(shop, "2031-03-01T12:00:00.000Z");
    expect(await done(shop.api, "POST", late, "resume")).toMatchObject({ next_billing_date: "2031-03-02" });
    expect((await upcoming(late)).map(([billing]) => billing)).toEqual([
      "2031-03-02",
      "2031-06-02",
      "2031-09-02",
    ]);
  });
});

describe("pause of what is paused", () => {
  test("changes its end and reason, as far as they are named, in one entry each", async () => {
    const { shop } = at;
    await startClock(shop, "2031-02-20T12:00:00.000Z");
    const id = await billedEvery("MONTH", 1);
    const first = await done(shop.api, "POST", id, "pause", { pause_until: "2031-03-05", reason: "Away" });
    const changed = await done(shop.api, "POST", id, "pause", { pause_until: "2031-04-05" });
    expect(changed).toMatchObject({
      ...{ status: "PAUSED", pause_until: "2031-04-05", pause_reason: "Away", paused_at: first.paused_at },
    });
    expect(changed.can_pause).toBe(true);
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "subscription_paused",
      changes: { pause_until: { from: "2031-03-05", to: "2031-04-05" } },
    });
    const open = { pause_until: null };
    expect(await done(shop.api, "POST", id, "pause", open, { dry_run: true })).toMatchObject(open);
    const entries = await actionsOf(id);
    for (const body of [{}, { pause_until: "2031-04-05" }, { reason: "Away" }])
      expect(await done(shop.api, "POST", id, "pause", body)).toEqual(await read(shop, id));
    expect(await actionsOf(id)).toEqual(entries);
    expect(await done(shop.api, "POST", id, "pause", { pause_until: null, reason: "Moving" })).toMatchObject({
      ...{ pause_until: null, pause_reason: "Moving" },
    });
  });
});

describe("a payment that is owed", () => {
  test("stays owed through a pause, is not retried in it, and first on the day after the resumption", async () => {
    const { shop, worker } = at;
    await startClock(shop, "2031-02-28T12:00:00.000Z");
    const id = await billedEvery("YEAR", 1, { store_payment_method_id: "pm_insufficient_funds" });
    await advance(shop, worker, 1.5);
    const [before] = await episodesOf(shop, id);
    expect(before).toMatchObject({ status: "OPEN", attempt_count: 1 });
    const paused = await done(shop.api, "POST", id, "pause", { pause_until: "2031-04-10" });
    expect(paused).toMatchObject({
      status: "PAUSED",
      is_in_dunning: true,
      current_dunning_episode: before.id,
    });
    expect(await episodesOf(shop, id)).toMatchObject([{ ...before, next_retry_at: null }]);
    const retry = await api<Json>(shop.api, "POST", on(id, "retry-payment"));
    expect(refusal(retry)).toEqual([409, "INVALID_STATE"]);
    expect(retry.body.error).toBe("Cannot retry the payment: the subscription is PAUSED");
    await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_success" });
    await worker.drain();
    expect((await upcoming(id)).map(([billing, , isAtRisk]) => [billing, isAtRisk])).toEqual([
      ["2031-04-11", true],
      ["2032-03-01", false],
      ["2033-03-01", false],
    ]);
    await advance(shop, worker, 30);
    expect(await attemptsOf(shop, id)).toHaveLength(1);
    await advance(shop, worker, 9.5);
    expect(await read(shop, id)).toMatchObject({
      status: "ACTIVE",
      is_in_dunning: true,
      current_billing_cycle: 1,
    });
    expect((await episodesOf(shop, id))[0].next_retry_at).toBe("2031-04-10T22:00:00.000Z");
    await advance(shop, worker, 1);
    expect(await chargedOn(id)).toHaveLength(1);
    expect(await read(shop, id)).toMatchObject({
      ...{ is_in_dunning: false, current_billing_cycle: 2, next_billing_date: "2032-03-01" },
    });
    expect(await episodesOf(shop, id)).toMatchObject([{ status: "RECOVERED" }]);
  });
});
