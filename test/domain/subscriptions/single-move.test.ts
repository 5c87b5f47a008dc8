/** A delivery that is moved alone leaves all others as they were, and can be moved back. */
import { beforeEach, expect, test } from "vitest";
import { addDays, addMonths, dayOfMonth, toDate, toDay } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { faults } from "../../support/records.ts";
import {
  addPlan,
  addSlot,
  customerOf,
  done,
  feedOf,
  force,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  read,
  rowOf,
  subscribe,
} from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();
let id: string;
beforeEach(async () => {
  id = await subscribe(shop);
});

function put(body: object, as = shop.api, query = {}) {
  return api<Json>(as, "PUT", on(id, "schedule"), { body, query });
}

function alone(next_delivery_date: string) {
  return done(shop.api, "PUT", id, "schedule", { next_delivery_date, scope: "this" });
}

async function upcoming(count = 12): Promise<Json[]> {
  return (await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count } })).body.data;
}

async function deliveries(count = 4): Promise<string[]> {
  return (await upcoming(count)).map(({ delivery_date }) => delivery_date);
}

/** The last day of a month that has 31, at least a week ahead. */
function lastOfMonth(): string {
  for (let day = inDays(7); ; day = addDays(day, 1)) if (dayOfMonth(day) === 31) return day;
}

test("moves that delivery and its charge alone: all others are as they would have been", async () => {
  const before = await upcoming();
  const moved = await alone(inDays(10));
  expect([moved.next_delivery_date, moved.next_billing_date]).toEqual([inDays(10), inDays(10)]);
  const [first, ...others] = await upcoming();
  expect([first.delivery_date, first.billing_date]).toEqual([inDays(10), inDays(10)]);
  expect(others).toEqual(before.slice(1));
  expect((await feedOf(shop, id))[0]).toMatchObject({
    action: "delivery_rescheduled",
    changes: { next_delivery_date: { from: inDays(7), to: inDays(10) } },
    metadata: { scope: "this" },
  });
});

test("without a scope the days of all that follow move along, and the entry says so", async () => {
  await done(shop.api, "PUT", id, "schedule", { next_delivery_date: inDays(10) });
  expect(await deliveries()).toEqual([inDays(10), inDays(17), inDays(24), inDays(31)]);
  expect((await feedOf(shop, id))[0].metadata).toEqual({ scope: "following" });
});

test.each([
  ["this", 14],
  ["following", 17],
])("a dry run previews the next two days and writes nothing: %s", async (scope, then) => {
  const row = await rowOf(id);
  const body = { next_delivery_date: inDays(10), scope };
  const { body: dry } = await put(body, shop.api, { dry_run: true });
  expect([dry.data.next_delivery_date, dry.following_delivery_date]).toEqual([inDays(10), inDays(then)]);
  expect(await rowOf(id)).toEqual(row);
  expect((await put(body)).body.following_delivery_date).toBe(inDays(then));
  expect(await deliveries(2)).toEqual([inDays(10), inDays(then)]);
});

test("undo brings the former day back", async () => {
  const [row, before] = [await rowOf(id), await upcoming()];
  const entry = (await put({ next_delivery_date: inDays(5), scope: "this" })).headers.get("Entry-Id");
  await done(shop.api, "POST", id, "undo", { entry_id: entry });
  const { revision: _, updated_at: __, ...columns } = row;
  expect(await rowOf(id)).toMatchObject(columns);
  expect(await upcoming()).toEqual(before);
});

test("moved back to its own day, it is as if it had never been moved", async () => {
  const row = await rowOf(id);
  await alone(inDays(12));
  await alone(inDays(7));
  const { anchor_date, anchor_day, next_index, next_delivery_date, next_billing_date } = row;
  expect(await rowOf(id)).toMatchObject({
    ...{ anchor_date, anchor_day, next_index, next_delivery_date, next_billing_date },
    ...{ scheduled_index: null, scheduled_delivery_date: null },
  });
});

test("those that follow can be moved along later, and it may be said again", async () => {
  await alone(inDays(10));
  const { revision } = await rowOf(id);
  await alone(inDays(10));
  expect((await rowOf(id)).revision).toBe(revision);
  expect(await deliveries(2)).toEqual([inDays(10), inDays(14)]);
  await done(shop.api, "PUT", id, "schedule", { next_delivery_date: inDays(10), scope: "following" });
  expect(await deliveries(3)).toEqual([inDays(10), inDays(17), inDays(24)]);
});

test("it stays before the one that follows it", async () => {
  for (const days of [14, 15, 30]) {
    const answer = await put({ next_delivery_date: inDays(days), scope: "this" });
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "next_delivery_date"]);
    expect(answer.body.details[0].message).toBe(
      `must be before ${inDays(14)}, the day of the delivery after it`,
    );
  }
  expect((await put({ next_delivery_date: inDays(-1), scope: "this" })).status).toBe(400);
  await alone(inDays(13));
});

test("the last delivery has none after it, so that it may go anywhere", async () => {
  await force(id, { max_cycles: 1 });
  const { body } = await put({ next_delivery_date: inDays(40), scope: "this" });
  expect(body.following_delivery_date).toBeNull();
  expect(await deliveries()).toEqual([inDays(40)]);
});

