import fc from "fast-check";
import { newId } from "../../../src/base/lib/ids.ts";
import { addDays, dayOfWeek } from "../../../src/base/lib/time/calendar.ts";
import { addPlan, addSlot, done, itemOf, read, rowOf, type Shop } from "../../support/shops.ts";
import { advance, linked, shipNow, type TestWorker } from "../../support/worker.ts";

export const today = "2030-01-31";

export async function createSubscription(
  { shop, worker }: { shop: Shop; worker: TestWorker },
  { plan, day, discounts: reductions, inDays, max_cycles, oneTime }: History,
): Promise<string> {
  const terms = {
    billing_interval: plan.unit,
    billing_interval_count: plan.count * plan.times,
    delivery_interval: plan.unit,
    delivery_interval_count: plan.count,
    shipping_amount: 4.5,
    max_cycles,
  };
  const planId = await addPlan(shop, terms);
  const slot = day ? await addSlot(shop, day) : null;
  let first = addDays(today, inDays);
  while (day && dayOfWeek(first) !== day.day_of_week) first = addDays(first, 1);
  const id = await linked(shop, worker, {
    next_delivery_date: first,
    delivery_slot_id: slot,
    lines: [itemOf(planId, { price: 33.33 })],
  });
  for (const body of reductions) await done(shop.api, "POST", id, "discounts", body);
  if (oneTime) await done(shop.api, "POST", id, "lines", itemOf(planId, { price: 7, is_one_time: true }));
  return id;
}

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

const days = orNull(
  fc.record({
    day_of_week: weekday,
    packing_day_of_week: orNull(weekday),
    billing_day_of_week: orNull(weekday),
    courier_lead_time_days: orNull(fc.integer({ min: 0, max: 10 })),
  }),
);

const discounts = fc.array(
  fc.record({
    title: fc.constant("Less"),
    value: fc.integer({ min: 1, max: 30 }),
    value_type: fc.constantFrom("PERCENTAGE", "FIXED_AMOUNT"),
    target_type: fc.constantFrom("ORDER", "SHIPPING_LINE", "LINE_ITEM"),
    recurring_cycle_limit: orNull(fc.integer({ min: 1, max: 5 })),
  }),
  { maxLength: 3 },
);

export const histories = fc.record({
  plan: plans,
  day: days,
  discounts,
  inDays: fc.integer({ min: 0, max: 40 }),
  max_cycles: orNull(fc.integer({ min: 1, max: 5 })),
  oneTime: fc.boolean(),
  actions: fc.array(
    fc.constantFrom("skip", "ship-now", "reschedule", "pause", "frequency", "advance 50 days", "cancel"),
    { maxLength: 4 },
  ),
});

type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

/** The actions that may come before the projection is read. */
export const perform: Record<
  History["actions"][number],
  (subject: { shop: Shop; worker: TestWorker; id: string }) => Promise<unknown>
> = {
  skip: ({ shop, id }) => done(shop.api, "POST", id, "skip", { skip_weeks: 2 }),
  "ship-now": async ({ shop, worker, id }) => {
    await shipNow(shop, worker, id, {}, { headers: { "Idempotency-Key": newId() } });
    await worker.drain();
  },
  reschedule: async ({ shop, id }) => {
    const { next_delivery_date: planned } = await read(shop, id);
    await done(shop.api, "PUT", id, "schedule", { next_delivery_date: addDays(planned, 7) });
  },
  pause: async ({ shop, worker, id }) => {
    await done(shop.api, "POST", id, "pause");
    await advance(shop, worker, 20);
    await done(shop.api, "POST", id, "resume");
  },
  frequency: async ({ shop, id }) => {
    const { billing_interval: interval, delivery_interval_count: count } = await read(shop, id);
    const { deliveries_per_billing: times } = await rowOf(id);
    await done(shop.api, "PUT", id, "frequency", { interval, interval_count: times * (count === 2 ? 3 : 2) });
  },
  "advance 50 days": ({ shop, worker }) => advance(shop, worker, 50),
  cancel: ({ shop, id }) => done(shop.api, "POST", id, "cancel"),
};

function orNull<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { nil: null });
}
