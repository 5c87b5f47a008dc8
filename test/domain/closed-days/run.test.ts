/** Over closed days every delivery that is paid for is made, and another account's days move nothing. */
import { describe, expect, test } from "vitest";
import {
  addPlan,
  addSlot,
  entriesOf,
  feedOf,
  itemOf,
  type Json,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import { limitedKey } from "../../support/tenant.ts";
import { advance, attemptsOf, linked, ordersOf, startClock, useWorker } from "../../support/worker.ts";

const path = "/api/subscriptions/closed-days";
const worker = useWorker();

/** A shop whose clock stands at a Sunday in December. */
async function shopInDecember(): Promise<Shop> {
  const of = await openShop();
  await startClock(of, "2030-12-01T12:00:00.000Z");
  return of;
}

async function close(of: Shop, from: string, to: string, rule: string, more: object = {}): Promise<string> {
  const body = { from, to, rule, label: "Holiday", ...more };
  const { status, body: answer } = await worker.call(of.api, "POST", path, { body });
  expect([status, answer.data]).toMatchObject([201, body]);
  await worker.drain();
  return answer.data.id;
}

/** A subscription to a plan of these intervals. */
async function subscribeTo(of: Shop, terms: object, more: object): Promise<string> {
  const plan = await addPlan(of, terms);
  return linked(of, worker, { lines: [itemOf(plan)], ...more });
}

/** The orders, oldest first: delivered, packed, charged, for how much. */
async function shipped(of: Shop, id: string): Promise<unknown[][]> {
  const orders = await ordersOf(of, id);
  return orders
    .map((each: Json) => [each.delivery_date, each.production_date, each.billing_date, each.total])
    .toReversed();
}

/** The days on which its card was charged, oldest first. */
async function charged(of: Shop, id: string): Promise<string[]> {
  const attempts = await attemptsOf(of, id);
  return attempts.map(({ created_at, status }: Json) => `${created_at.slice(0, 10)} ${status}`).toReversed();
}

function datesOf({ next_delivery_date, next_production_date, next_billing_date }: Json) {
  return [next_delivery_date, next_production_date, next_billing_date];
}

/** The moves for closed days in the activity feed, oldest first. */
async function moves(of: Shop, id: string): Promise<Json[]> {
  const feed = await feedOf(of, id);
  return feed
    .filter(({ action }) => action === "delivery_rescheduled")
    .map(({ actor_type, metadata, changes }) => [actor_type, metadata.label, changes.next_delivery_date])
    .toReversed();
}

test("a prepaid plan over closed days makes each delivery that is paid for, before it is charged again", async () => {
  const of = await shopInDecember();
  const id = await subscribeTo(
    of,
    { billing_interval_count: 2, delivery_interval: "WEEK", delivery_interval_count: 1 },
    { next_delivery_date: "2030-12-04" },
  );
  await advance(of, worker, 4);
  expect(datesOf(await read(of, id))).toEqual(["2030-12-11", null, "2030-12-18"]);
  await close(of, "2030-12-10", "2030-12-12", "earlier");
  expect(datesOf(await read(of, id))).toEqual(["2030-12-09", null, "2030-12-18"]);
  await close(of, "2030-12-24", "2030-12-26", "skip");
  await advance(of, worker, 40);
  expect(await shipped(of, id)).toEqual([
    ["2030-12-04", null, "2030-12-04", 10],
    ["2030-12-09", null, "2030-12-09", 0],
    ["2030-12-18", null, "2030-12-18", 10],
    ["2031-01-01", null, "2031-01-01", 0],
    ["2031-01-08", null, "2031-01-08", 10],
  ]);
  expect(await charged(of, id)).toEqual(
    ["2030-12-04", "2030-12-18", "2031-01-08"].map((day) => `${day} SUCCEEDED`),
  );
  expect(await moves(of, id)).toEqual([["system", "Holiday", { from: "2030-12-11", to: "2030-12-09" }]]);
  expect((await entriesOf(id)).filter(({ action }) => action === "billing_succeeded")).toHaveLength(3);
});

describe("a plan in a delivery slot, packed on Tuesdays and charged on Mondays, over closed days", () => {
  test.each<[string, [string, string, string], string]>([
    ["earlier", ["2030-12-18", "2030-12-17", "2030-12-16"], "is delivered, packed and charged a week before"],
    ["later", ["2031-01-01", "2030-12-31", "2030-12-23"], "is delivered and packed a week after"],
    ["skip", ["2031-01-08", "2031-01-07", "2031-01-06"], "is delivered on the next day of its schedule"],
  ])("%s: %j, %s", async (rule, dates) => {
    const of = await shopInDecember();
    const day = { day_of_week: 3, packing_day_of_week: 2, billing_day_of_week: 1 };
    const slot = await addSlot(of, day);
    const id = await subscribeTo(
      of,
      { billing_interval_count: 2 },
      { next_delivery_date: "2030-12-11", delivery_slot_id: slot },
    );
    await advance(of, worker, 9);
    const planned = ["2030-12-25", "2030-12-24", "2030-12-23"];
    expect(datesOf(await read(of, id))).toEqual(planned);
    const closed = await close(of, "2030-12-24", "2030-12-26", rule, { slot_ids: [slot] });
    expect(datesOf(await read(of, id))).toEqual(dates);
    expect(await moves(of, id)).toEqual([["system", "Holiday", { from: planned[0], to: dates[0] }]]);
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "delivery_rescheduled",
      metadata: { closed_day_id: closed, label: "Holiday" },
    });
    await advance(of, worker, 35);
    const next = ["2031-01-08", "2031-01-07", "2031-01-06"];
    const all = rule === "skip" ? [dates] : [dates, next];
    expect((await shipped(of, id)).slice(1)).toEqual(all.map((each) => [...each, 10]));
    expect((await charged(of, id)).slice(1)).toEqual(all.map((each) => `${each[2]} SUCCEEDED`));
  });
});