test("a slot is for all deliveries, so no other is chosen with it", async () => {
  const slot = await addSlot(shop, { day_of_week: 3 });
  const same = { next_delivery_date: inDays(9), scope: "this", delivery_slot_id: null };
  expect((await put(same)).body.data.next_delivery_date).toBe(inDays(9));
  for (const delivery_slot_id of [slot])
    expect(faults(await put({ next_delivery_date: nextDay(3), scope: "this", delivery_slot_id }))).toEqual([
      ...[400, "VALIDATION_FAILED", "delivery_slot_id"],
    ]);
});

test("in a slot it is packed and charged by the slot's days, and goes to one of them alone", async () => {
  const slot = await addSlot(shop, { day_of_week: 4, packing_day_of_week: 2, billing_day_of_week: 1 });
  const plan = await addPlan(shop, { billing_interval: "WEEK", billing_interval_count: 3 });
  const day = nextDay(4, 21);
  id = await subscribe(shop, {
    lines: [itemOf(plan)],
    next_delivery_date: day,
    delivery_slot_id: slot,
  });
  const before = await upcoming();
  expect((await put({ next_delivery_date: addDays(day, 1), scope: "this" })).status).toBe(400);
  const moved = await alone(addDays(day, -7));
  expect([moved.next_production_date, moved.next_billing_date]).toEqual([
    addDays(day, -9),
    addDays(day, -10),
  ]);
  expect((await upcoming()).slice(1)).toEqual(before.slice(1));
});

test("of a prepaid period each delivery can be moved alone, and the next charge stays", async () => {
  const plan = await addPlan(shop, {
    ...{ billing_interval: "WEEK", billing_interval_count: 3 },
    ...{ delivery_interval: "WEEK", delivery_interval_count: 1 },
  });
  id = await subscribe(shop, { lines: [itemOf(plan)] });
  await force(id, {
    ...{ next_index: 1, next_billed_index: 3 },
    ...{ next_delivery_date: inDays(14), next_billing_date: inDays(28) },
  });
  const before = await upcoming();
  const moved = await alone(inDays(16));
  expect(moved.next_billing_date).toBe(inDays(28));
  expect((await upcoming()).slice(1)).toEqual(before.slice(1));
});

test("the 31st stays the 31st, also where the frequency is changed after it", async () => {
  const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1 });
  const day = lastOfMonth();
  id = await subscribe(shop, { lines: [itemOf(plan)], next_delivery_date: day });
  await alone(addDays(day, 2));
  const later = (months: number) => toDate(addMonths(toDay(day), months, 31));
  expect(await deliveries(3)).toEqual([addDays(day, 2), later(1), later(2)]);
  await done(shop.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 2 });
  expect(await deliveries(3)).toEqual([addDays(day, 2), later(2), later(4)]);
});

test("a new frequency in weeks keeps the day of the week of those that follow", async () => {
  await alone(inDays(9));
  await done(shop.api, "PUT", id, "frequency", { interval: "WEEK", interval_count: 2 });
  expect(await deliveries(3)).toEqual([inDays(9), inDays(21), inDays(35)]);
});

test("skips: by deliveries it falls away, by weeks it moves with the schedule", async () => {
  await alone(inDays(10));
  await done(shop.api, "POST", id, "skip", { skip_weeks: 2 });
  expect(await deliveries(3)).toEqual([inDays(24), inDays(28), inDays(35)]);
  await done(shop.api, "POST", id, "unskip");
  await done(shop.api, "POST", id, "skip-deliveries", { count: 1 });
  expect(await deliveries(2)).toEqual([inDays(14), inDays(21)]);
  await done(shop.api, "POST", id, "unskip");
  expect(await deliveries(2)).toEqual([inDays(10), inDays(14)]);
});

test("a customer moves it within the bounds of any other move", async () => {
  const { customer, profileId } = await customerOf(shop.of);
  id = await subscribe(shop, { profile_id: profileId });
  expect((await put({ next_delivery_date: inDays(9), scope: "this" }, customer)).status).toBe(200);
  const plan = await addPlan(shop, { billing_interval: "YEAR", billing_interval_count: 3 });
  const at = { profile_id: profileId, lines: [itemOf(plan)], next_delivery_date: inDays(30) };
  id = await subscribe(shop, at);
  await api(shop.api, "PUT", "/api/account/portal", { body: { max_pause_days: 20 } });
  const { delivery_interval_count: years } = await read(shop, id);
  const reach = toDate(addMonths(toDay(inDays(20)), years * 12));
  const answer = await put({ next_delivery_date: addDays(reach, 1), scope: "this" }, customer);
  expect(answer.body.details).toEqual([
    { path: "next_delivery_date", message: `must be ${reach} or earlier` },
  ]);
  expect((await put({ next_delivery_date: reach, scope: "this" }, customer)).status).toBe(200);
});

test("closed days: a chosen day is none of them, and days that are opened leave it", async () => {
  const closedPath = "/api/subscriptions/closed-days";
  const closing = { from: inDays(7), to: inDays(8), rule: "later", label: "Holiday" };
  const { body } = await api<Json>(shop.api, "POST", closedPath, { body: closing });
  expect((await put({ next_delivery_date: inDays(8), scope: "this" })).status).toBe(400);
  await alone(inDays(10));
  await api(shop.api, "DELETE", `${closedPath}/${body.data.id}`);
  expect(await deliveries(3)).toEqual([inDays(10), inDays(14), inDays(21)]);
});
