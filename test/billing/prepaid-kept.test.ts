import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { addDays } from "../../src/subscriptions/cadence.ts";
import { api } from "../support/client.ts";
import { addPlan, addSlot, itemOf, type Life, life, on, read, rowOf } from "../support/lives.ts";
import {
  advance,
  chargesOf,
  linked,
  type Machine,
  machine,
  ordersOf,
  shipNow,
  startClock,
} from "../support/machine.ts";
import { seeded } from "../support/records.ts";

let works: Machine;
beforeAll(() => {
  works = machine();
});

const today = "2030-01-31";

const payWith = (of: Life, id: string, store_payment_method_id: string) =>
  api(of.api, "PUT", on(id, "payment-method"), { body: { store_payment_method_id } });
const ship = async (of: Life, id: string): Promise<void> => {
  await shipNow(of, works, id, {}, { headers: { "Idempotency-Key": newId() } });
  await works.drain();
};

/** What people do to a subscription, and what happens to it. A refusal is as good as not having asked. */
const deeds = {
  "some days": (of: Life) => advance(of, works, 10),
  "more days": (of: Life) => advance(of, works, 40),
  "another frequency": async (of: Life, id: string) => {
    const { deliveries_per_billing: times, delivery_interval_count: count } = await rowOf(id);
    const body = { interval: "WEEK", interval_count: times * ((count % 3) + 1) };
    await api(of.customer, "PUT", on(id, "frequency"), { body });
  },
  skip: (of: Life, id: string) => api(of.api, "POST", on(id, "skip"), { body: { skip_weeks: 1 } }),
  unskip: (of: Life, id: string) => api(of.api, "POST", on(id, "unskip")),
  reschedule: async (of: Life, id: string) => {
    const { next_delivery_date: planned } = await read(of, id);
    const body = { next_delivery_date: addDays(planned ?? today, 7) };
    await api(of.api, "PUT", on(id, "schedule"), { body });
  },
  "ship now": ship,
  "pause and resume": async (of: Life, id: string) => {
    await api(of.api, "POST", on(id, "pause"));
    await advance(of, works, 20);
    await api(of.api, "POST", on(id, "resume"));
  },
  "cancel and reactivate": async (of: Life, id: string) => {
    await api(of.api, "POST", on(id, "cancel"));
    await advance(of, works, 10);
    await api(of.api, "POST", on(id, "reactivate"));
  },
  "a card that is refused": async (of: Life, id: string) => {
    await payWith(of, id, "pm_card_declined");
    await ship(of, id);
    await advance(of, works, 10);
    await payWith(of, id, "pm_success");
    await works.drain();
  },
  "another frequency while it is billed": async (of: Life, id: string) => {
    await shipNow(of, works, id, {}, { headers: { "Idempotency-Key": newId() } });
    await deeds["another frequency"](of, id);
    await works.drain();
  },
};

const lives = fc.record({
  weeks: fc.integer({ min: 1, max: 2 }),
  times: fc.integer({ min: 2, max: 4 }),
  hasSlot: fc.boolean(),
  what: fc.array(fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])), { maxLength: 6 }),
});

test("whatever is done to a prepaid subscription, it delivers as much as was paid for", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(lives, async ({ weeks, times, hasSlot, what }) => {
      const of = await life();
      await startClock(of, `${today}T12:00:00.000Z`);
      const plan = await addPlan(of, {
        billing_interval_count: weeks * times,
        delivery_interval: "WEEK",
        delivery_interval_count: weeks,
      });
      const slot = hasSlot
        ? { delivery_slot_id: await addSlot(of, { day_of_week: 4, packing_day_of_week: 2 }) }
        : {};
      const id = await linked(of, works, {
        next_delivery_date: today,
        lines: [itemOf(plan, { price: 30 })],
        ...slot,
      });
      for (const deed of what) await deeds[deed](of, id);
      const deliveries = async () => {
        const totals = (await ordersOf(of, id)).map(({ total }) => total);
        return { billed: totals.filter((total) => total > 0).length, all: totals.length };
      };
      const { next_index, next_billed_index } = await rowOf(id);
      const then = await deliveries();
      expect(then.all + next_billed_index - next_index).toBe(then.billed * times);

      await api(of.api, "POST", on(id, "cancel"));
      for (let months = 0; months < 13 && (await read(of, id)).next_delivery_date !== null; months++)
        await advance(of, works, 30);
      const { billed, all } = await deliveries();
      expect(all).toBe(billed * times);
      expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(billed);
      expect(await read(of, id)).toMatchObject({ status: "CANCELLED", next_delivery_date: null });
    }),
    seeded(Math.min(20, Math.ceil(Number(env.MODEL_RUNS) / 20))),
  );
});
