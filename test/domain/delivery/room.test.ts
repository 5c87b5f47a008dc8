/** A slot takes no more deliveries than it has room for, and a place that is given up is free again. */
import { beforeEach, describe, expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import {
  addPlan,
  addSlot,
  done,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  openShop,
  refusal,
  rowOf,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();
const slots = "/api/subscriptions/delivery-slots";

/** Thursdays from the week after next on. */
const [first, second, third] = [nextDay(4, 14), nextDay(4, 21), nextDay(4, 28)];

let slot: string;
beforeEach(async () => {
  slot = await addSlot(shop, { day_of_week: 4 }, { max_deliveries_per_day: 1 });
});

function inSlot(next_delivery_date = first, more: object = {}): Promise<string> {
  return subscribe(shop, { next_delivery_date, delivery_slot_id: slot, ...more });
}

function request(more: object = {}) {
  return {
    profile_id: shop.profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: first,
    delivery_slot_id: slot,
    lines: [itemOf(shop.plan)],
    ...more,
  };
}

function create(more: object = {}, query: Record<string, string> = {}) {
  return api<Json>(shop.api, "POST", "/api/subscriptions", { body: request(more), query });
}

function change(id: string, method: "POST" | "PUT", part: string, body: object = {}, query = {}) {
  return api<Json>(shop.api, method, on(id, part), { body, query });
}

/** The deliveries of each day of the slot. */
async function counted(of = slot): Promise<Record<string, number>> {
  const rows = await select<{ delivery_date: string; count: number }>(
    "SELECT delivery_date, count FROM delivery_counts WHERE delivery_slot_id = ? AND count <> 0",
    of,
  );
  return Object.fromEntries(rows.map(({ delivery_date, count }) => [delivery_date, count]));
}

function fullOn(path: string, next: string) {
  return [
    409,
    "INVALID_STATE",
    [{ path, message: `is a full day of the delivery slot, the next free day is ${next}` }],
  ];
}

function refused({ status, body }: { status: number; body: Json }) {
  return [status, body.errorCode, body.details];
}

describe("a full day is refused, by a dry run too, and names the next free day", () => {
  test("on creation; nothing is written", async () => {
    await inSlot();
    const before = await rowsOf(shop.of.account.id);
    for (const query of [{}, { dry_run: "true" }] as Record<string, string>[]) {
      const answer = await create({}, query);
      expect(refused(answer)).toEqual(fullOn("next_delivery_date", second));
      expect(answer.body.error).toBe(
        `Cannot create: the delivery slot is full on ${first}, the next free day is ${second}`,
      );
    }
    expect(await rowsOf(shop.of.account.id)).toBe(before);
    await inSlot(second);
    expect(refused(await create())).toEqual(fullOn("next_delivery_date", third));
  });

  test("on creation of several groups, as a whole or none", async () => {
    await api(shop.api, "PUT", `${slots}/${slot}`, { body: { max_deliveries_per_day: 2 } });
    await inSlot();
    const monthly = await addPlan(shop, { billing_interval: "MONTH" });
    const lines = [itemOf(shop.plan), itemOf(monthly)];
    expect(refused(await create({ lines }))).toEqual(fullOn("next_delivery_date", second));
    expect(await counted()).toEqual({ [first]: 1 });
    expect((await create({ lines, next_delivery_date: second })).status).toBe(201);
    expect(await counted()).toEqual({ [first]: 1, [second]: 2 });
    const third = await addPlan(shop, { billing_interval: "YEAR" });
    const answer = await create({ lines: [...lines, itemOf(third)] });
    expect(answer.body.details[0].message).toContain("no day of the 52 weeks after it is free");
  });

  test("on another date or slot", async () => {
    await inSlot();
    const free = await subscribe(shop, { next_delivery_date: first });
    const later = await inSlot(second);
    for (const query of [{}, { dry_run: true }]) {
      const bySlot = await change(free, "PUT", "schedule", { delivery_slot_id: slot }, query);
      expect(refused(bySlot)).toEqual(fullOn("delivery_slot_id", third));
      const byDate = await change(later, "PUT", "schedule", { next_delivery_date: first }, query);
      expect(refused(byDate)).toEqual(fullOn("next_delivery_date", third));
    }
    await done(shop.api, "PUT", later, "schedule", { next_delivery_date: second, delivery_slot_id: slot });
    await done(shop.api, "PUT", later, "schedule", { next_delivery_date: third });
    expect(await counted()).toEqual({ [first]: 1, [third]: 1 });
  });

  test("where a subscription resumes, is reactivated, or takes a skip back", async () => {
    const paused = await inSlot();
    await done(shop.api, "POST", paused, "pause");
    const cancelled = await inSlot();
    await done(shop.api, "POST", cancelled, "cancel");
    const skipped = await inSlot();
    await done(shop.api, "POST", skipped, "skip-deliveries");
    await inSlot();
    const at = { next_delivery_date: first };
    const full = fullOn("next_delivery_date", third);
    expect(refused(await change(paused, "POST", "resume"))).toEqual(full);
    expect(refused(await change(cancelled, "POST", "reactivate", at))).toEqual(full);
    expect(refused(await change(skipped, "POST", "unskip"))).toEqual(full);
    await done(shop.api, "POST", paused, "resume", { next_delivery_date: third });
    expect((await rowOf(paused)).status).toBe("ACTIVE");
  });
});

describe("a place is free again", () => {
  test.each<[string, object]>([
    ["pause", {}],
    ["cancel", {}],
    ["skip", { skip_weeks: 1 }],
    ["skip-deliveries", {}],
  ])("after %s", async (part, body) => {
    const id = await inSlot();
    expect((await create()).status).toBe(409);
    await done(shop.customer, "POST", id, part, body);
    expect((await create()).status).toBe(201);
    expect((await counted())[first]).toBe(1);
  });

  test("where there is no bound any more, and there is one as soon as the merchant sets it", async () => {
    await inSlot();
    const bound = (max_deliveries_per_day: number | null) =>
      api(shop.api, "PUT", `${slots}/${slot}`, { body: { max_deliveries_per_day } });
    await bound(null);
    await inSlot();
    await inSlot();
    expect(await counted()).toEqual({ [first]: 3 });
    await bound(3);
    expect((await create()).status).toBe(409);
    await bound(4);
    expect((await create()).status).toBe(201);
  });
});

test("skipping and pausing are never refused for a full day", async () => {
  const id = await inSlot();
  await inSlot(second);
  await done(shop.api, "POST", id, "skip-deliveries");
  expect(await counted()).toEqual({ [second]: 2 });
});

test("of requests at once, one takes the last place, whatever they are", async () => {
  const paused = await inSlot();
  await done(shop.api, "POST", paused, "pause");
  const free = await subscribe(shop, { next_delivery_date: first });
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => create()),
    change(paused, "POST", "resume"),
    change(free, "PUT", "schedule", { delivery_slot_id: slot }),
  ]);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status >= 300))
    expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
  expect(await counted()).toEqual({ [first]: 1 });
});

