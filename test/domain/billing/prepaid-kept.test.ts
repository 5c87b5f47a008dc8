/** A prepaid subscription delivers as much as was paid for, whatever is done to it. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { seeded } from "../../support/records.ts";
import { addPlan, addSlot, itemOf, on, openShop, read, rowOf, type Shop } from "../../support/shops.ts";
import {
  advance,
  chargesOf,
  linked,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();

const today = "2030-01-31";

function payWith(shop: Shop, id: string, store_payment_method_id: string) {
  return api(shop.api, "PUT", on(id, "payment-method"), { body: { store_payment_method_id } });
}

async function ship(shop: Shop, id: string): Promise<void> {
  await shipNow(shop, worker, id, {}, { headers: { "Idempotency-Key": newId() } });
  await worker.drain();
}

/** Things that people do to a subscription, and that happen to it. A refusal is as good as not having asked. */
const deeds = {
  "some days": (shop: Shop) => advance(shop, worker, 10),
  "more days": (shop: Shop) => advance(shop, worker, 40),
  "another frequency": async (shop: Shop, id: string) => {
    const { deliveries_per_billing: times, delivery_interval_count: count } = await rowOf(id);
    const body = { interval: "WEEK", interval_count: times * ((count % 3) + 1) };
    await api(shop.customer, "PUT", on(id, "frequency"), { body });
  },
  skip: (shop: Shop, id: string) => api(shop.api, "POST", on(id, "skip"), { body: { skip_weeks: 1 } }),
  unskip: (shop: Shop, id: string) => api(shop.api, "POST", on(id, "unskip")),
  reschedule: async (shop: Shop, id: string) => {
    const { next_delivery_date: planned } = await read(shop, id);
    const body = { next_delivery_date: addDays(planned ?? today, 7) };
    await api(shop.api, "PUT", on(id, "schedule"), { body });
  },
  "ship now": ship,
  "pause and resume": async (shop: Shop, id: string) => {
    await api(shop.api, "POST", on(id, "pause"));
    await advance(shop, worker, 20);
    await api(shop.api, "POST", on(id, "resume"));
  },
  "cancel and reactivate": async (shop: Shop, id: string) => {
    await api(shop.api, "POST", on(id, "cancel"));
    await advance(shop, worker, 10);
    await api(shop.api, "POST", on(id, "reactivate"));
  },
  "a card that is refused": async (shop: Shop, id: string) => {
    await payWith(shop, id, "pm_card_declined");
    await ship(shop, id);
    await advance(shop, worker, 10);
    await payWith(shop, id, "pm_success");
    await worker.drain();
  },
  "another frequency while it is billed": async (shop: Shop, id: string) => {
    await shipNow(shop, worker, id, {}, { headers: { "Idempotency-Key": newId() } });
    await deeds["another frequency"](shop, id);
    await worker.drain();
  },
};

const histories = fc.record({
  weeks: fc.integer({ min: 1, max: 2 }),
  times: fc.integer({ min: 2, max: 4 }),
  hasSlot: fc.boolean(),
  what: fc.array(fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])), { maxLength: 6 }),
});

test("whatever is done to a prepaid subscription, it delivers as much as was paid for", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ weeks, times, hasSlot, what }) => {
      const shop = await openShop();
      await startClock(shop, `${today}T12:00:00.000Z`);
      const plan = await addPlan(shop, {
        billing_interval_count: weeks * times,
        delivery_interval: "WEEK",
        delivery_interval_count: weeks,
      });
      const slot = hasSlot
        ? { delivery_slot_id: await addSlot(shop, { day_of_week: 4, packing_day_of_week: 2 }) }
        : {};
      const id = await linked(shop, worker, {
        next_delivery_date: today,
        lines: [itemOf(plan, { price: 30 })],
        ...slot,
      });
      for (const deed of what) await deeds[deed](shop, id);
      const deliveries = async () => {
        const totals = (await ordersOf(shop, id)).map(({ total }) => total);
        return { billed: totals.filter((total) => total > 0).length, all: totals.length };
      };
      const { next_index, next_billed_index } = await rowOf(id);
      const then = await deliveries();
      expect(then.all + next_billed_index - next_index).toBe(then.billed * times);

      await api(shop.api, "POST", on(id, "cancel"));
      for (let months = 0; months < 13 && (await read(shop, id)).next_delivery_date !== null; months++)
        await advance(shop, worker, 30);
      const { billed, all } = await deliveries();
      expect(all).toBe(billed * times);
      expect((await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(billed);
      expect(await read(shop, id)).toMatchObject({ status: "CANCELLED", next_delivery_date: null });
    }),
    seeded(Math.min(20, Math.ceil(Number(env.MODEL_RUNS) / 20))),
  );
});
