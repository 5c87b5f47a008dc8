/** A delivery that closed days could not move keeps its place in the schedule, whatever is done next. */
import { expect, test } from "vitest";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { followClosedDays } from "../../../src/domain/closed-days/follow.ts";
import { changeSubscription } from "../../../src/domain/subscriptions/actions/change-subscription.ts";
import { skipSubscription } from "../../../src/domain/subscriptions/actions/skip.ts";
import { type Ctx, openCtx } from "../../../src/kit/context.ts";
import { testDb } from "../../support/database.ts";
import {
  addPlan,
  addSlot,
  done,
  itemOf,
  type Json,
  openShop,
  read,
  rowOf,
  type Shop,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  linked,
  openWorker,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../support/worker.ts";

const path = "/api/subscriptions/closed-days";
const worker = useWorker();

/** A shop whose clock stands at a Sunday, and a weekly subscription of it that is delivered on Wednesdays. */
async function weekly(more: object = {}): Promise<{ of: Shop; id: string }> {
  const of = await openShop();
  await startClock(of, "2030-12-01T12:00:00.000Z");
  return { of, id: await linked(of, worker, { next_delivery_date: "2030-12-04", ...more }) };
}

async function close(of: Shop, from: string, to: string, rule: string, more: object = {}): Promise<string> {
  const body = { from, to, rule, label: "Holiday", ...more };
  const { data } = (await worker.call(of.api, "POST", path, { body })).body;
  await worker.drain();
  return data.id;
}

async function open(of: Shop, id: string): Promise<void> {
  expect((await worker.call(of.api, "DELETE", `${path}/${id}`)).status).toBe(204);
  await worker.drain();
}

function datesOf({ next_delivery_date, next_billing_date }: Json) {
  return [next_delivery_date, next_billing_date];
}

/** A subscription that closed days have moved by two weeks, and that stays there: they are opened after its own day. */
async function openedTooLate(): Promise<{ of: Shop; id: string }> {
  const { of, id } = await weekly();
  const closed = await close(of, "2030-12-04", "2030-12-17", "skip");
  expect(datesOf(await read(of, id))).toEqual(["2030-12-18", "2030-12-18"]);
  await advance(of, worker, 5);
  await open(of, closed);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-18", "2030-12-18"]);
  return { of, id };
}

test("a date that stayed where it was moved goes on from there, not back to a day that has passed", async () => {
  const { of, id } = await openedTooLate();
  await close(of, "2030-12-18", "2030-12-18", "later");
  expect(datesOf(await read(of, id))).toEqual(["2030-12-19", "2030-12-19"]);
  expect(await attemptsOf(of, id)).toEqual([]);
});

test("skipping weeks puts a date off that stayed where it was moved", async () => {
  const { of, id } = await openedTooLate();
  const skipped = await done(of.api, "POST", id, "skip", { skip_weeks: 1 });
  expect(datesOf(skipped)).toEqual(["2030-12-25", "2030-12-25"]);
});

test("skipping weeks charges a delivery as of where it stands if the charge would be on a closed day, and it stays as dates follow", async () => {
  const { of, id } = await weekly({ store_payment_method_id: "pm_card_declined" });
  await close(of, "2030-12-04", "2030-12-07", "later", { applies_to: ["delivery"] });
  const closed = await close(of, "2030-12-11", "2030-12-12", "later", { applies_to: ["billing"] });
  await advance(of, worker, 4);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-08", "2030-12-04"]);
  const skipped = await done(of.api, "POST", id, "skip", { skip_weeks: 1 });
  expect(datesOf(skipped)).toEqual(["2030-12-15", "2030-12-15"]);
  await done(of.api, "POST", id, "pause");
  await done(of.api, "POST", id, "resume");
  await follow(of, closed);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-15", "2030-12-15"]);
});

test("where a date falls away that stayed where it was moved, the next one of the schedule after it follows", async () => {
  const { of, id } = await weekly();
  const closed = await close(of, "2030-12-04", "2030-12-18", "later");
  await advance(of, worker, 13);
  await open(of, closed);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-19", "2030-12-19"]);
  const again = await close(of, "2030-12-19", "2030-12-19", "skip");
  expect(datesOf(await read(of, id))).toEqual(["2030-12-25", "2030-12-25"]);
  await open(of, again);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-19", "2030-12-19"]);
  await advance(of, worker, 1);
  expect(await attemptsOf(of, id)).toEqual([]);
});

test("a delivery that is paid for and stayed where it was moved is made before the next charge", async () => {
  const { of } = await weekly();
  const plan = await addPlan(of, {
    ...{ billing_interval_count: 2, delivery_interval: "WEEK", delivery_interval_count: 1 },
  });
  const id = await linked(of, worker, { lines: [itemOf(plan)], next_delivery_date: "2030-12-04" });
  await advance(of, worker, 4);
  const closed = await close(of, "2030-12-11", "2030-12-25", "later");
  await advance(of, worker, 18);
  await open(of, closed);
  expect((await read(of, id)).next_delivery_date).toBe("2030-12-26");
  const again = await close(of, "2030-12-26", "2030-12-26", "later", { applies_to: ["delivery"] });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-27", "2031-01-01"]);
  await open(of, again);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-26", "2031-01-01"]);
  expect(await attemptsOf(of, id)).toHaveLength(1);
});

/** A delivery that is paid for and stayed on the 26th, where days that were opened too late had moved it: its own day was the 11th. */
async function prepaidOpenedTooLate(): Promise<{ of: Shop; id: string }> {
  const { of } = await weekly();
  const plan = await addPlan(of, {
    ...{ billing_interval_count: 2, delivery_interval: "WEEK", delivery_interval_count: 1 },
  });
  const lines = [itemOf(plan)];
  const id = await linked(of, worker, { lines, next_delivery_date: "2030-12-04" });
  await advance(of, worker, 4);
  const closed = await close(of, "2030-12-11", "2030-12-25", "later");
  await advance(of, worker, 18);
  await open(of, closed);
  expect((await read(of, id)).next_delivery_date).toBe("2030-12-26");
  return { of, id };
}

test("in another slot, a delivery that is paid for and stayed where it was moved comes before the next charge", async () => {
  const { of, id } = await prepaidOpenedTooLate();
  const moved = await done(of.api, "PUT", id, "schedule", { delivery_slot_id: null });
  expect(datesOf(moved)).toEqual(["2030-12-26", "2031-01-01"]);
  await advance(of, worker, 1);
  expect(await attemptsOf(of, id)).toHaveLength(1);
});

test("a charge of the life before, answered late, pays for the delivery after one that stayed where it was moved", async () => {
  const { of, id } = await prepaidOpenedTooLate();
  await done(of.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_pending" });
  await shipNow(of, worker, id);
  await worker.drain({ soon: false });
  await done(of.api, "POST", id, "cancel");
  const back = await done(of.api, "POST", id, "reactivate");
  expect(back.next_delivery_date).toBe("2030-12-26");
  await done(of.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_success" });
  await advance(of, worker, 1);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-26", "2031-01-09"]);
  expect(await attemptsOf(of, id)).toHaveLength(2);
});

test("a reactivation counts from the schedule's own day, not from where closed days have moved it", async () => {
  const { of } = await weekly();
  const plan = await addPlan(of, {
    ...{ billing_interval_count: 2, delivery_interval: "WEEK", delivery_interval_count: 1 },
  });
  const id = await linked(of, worker, { lines: [itemOf(plan)], next_delivery_date: "2030-12-04" });
  await advance(of, worker, 4);
  await close(of, "2030-12-11", "2030-12-12", "later");
  await done(of.api, "POST", id, "cancel");
  const back = await done(of.api, "POST", id, "reactivate");
  expect([back.next_delivery_date, (await rowOf(id)).anchor_date]).toEqual(["2030-12-13", "2030-12-11"]);
  await advance(of, worker, 15);
  const days = (await ordersOf(of, id)).map(({ delivery_date }: Json) => delivery_date).toReversed();
  expect(days).toEqual(["2030-12-04", "2030-12-13", "2030-12-18"]);
});

test("a change of the frequency counts from the delivery that comes next, by the interval of before", async () => {
  const { of, id } = await weekly();
  await close(of, "2030-12-04", "2030-12-05", "skip");
  expect(datesOf(await read(of, id))).toEqual(["2030-12-11", "2030-12-11"]);
  await done(of.api, "PUT", id, "frequency", { interval: "DAY", interval_count: 3 });
  expect([datesOf(await read(of, id)), (await rowOf(id)).anchor_date]).toEqual([
    ["2030-12-11", "2030-12-11"],
    "2030-12-11",
  ]);
});

test("a retry that is due on the day on which cron has dates follow closed days is made in the same run", async () => {
  const { of, id } = await weekly({ store_payment_method_id: "pm_card_declined" });
  await close(of, "2030-12-04", "2030-12-07", "later", { applies_to: ["delivery"] });
  await advance(of, worker, 3);
  expect([datesOf(await read(of, id)), (await attemptsOf(of, id)).length]).toEqual([
    ["2030-12-08", "2030-12-04"],
    1,
  ]);
  const body = {
    from: "2030-12-08",
    to: "2030-12-08",
    rule: "later",
    applies_to: ["delivery"],
    label: "Holiday",
  };
  expect((await worker.call(of.api, "POST", path, { body })).status).toBe(201);
  worker.forget();
  await startClock(of, "2030-12-05T12:00:00.000Z");
  await openWorker({}, of.of.account.id).tick();
  expect(datesOf(await read(of, id))).toEqual(["2030-12-09", "2030-12-04"]);
  expect(await attemptsOf(of, id)).toMatchObject([
    { trigger: "DUNNING", status: "FAILED", delivery_date: "2030-12-09" },
    { trigger: "RECURRING", status: "FAILED", delivery_date: "2030-12-08" },
  ]);
});

/** Has the dates follow closed days once more. */
async function follow(of: Shop, closedId: string): Promise<void> {
  const body = { label: "Renamed" };
  expect((await worker.call(of.api, "PUT", `${path}/${closedId}`, { body })).status).toBe(200);
  await worker.drain();
}

test("a delivery that is moved from where it stands is charged as of that day, and stays however often dates follow", async () => {
  const { of, id } = await weekly();
  await close(of, "2030-12-04", "2030-12-12", "later", { applies_to: ["delivery"] });
  await close(of, "2030-12-04", "2030-12-06", "later", { applies_to: ["billing"] });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-13", "2030-12-07"]);
  await advance(of, worker, 4);
  const closed = await close(of, "2030-12-13", "2030-12-13", "later", { applies_to: ["delivery"] });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-14", "2030-12-13"]);
  await follow(of, closed);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-14", "2030-12-13"]);
});

test("a delivery that is put off as its customer knows its charge stays, however often dates follow", async () => {
  const { of, id } = await weekly();
  await advance(of, worker, 1);
  expect((await rowOf(id)).last_payment_reminder_billing_date).toBe("2030-12-04");
  await close(of, "2030-12-02", "2030-12-03", "skip", { applies_to: ["billing"] });
  await close(of, "2030-12-03", "2030-12-03", "skip", { applies_to: ["delivery"] });
  const closed = await close(of, "2030-12-04", "2030-12-04", "earlier", { applies_to: ["delivery"] });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-05", "2030-12-04"]);
  await follow(of, closed);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-05", "2030-12-04"]);
});

test("put off by weeks, a delivery that would be charged today is charged on its slot's day, and stays as dates follow", async () => {
  const of = await openShop();
  await startClock(of, "2030-12-01T12:00:00.000Z");
  const days = { day_of_week: 2, packing_day_of_week: 2, billing_day_of_week: 4, courier_lead_time_days: 2 };
  const delivery_slot_id = await addSlot(of, days);
  const id = await linked(of, worker, { delivery_slot_id, next_delivery_date: "2030-12-10" });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-10", "2030-12-01"]);
  const skipped = await done(of.api, "POST", id, "skip", { skip_weeks: 1 });
  expect(datesOf(skipped)).toEqual(["2030-12-17", "2030-12-05"]);
  const closed = await close(of, "2030-12-05", "2030-12-08", "later", { applies_to: ["billing"] });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-17", "2030-12-09"]);
  await follow(of, closed);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-17", "2030-12-09"]);
  await open(of, closed);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-17", "2030-12-05"]);
});

test("a change of the frequency leaves nothing to be put back of a delivery that stands on its own day", async () => {
  const { of, id } = await weekly();
  const closed = await close(of, "2030-12-04", "2030-12-05", "skip");
  expect(datesOf(await read(of, id))).toEqual(["2030-12-11", "2030-12-11"]);
  await worker.call(of.api, "DELETE", `${path}/${closed}`);
  await done(of.api, "PUT", id, "frequency", { interval: "DAY", interval_count: 3 });
  expect(await rowOf(id)).toMatchObject({ scheduled_index: null, scheduled_delivery_date: null });
  await worker.drain();
  expect(datesOf(await read(of, id))).toEqual(["2030-12-11", "2030-12-11"]);
});

test("a change of the frequency before the dates have followed leaves them to be put back", async () => {
  const { of, id } = await weekly();
  const closed = await close(of, "2030-12-04", "2030-12-05", "later");
  expect(datesOf(await read(of, id))).toEqual(["2030-12-06", "2030-12-06"]);
  await worker.call(of.api, "DELETE", `${path}/${closed}`);
  await done(of.api, "PUT", id, "frequency", { interval: "DAY", interval_count: 3 });
  await worker.drain();
  expect(datesOf(await read(of, id))).toEqual(["2030-12-04", "2030-12-04"]);
});

test("a change of the frequency leaves the next delivery the first of its schedule while its dates have yet to follow", async () => {
  const { of, id } = await weekly();
  const body = { from: "2030-12-04", to: "2030-12-05", rule: "skip", label: "Holiday" };
  const { data } = (await worker.call(of.api, "POST", path, { body })).body;
  await done(of.api, "PUT", id, "frequency", { interval: "DAY", interval_count: 3 });
  expect(await rowOf(id)).toMatchObject({ next_index: 0, next_delivery_date: "2030-12-04" });
  await open(of, data.id);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-04", "2030-12-04"]);
  await advance(of, worker, 3);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-07", "2030-12-07"]);
});

test("after a late delivery off the schedule, the next is charged from tomorrow on where closed days put it off", async () => {
  const of = await openShop();
  await startClock(of, "2030-12-01T12:00:00.000Z");
  const plan = await addPlan(of, { billing_interval: "DAY", billing_interval_count: 3 });
  const id = await linked(of, worker, { lines: [itemOf(plan)], next_delivery_date: "2030-12-15" });
  expect((await shipNow(of, worker, id)).status).toBe(200);
  worker.forget();
  await startClock(of, "2030-12-09T12:00:00.000Z");
  await close(of, "2030-12-03", "2030-12-20", "later", { applies_to: ["delivery"] });
  await worker.tick(Date.now() + 61_000);
  await worker.drain();
  const [attempt] = await attemptsOf(of, id);
  expect(attempt.status).toBe("SUCCEEDED");
  const { next_billing_date } = await read(of, id);
  expect(next_billing_date >= "2030-12-10").toBe(true);
});

test("a message that knew the days while they were closed moves nothing once they were opened", async () => {
  const { of, id } = await weekly();
  const closed = await close(of, "2030-12-04", "2030-12-05", "later");
  const known = await ctxOf(of);
  await open(of, closed);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-04", "2030-12-04"]);
  const late = changeSubscription(known, id, {}, (view) =>
    followClosedDays(known, view, { id: closed, label: "Holiday" }),
  );
  await expect(late).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-04", "2030-12-04"]);
});

test("a skip that still knew the days as closed is put right a minute after they were opened", async () => {
  const { of, id } = await weekly();
  const closed = await close(of, "2030-12-11", "2030-12-12", "later");
  const known = await ctxOf(of);
  await open(of, closed);
  await skipSubscription(known, { id, request: { skip_weeks: 1, reason: "Away" } });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-13", "2030-12-13"]);
  await worker.tick(Date.now() + 61_000);
  await worker.drain();
  expect(datesOf(await read(of, id))).toEqual(["2030-12-11", "2030-12-11"]);
});

test("a skip that did not know the days as closed is put right a minute after they were closed", async () => {
  const { of, id } = await weekly();
  const known = await ctxOf(of);
  await close(of, "2030-12-11", "2030-12-12", "later");
  await skipSubscription(known, { id, request: { skip_weeks: 1, reason: "Away" } });
  expect(datesOf(await read(of, id))).toEqual(["2030-12-11", "2030-12-11"]);
  await worker.tick(Date.now() + 61_000);
  await worker.drain();
  expect(datesOf(await read(of, id))).toEqual(["2030-12-13", "2030-12-13"]);
});

/** The context of a message that begins now. */
async function ctxOf({ of: { account } }: Shop): Promise<Ctx> {
  const opened = {
    env: parseEnv(worker.bindings),
    db: testDb(),
    account: (await readAccount(testDb(), account.id))!,
  };
  return openCtx({ ...opened, actor: { type: "system", name: null }, log: () => {}, realNow: new Date() });
}