test("a retry of a creation under its key takes no second place", async () => {
  const headers = { "Idempotency-Key": `key-${slot}` };
  const once = () => api<Json>(shop.api, "POST", "/api/subscriptions", { body: request(), headers });
  const [one, two] = [await once(), await once()];
  expect([one.status, two.status, two.body.ids]).toEqual([201, 201, one.body.ids]);
  expect(await counted()).toEqual({ [first]: 1 });
});

test("another account's slot counts for itself, and cannot be chosen", async () => {
  const other: Shop = await openShop();
  const theirs = await addSlot(other, { day_of_week: 4 }, { max_deliveries_per_day: 1 });
  await subscribe(other, { next_delivery_date: first, delivery_slot_id: theirs });
  expect(refusal(await create({ delivery_slot_id: theirs }))).toEqual([400, "UNKNOWN_DELIVERY_SLOT"]);
  await inSlot();
  expect([await counted(), await counted(theirs)]).toEqual([{ [first]: 1 }, { [first]: 1 }]);
});

test("days of the slot's other times, and days beyond it, have room of their own", async () => {
  await inSlot();
  const evening = await addSlot(shop, { day_of_week: 4 }, { max_deliveries_per_day: 1 });
  await subscribe(shop, { next_delivery_date: first, delivery_slot_id: evening });
  await inSlot(addDays(first, 70));
  expect(await counted()).toEqual({ [first]: 1, [addDays(first, 70)]: 1 });
  expect(first > inDays(13)).toBe(true);
});