test("a monthly plan whose day is closed and skipped keeps its day of the month", async () => {
  const of = await openShop();
  await startClock(of, "2030-11-20T12:00:00.000Z");
  const id = await subscribeTo(of, { billing_interval: "MONTH" }, { next_delivery_date: "2030-11-25" });
  await advance(of, worker, 10);
  await close(of, "2030-12-24", "2030-12-26", "skip");
  expect(datesOf(await read(of, id))).toEqual(["2031-01-25", null, "2031-01-25"]);
  await advance(of, worker, 100);
  const days = ["2030-11-25", "2031-01-25", "2031-02-25"];
  expect(await shipped(of, id)).toEqual(days.map((day) => [day, null, day, 10]));
  expect(await charged(of, id)).toEqual(days.map((day) => `${day} SUCCEEDED`));
  expect(await moves(of, id)).toEqual([["system", "Holiday", { from: "2030-12-25", to: "2031-01-25" }]]);
});

describe("another account's closed days", () => {
  test("move nothing here, and are not found", async () => {
    const [of, other] = [await shopInDecember(), await shopInDecember()];
    const id = await linked(of, worker, { next_delivery_date: "2030-12-04" });
    const before = await read(of, id);
    const closed = await close(other, "2030-12-03", "2030-12-12", "later");
    expect(await read(of, id)).toEqual(before);
    expect((await worker.call(of.api, "GET", path)).body.data).toEqual([]);
    for (const [method, body] of [["GET"], ["PUT", { rule: "skip" }], ["DELETE"]] as const)
      expect(
        (await worker.call(of.api, method, `${path}/${closed}`, body ? { body } : {})).status,
        method,
      ).toBe(404);
    expect((await worker.call(other.api, "GET", `${path}/${closed}`)).body.data.rule).toBe("later");
    await advance(of, worker, 12);
    expect((await shipped(of, id)).map(([day]) => day)).toEqual(["2030-12-04", "2030-12-11"]);
    expect(await moves(of, id)).toEqual([]);
  });

  test("name no slot of another account", async () => {
    const [of, other] = [await shopInDecember(), await shopInDecember()];
    const slot = await addSlot(other, { day_of_week: 3 });
    const body = { from: "2030-12-24", to: "2030-12-26", rule: "later", label: "Holiday", slot_ids: [slot] };
    const { status, body: answer } = await worker.call(of.api, "POST", path, { body });
    expect([status, answer.errorCode]).toEqual([400, "UNKNOWN_DELIVERY_SLOT"]);
  });
});

describe("who may not close days", () => {
  const body = { from: "2030-12-24", to: "2030-12-26", rule: "later", label: "Holiday" };

  async function answersTo(as: Parameters<typeof worker.call>[0], closed: string): Promise<number[]> {
    const one = `${path}/${closed}`;
    const asked = [
      await worker.call(as, "POST", path, { body }),
      await worker.call(as, "POST", path, { body, query: { dry_run: "true" } }),
      await worker.call(as, "PUT", one, { body: { rule: "skip" } }),
      await worker.call(as, "DELETE", one),
    ];
    return asked.map(({ status }) => status);
  }

  test("a key that may only read them: every change is 403, and nothing changes", async () => {
    const of = await shopInDecember();
    const closed = await close(of, "2030-12-10", "2030-12-12", "later");
    const key = await limitedKey(of.of, ["delivery:read", "subscriptions:write", "billing:write"]);
    expect(await answersTo(key, closed)).toEqual([403, 403, 403, 403]);
    expect((await worker.call(key, "GET", path)).body.data).toMatchObject([{ id: closed, rule: "later" }]);
  });

  test("customers: everything is 403, and they see none", async () => {
    const of = await shopInDecember();
    const closed = await close(of, "2030-12-10", "2030-12-12", "later");
    expect(await answersTo(of.customer, closed)).toEqual([403, 403, 403, 403]);
    for (const at of [path, `${path}/${closed}`])
      expect((await worker.call(of.customer, "GET", at)).status).toBe(403);
    expect((await worker.call(of.api, "GET", path)).body.data).toMatchObject([{ id: closed, rule: "later" }]);
  });
});
