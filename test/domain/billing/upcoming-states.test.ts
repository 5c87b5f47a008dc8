/** If nobody acts and each try succeeds, the orders made from any state are those that upcoming showed. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { dateIn } from "../../../src/base/lib/time/dates.ts";
import { api } from "../../support/client.ts";
import { seeded } from "../../support/records.ts";
import { type Json, on, openShop, read, type Shop } from "../../support/shops.ts";
import { advance, clockOf, ordersOf, startClock, type TestWorker, useWorker } from "../../support/worker.ts";
import { createSubscription, histories, perform, today } from "./upcoming-histories.ts";
import { changes, type Subject, states, turnCard } from "./upcoming-states.ts";

const worker = useWorker();

/** Zones without daylight saving, in which a day is 24 hours long, as the days of retries are. */
const zones = ["UTC", "Asia/Tokyo", "America/Bogota", "Pacific/Kiritimati"];

const lives = fc.record({
  history: histories,
  change: fc.constantFrom(...Object.keys(changes)),
  days: fc.integer({ min: 0, max: 70 }),
  shipsNow: fc.boolean(),
  timezone: fc.constantFrom(...zones),
  settings: fc.record({
    prepaid_on_end: fc.constantFrom("deliver", "stop"),
    dunning_final_action: fc.constantFrom("fail", "pause", "cancel"),
    payment_reminder_days_before: fc.constantFrom(null, 3),
  }),
});

describe("if nobody acts, and each payment that is tried succeeds, the orders made are those that upcoming showed", () => {
  test.each(Object.keys(states))("%s", { timeout: 600_000 }, async (name) => {
    const runs = Math.ceil(Number(env.MODEL_RUNS) / 50);
    await fc.assert(
      fc.asyncProperty(lives, async ({ history, change, timezone, settings, ...more }) => {
        const shop = await openShop({ timezone });
        await api(shop.api, "PUT", "/api/account", { body: settings });
        await startClock(shop, `${today}T10:00:00.000Z`);
        const first = { ...history, inDays: history.inDays + 1 };
        const id = await createSubscription({ shop, worker }, first);
        const subject: Subject = { shop, worker, id, ...more };
        for (const action of history.actions)
          if ((await read(shop, id)).status === "ACTIVE") await perform[action](subject);
        const state = states[name]!;
        await state.enter(subject);
        await changes[change]!(subject);
        await turnCard(subject, "pm_success");

        const past = (await ordersOf(shop, id)).length;
        const now = dateIn(await clockOf(shop), timezone);
        const projected = await upcomingOf(shop, id);
        expectNoneBefore(now, projected);
        await state.resolve?.(subject);
        await advanceTo({ shop, worker, timezone }, lastDayOf(projected, now));
        const orders = (await ordersOf(shop, id)).reverse().slice(past);

        const isWhole = projected.length < 24;
        const count = isWhole ? Math.max(orders.length, projected.length) : 24;
        expect(orders.slice(0, count).map((order) => orderFields(order, now))).toEqual(
          projected.slice(0, isWhole ? count : orders.length).map(deliveryFields),
        );
      }),
      seeded(runs),
    );
  });
});

async function upcomingOf(shop: Shop, id: string): Promise<Json[]> {
  return (await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 24 } })).body.data;
}

function expectNoneBefore(today: string, projected: Json[]): void {
  const days = projected.flatMap(({ billing_date, delivery_date, production_date }) => [
    billing_date,
    delivery_date,
    production_date ?? today,
  ]);
  expect(days.filter((day) => day < today)).toEqual([]);
}

/** A month after the last that was shown, so that one more would be seen; half a year at most. */
function lastDayOf(projected: Json[], now: string): string {
  const last = projected.at(-1)?.delivery_date ?? now;
  return projected.length < 24
    ? addDays(last, 35)
    : last < addDays(now, 200)
      ? addDays(last, 1)
      : addDays(now, 200);
}

type Clock = { shop: Shop; worker: TestWorker; timezone: string };

/** First the rest of the day by hours, in which waiting billing is tried, then day by day. */
async function advanceTo({ shop, worker, timezone }: Clock, date: string): Promise<void> {
  for (const hours of [1, 1, 2, 4]) {
    const now = await clockOf(shop);
    const then = new Date(Date.parse(now) + hours * 3_600_000).toISOString();
    if (dateIn(then, timezone) !== dateIn(now, timezone)) break;
    await advance(shop, worker, hours / 24);
  }
  for (;;) {
    const left = (Date.parse(date) - Date.parse(dateIn(await clockOf(shop), timezone))) / 86_400_000;
    if (left <= 0) return;
    await advance(shop, worker, Math.min(left, 400));
  }
}

/** The fields of an order that a delivery has as well. A charge that was under way for days has dates of then. */
function orderFields(order: Json, now: string) {
  const later = (date: string | null) => date && [date, now].sort()[1];
  return {
    billing_date: later(order.billing_date),
    delivery_date: later(order.delivery_date),
    production_date: later(order.production_date),
    delivery_slot_id: order.delivery_slot?.id ?? null,
    subtotal: order.subtotal,
    discount_amount: order.discount_amount,
    total: order.total,
    lines: order.lines.map(({ subscription_line_id: id, quantity, line_total, discount_amount }: Json) => ({
      id,
      quantity,
      line_total,
      discount_amount,
    })),
  };
}

function deliveryFields(delivery: Json) {
  const { billing_date, delivery_date, production_date, delivery_slot_id } = delivery;
  const { subtotal, discount_amount, total } = delivery;
  return {
    billing_date,
    delivery_date,
    production_date,
    delivery_slot_id,
    subtotal,
    discount_amount,
    total,
    lines: delivery.lines.map(({ id, quantity, line_total, discount_amount: off }: Json) => ({
      id,
      quantity,
      line_total,
      discount_amount: off,
    })),
  };
}
