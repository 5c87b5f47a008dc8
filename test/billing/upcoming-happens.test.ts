import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { addDays, dayOfWeek } from "../../src/subscriptions/cadence.ts";
import { api } from "../support/client.ts";
import {
  addPlan,
  addSlot,
  done,
  itemOf,
  type Json,
  type Life,
  life,
  on,
  read,
  rowOf,
} from "../support/lives.ts";
import { advance, clockOf, linked, ordersOf, shipNow, startClock, useWorker } from "../support/machine.ts";
import { seeded } from "../support/records.ts";

const worker = useWorker();

const today = "2030-01-31";
const noon = `${today}T12:00:00.000Z`;

const plans = fc.oneof(
  fc.record({
    unit: fc.constant("DAY"),
    count: fc.integer({ min: 1, max: 20 }),
    times: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    unit: fc.constant("WEEK"),
    count: fc.integer({ min: 1, max: 6 }),
    times: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    unit: fc.constant("MONTH"),
    count: fc.integer({ min: 1, max: 3 }),
    times: fc.integer({ min: 1, max: 4 }),
  }),
);
const weekday = fc.integer({ min: 1, max: 7 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const days = maybe(
  fc.record({
    day_of_week: weekday,
    packing_day_of_week: maybe(weekday),
    billing_day_of_week: maybe(weekday),
    courier_lead_time_days: maybe(fc.integer({ min: 0, max: 10 })),
  }),
);
const discounts = fc.array(
  fc.record({
    title: fc.constant("Less"),
    value: fc.integer({ min: 1, max: 30 }),
    value_type: fc.constantFrom("PERCENTAGE", "FIXED_AMOUNT"),
    target_type: fc.constantFrom("ORDER", "SHIPPING_LINE", "LINE_ITEM"),
    recurring_cycle_limit: maybe(fc.integer({ min: 1, max: 5 })),
  }),
  { maxLength: 3 },
);
const lives = fc.record({
  plan: plans,
  day: days,
  discounts,
  inDays: fc.integer({ min: 0, max: 40 }),
  max_cycles: maybe(fc.integer({ min: 1, max: 5 })),
  oneTime: fc.boolean(),
  first: fc.array(
    fc.constantFrom("skip", "ship-now", "reschedule", "pause", "frequency", "some days", "cancel"),
    { maxLength: 4 },
  ),
});
type Drawn = typeof lives extends fc.Arbitrary<infer T> ? T : never;

const begin = async (
  shop: Life,
  { plan, day, discounts: less, inDays, max_cycles, oneTime }: Drawn,
): Promise<string> => {
  const terms = {
    billing_interval: plan.unit,
    billing_interval_count: plan.count * plan.times,
    delivery_interval: plan.unit,
    delivery_interval_count: plan.count,
    shipping_amount: 4.5,
    max_cycles,
  };
  const its = await addPlan(shop, terms);
  const slot = day ? await addSlot(shop, day) : null;
  let first = addDays(today, inDays);
  while (day && dayOfWeek(first) !== day.day_of_week) first = addDays(first, 1);
  const id = await linked(shop, worker, {
    next_delivery_date: first,
    delivery_slot_id: slot,
    lines: [itemOf(its, { price: 33.33 })],
  });
  for (const body of less) await done(shop.api, "POST", id, "discounts", body);
  if (oneTime) await done(shop.api, "POST", id, "lines", itemOf(its, { price: 7, is_one_time: true }));
  return id;
};

/** What happens before anybody looks at what is to come. */
const before: Record<Drawn["first"][number], (shop: Life, id: string) => Promise<unknown>> = {
  skip: (shop, id) => done(shop.api, "POST", id, "skip", { skip_weeks: 2 }),
  "ship-now": async (shop, id) => {
    await shipNow(shop, worker, id, {}, { headers: { "Idempotency-Key": newId() } });
    await worker.drain();
  },
  reschedule: async (shop, id) => {
    const { next_delivery_date: planned } = await read(shop, id);
    await done(shop.api, "PUT", id, "schedule", { next_delivery_date: addDays(planned, 7) });
  },
  pause: async (shop, id) => {
    await done(shop.api, "POST", id, "pause");
    await advance(shop, worker, 20);
    await done(shop.api, "POST", id, "resume");
  },
  frequency: async (shop, id) => {
    const { billing_interval: interval, delivery_interval_count: count } = await read(shop, id);
    const { deliveries_per_billing: times } = await rowOf(id);
    await done(shop.api, "PUT", id, "frequency", { interval, interval_count: times * (count === 2 ? 3 : 2) });
  },
  "some days": (shop) => advance(shop, worker, 50),
  cancel: (shop, id) => done(shop.api, "POST", id, "cancel"),
};

type Delivery = Record<"billing_date" | "delivery_date" | "production_date" | "total", unknown>;
const shown = (one: Json, isBilled: boolean): Delivery => ({
  billing_date: isBilled ? one.billing_date : null,
  delivery_date: one.delivery_date,
  production_date: one.production_date,
  total: one.total,
});

test("what upcoming projects is what the year then brings", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (drawn) => {
      const shop = await life();
      await startClock(shop, noon);
      const id = await begin(shop, drawn);
      for (const act of drawn.first)
        if ((await read(shop, id)).status === "ACTIVE") await before[act](shop, id);
      const past = (await ordersOf(shop, id)).length;
      const now = (await clockOf(shop)).slice(0, 10);
      const projected: Json[] = (await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 24 } }))
        .body.data;
      const last = [projected.at(-1)?.delivery_date ?? now, addDays(now, 366)].sort()[0] as string;
      const until = addDays(last, 1);
      await advance(shop, worker, (Date.parse(until) - Date.parse(now)) / 86_400_000);
      const orders = (await ordersOf(shop, id)).reverse().slice(past);
      const number = projected.filter(({ delivery_date }) => delivery_date <= until).length;
      expect(orders.length).toBeGreaterThanOrEqual(number);
      const compared = Math.min(orders.length, projected.length);
      const billed = projected.map(({ is_billed }) => is_billed);
      expect(orders.slice(0, compared).map((order, nth) => shown(order, billed[nth]))).toEqual(
        projected.slice(0, compared).map((one) => shown(one, one.is_billed)),
      );
      if (projected.length < 24 && projected.length === number)
        expect(await read(shop, id)).toMatchObject({
          status: drawn.first.includes("cancel") ? expect.stringMatching(/CANCELLED|EXPIRED/) : "EXPIRED",
          next_delivery_date: null,
        });
    }),
    seeded(Math.min(20, Math.ceil(Number(env.MODEL_RUNS) / 12))),
  );
});
