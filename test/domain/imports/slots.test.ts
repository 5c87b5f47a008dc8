/** A subscription that is moved into a slot is charged on the day that the slot bills, for the delivery of that charge. */
import { expect, test } from "vitest";
import { dayOfWeek } from "../../../src/base/lib/time/calendar.ts";
import { actionsOf, addSlot, inDays, openShop, read, type Shop } from "../../support/shops.ts";
import { advance, chargesOf, ordersOf, startClock, useWorker } from "../../support/worker.ts";
import { moveIn, outcomesOf, release, rowOf } from "./imports.ts";

const worker = useWorker();

/** Slots that deliver on the same day of the week: one bills on that day, the other two days before. */
async function opened() {
  const shop = await openShop();
  await startClock(shop, new Date().toISOString());
  const day = { day_of_week: dayOfWeek(inDays(10)), packing_day_of_week: dayOfWeek(inDays(10)) };
  const sameDay = await addSlot(shop, { ...day, billing_day_of_week: dayOfWeek(inDays(10)) });
  const before = await addSlot(shop, { ...day, billing_day_of_week: dayOfWeek(inDays(8)) });
  return { shop, sameDay, before };
}

async function datesOf(shop: Shop, id: string) {
  const { next_billing_date, next_delivery_date, delivery_slot_id } = await read(shop, id);
  return { next_billing_date, next_delivery_date, delivery_slot_id };
}

test("a slot that bills on its delivery day delivers on the day of the charge, and not a week after what its customer pays", async () => {
  const { shop, sameDay, before } = await opened();
  const rows = [
    rowOf(shop, "same", { delivery_slot_id: sameDay, next_billing_date: inDays(10) }),
    rowOf(shop, "before", { delivery_slot_id: before, next_billing_date: inDays(8) }),
    rowOf(shop, "named", {
      ...{ delivery_slot_id: sameDay, next_billing_date: inDays(10), next_delivery_date: inDays(10) },
    }),
  ];
  const { id, ids } = await moveIn(shop, worker, rows);
  expect(await outcomesOf(shop, id)).toEqual({ same: "OK", before: "OK", named: "OK" });
  const delivered = { next_delivery_date: inDays(10) };
  for (const ref of ["same", "named"])
    expect(await datesOf(shop, ids[ref]!)).toEqual({
      ...{ ...delivered, next_billing_date: inDays(10), delivery_slot_id: sameDay },
    });
  expect(await datesOf(shop, ids.before!)).toEqual({
    ...{ ...delivered, next_billing_date: inDays(8), delivery_slot_id: before },
  });
  await release(shop, worker, id);
  await advance(shop, worker, 11);
  for (const [ref, date] of [
    ["same", inDays(10)],
    ["before", inDays(8)],
  ] as const) {
    expect(await chargesOf(ids[ref]!)).toMatchObject([{ amount: 2500, state: "SUCCEEDED" }]);
    expect(await ordersOf(shop, ids[ref]!)).toMatchObject([
      { billing_date: date, delivery_date: inDays(10), total: 25 },
    ]);
    expect(await actionsOf(ids[ref]!)).toContain("billing_succeeded");
  }
});

test("a row whose charge or delivery is on none of its slot's days is not moved in, and says which day would be", async () => {
  const { shop, sameDay, before } = await opened();
  const rows = [
    rowOf(shop, "charge", { delivery_slot_id: sameDay, next_billing_date: inDays(8) }),
    rowOf(shop, "delivery", {
      ...{ delivery_slot_id: before, next_billing_date: inDays(10), next_delivery_date: inDays(10) },
    }),
  ];
  const { id } = await moveIn(shop, worker, rows);
  expect(await outcomesOf(shop, id)).toEqual({
    charge: ["FAILED", "next_billing_date is not a day on which the delivery slot bills"],
    delivery: [
      "FAILED",
      `next_billing_date must be ${inDays(8)}, when the delivery slot bills the delivery of ${inDays(10)}`,
    ],
  });
});
