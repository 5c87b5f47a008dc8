/** Renewals go on where a day is over-full, and each such day is one alert. */
import { beforeEach, expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { addSlot, type Json, nextDay, on, openShop, refusal, type Shop } from "../../support/shops.ts";
import { advance, clockOf, linked, ordersOf, startClock, useWorker } from "../../support/worker.ts";

const worker = useWorker();
let shop: Shop;
let slot: string;
const [first, second] = [nextDay(4, 14), nextDay(4, 21)];
beforeEach(async () => {
  shop = await openShop();
  slot = await addSlot(shop, { day_of_week: 4 });
});

function inSlot(next_delivery_date = first): Promise<string> {
  return linked(shop, worker, { next_delivery_date, delivery_slot_id: slot });
}

function bound(max_deliveries_per_day: number | null) {
  const path = `/api/subscriptions/delivery-slots/${slot}`;
  return api(shop.api, "PUT", path, { body: { max_deliveries_per_day } });
}

async function counted(): Promise<Record<string, number>> {
  const rows = await select<{ delivery_date: string; count: number }>(
    "SELECT delivery_date, count FROM delivery_counts WHERE delivery_slot_id = ? AND count <> 0",
    slot,
  );
  return Object.fromEntries(rows.map(({ delivery_date, count }) => [delivery_date, count]));
}

/** The alerts of over-full days while something is done. */
async function alertsOf(act: () => Promise<unknown>): Promise<Json[]> {
  return (await logged(act)).filter(({ event }) => event === "slot_over_full");
}

/** Lets the account's time pass until noon of a day. */
async function until(day: string): Promise<void> {
  const days = (Date.parse(`${day}T12:00:00.000Z`) - Date.parse(await clockOf(shop))) / 86_400_000;
  await advance(shop, worker, days);
}

test("renewals go on where the schedule brings more than there is room for; each over-full day is one alert", async () => {
  await startClock(shop, new Date().toISOString());
  const ids = [await inSlot(), await inSlot(), await inSlot()];
  await bound(1);
  const alerts = await alertsOf(() => until(first));
  const third = addDays(second, 7);
  expect(await counted()).toEqual({ [first]: 3, [second]: 3 });
  for (const id of ids)
    expect((await ordersOf(shop, id)).map(({ delivery_date }) => delivery_date)).toEqual([first]);
  expect(alerts.map(({ delivery_date }) => delivery_date).toSorted()).toEqual([first, second]);
  expect(alerts.at(-1)).toMatchObject({
    alert: true,
    account_id: shop.of.account.id,
    delivery_slot_id: slot,
    max_deliveries_per_day: 1,
    deliveries: expect.any(Number),
  });
  const later = await alertsOf(() => until(second));
  expect(later.map(({ delivery_date }) => delivery_date)).toEqual([third]);
});

test("a delivery counts once, planned or ordered, and a cancelled order frees its place", async () => {
  await startClock(shop, new Date().toISOString());
  const id = await inSlot();
  expect(await counted()).toEqual({ [first]: 1 });
  await until(first);
  expect(await counted()).toEqual({ [first]: 1, [second]: 1 });
  const [order] = await ordersOf(shop, id);
  await execute("UPDATE orders SET status = 'REFUNDED' WHERE id = ?", order.id);
  expect((await counted())[first]).toBe(1);
  await execute("UPDATE orders SET status = 'CANCELLED' WHERE id = ?", order.id);
  expect(await counted()).toEqual({ [second]: 1 });
});

test("the end of a pause takes its place on a full day, and is told", async () => {
  await startClock(shop, new Date().toISOString());
  await bound(1);
  const paused = await inSlot();
  const pause_until = addDays(first, -5);
  await api(shop.api, "POST", on(paused, "pause"), { body: { pause_until } });
  await inSlot();
  const resume = await api(shop.api, "POST", on(paused, "resume"));
  expect(refusal(resume as never)).toEqual([409, "INVALID_STATE"]);
  const alerts = await alertsOf(() => until(pause_until));
  expect(await counted()).toEqual({ [first]: 2 });
  expect(alerts.map(({ delivery_date, deliveries }) => [delivery_date, deliveries])).toEqual([[first, 2]]);
});

test("an alert that was not noted as told is told with the next change in a slot with a bound", async () => {
  await startClock(shop, new Date().toISOString());
  const ids = [await inSlot(), await inSlot(second)];
  await bound(1);
  const skip = (id: string) => api(shop.api, "POST", on(id, "skip-deliveries"), { body: {} });
  expect((await alertsOf(() => skip(ids[0] ?? ""))).map(({ delivery_date }) => delivery_date)).toEqual([
    second,
  ]);
  expect(await alertsOf(() => skip(ids[1] ?? ""))).toEqual([]);
  await execute("UPDATE delivery_counts SET reported_at = NULL WHERE delivery_slot_id = ?", slot);
  const again = await alertsOf(() => api(shop.api, "POST", on(ids[0] ?? "", "unskip"), { body: {} }));
  expect(again.map(({ delivery_date }) => delivery_date)).toEqual([second]);
});

test("a ship-now to a full day is sent and counted", async () => {
  await startClock(shop, new Date().toISOString());
  await bound(1);
  await inSlot();
  const id = await inSlot(second);
  const answer = await worker.call<Json>(shop.api, "POST", on(id, "ship-now"), {
    body: { delivery_date: first },
  });
  expect(answer.status).toBe(200);
  await worker.drain();
  expect((await counted())[first]).toBe(2);
});
