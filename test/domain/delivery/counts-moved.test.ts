/** An account takes its counts of places along when it moves to its object and back. */
import { expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { dbAt, everyRow, mover, withoutAlarms } from "../../edges/operator/moving.ts";
import { api } from "../../support/client.ts";
import {
  addSlot,
  done,
  itemOf,
  type Json,
  nextDay,
  openShop,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { advance, linked, ordersOf, startClock, useWorker } from "../../support/worker.ts";

withoutAlarms();
const worker = useWorker();
const first = nextDay(4, 14);

async function create(shop: Shop, delivery_slot_id: string, next_delivery_date: string): Promise<Json> {
  const lines = [itemOf(shop.plan)];
  const customer = { profile_id: shop.profileId, store_payment_method_id: "pm_success" };
  const body = { ...customer, lines, delivery_slot_id, next_delivery_date };
  return (await api<Json>(shop.api, "POST", "/api/subscriptions", { body })).status;
}

test("an account that moves to its object and back takes its counts along, and each place is taken once there", async () => {
  const shop = await openShop();
  await startClock(shop, `${addDays(first, -10)}T12:00:00.000Z`);
  const slot = await addSlot(shop, { day_of_week: 4 }, { max_deliveries_per_day: 2 });
  const place = (next_delivery_date: string) => ({ delivery_slot_id: slot, next_delivery_date });
  const charged = await linked(shop, worker, place(first));
  const paused = await subscribe(shop, place(addDays(first, 14)));
  await advance(shop, worker, 10);
  expect(await ordersOf(shop, charged)).toHaveLength(1);
  await done(shop.api, "POST", paused, "pause");

  const { id } = shop.of.account;
  const operator = mover(shop.of.account);
  const before = (await everyRow(dbAt("d1", id), id)).delivery_counts;
  expect(before?.map(({ delivery_date, count }) => [delivery_date, count])).toEqual([
    [first, 1],
    [addDays(first, 7), 1],
    [addDays(first, 14), 0],
  ]);
  await operator.until("object");
  expect((await everyRow(dbAt("object", id), id)).delivery_counts).toEqual(before);
  expect(await create(shop, slot, addDays(first, 7))).toBe(201);
  expect(await create(shop, slot, addDays(first, 7))).toBe(409);

  const then = (await everyRow(dbAt("object", id), id)).delivery_counts;
  await operator.until("d1");
  expect((await everyRow(dbAt("d1", id), id)).delivery_counts).toEqual(then);
  expect(await create(shop, slot, addDays(first, 7))).toBe(409);
  await done(shop.api, "POST", paused, "resume");
});
