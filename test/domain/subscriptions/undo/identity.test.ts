/** Doing any operation to a random subscription and undoing it changes nothing. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dayOfWeek } from "../../../../src/base/lib/time/calendar.ts";
import { seeded } from "../../../support/seeded.ts";
import { addPlan, addSlot, done, itemOf, openShop } from "../../../support/shops.ts";
import { advance, linked, startClock, useWorker } from "../../../support/worker.ts";
import { changes, type Made, make, mustUndo, stateOf } from "./undoing.ts";

const worker = useWorker();

/** Before the dates of the first deliveries, which are on one of the last days of a long month. */
const start = "2030-01-20T12:00:00.000Z";

const lives = fc.record({
  day: fc.integer({ min: 28, max: 31 }),
  terms: fc.constantFrom(
    { billing_interval: "MONTH", billing_interval_count: 1 },
    { billing_interval: "MONTH", billing_interval_count: 1, min_cycles: 4 },
    { billing_interval: "MONTH", billing_interval_count: 1, max_cycles: 6 },
    {
      billing_interval: "MONTH",
      billing_interval_count: 3,
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
    },
    { billing_interval: "WEEK", billing_interval_count: 2 },
    { billing_interval: "YEAR", billing_interval_count: 1 },
  ),
  isInSlot: fc.boolean(),
  closes: fc.constantFrom(undefined, "earlier", "later", "skip"),
  state: fc.constantFrom(
    "ACTIVE",
    "later",
    "PAUSED",
    "PAUSED with an end",
    "in dunning",
    "failed",
    "CANCELLED",
  ),
});
type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

/** Another payment method is charged at once with what is owed, so that there is nothing to undo. */
function isFailing({ state }: Pick<Life, "state">): boolean {
  return state === "in dunning" || state === "failed";
}

async function live({ day, terms, isInSlot, closes, state }: Life): Promise<Made> {
  const shop = await openShop({ timezone: "Europe/Berlin" });
  await startClock(shop, start);
  const first = `2030-01-${day}`;
  if (closes) {
    const body = { from: "2030-02-25", to: "2030-03-01", rule: closes, label: "Holiday" };
    await worker.call(shop.api, "POST", "/api/subscriptions/closed-days", { body });
  }
  const plan = await addPlan(shop, terms);
  const slot = isInSlot
    ? await addSlot(shop, { day_of_week: dayOfWeek(first), packing_day_of_week: 1 })
    : null;
  const id = await linked(shop, worker, {
    next_delivery_date: first,
    delivery_slot_id: slot,
    store_payment_method_id: isFailing({ state }) ? "pm_insufficient_funds" : "pm_success",
    lines: [itemOf(plan, { price: 12 }), itemOf(plan, { store_variant_id: "other" })],
  });
  const made = { shop: { ...shop, plan }, id };
  await done(shop.api, "POST", id, "discounts", {
    ...{
      title: "Welcome",
      value: 5,
      value_type: "PERCENTAGE",
      target_type: "ORDER",
      recurring_cycle_limit: 20,
    },
  });
  if (state === "later") await advance(shop, worker, 33);
  if (state === "in dunning") await advance(shop, worker, 13);
  if (state === "failed") await advance(shop, worker, 25);
  if (state === "PAUSED") await make(made, "pause");
  if (state === "PAUSED with an end") await make(made, "pause until");
  if (state === "CANCELLED") await make(made, "cancel");
  await worker.drain();
  return made;
}

test.each(Object.keys(changes))(
  "to %s and to undo it is to change nothing",
  { timeout: 600_000 },
  async (name) => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        if (name === "payment method" && isFailing(life)) return;
        const subject = await live(life);
        const before = await stateOf(subject);
        const entry = await make(subject, name);
        if (entry === undefined) return;
        made++;
        await worker.drain();
        await mustUndo(subject, entry);
        expect(await stateOf(subject)).toEqual(before);
      }),
      seeded(Math.max(6, Math.ceil(Number(env.MODEL_RUNS) / 12))),
    );
    expect(made, "some lives have the change").toBeGreaterThan(0);
  },
);
