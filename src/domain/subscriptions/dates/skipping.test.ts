/** Skipping k deliveries makes the n-th date the former (n+k)-th, and takes nothing that is paid for. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { project, today, view } from "../../../../test/support/projection.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import { aSlot, calendarIn } from "../../../../test/support/slots.ts";
import { intervalUnits } from "../../../base/lib/time/intervals.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import type { SubscriptionView } from "../queries.ts";
import { nthDelivery } from "./cadence.ts";
import { deliveriesOwed } from "./next-dates.ts";
import { datesAfterSkipping } from "./skipping.ts";

function skipped({ row, slot, ...rest }: SubscriptionView, count: number): SubscriptionView {
  return { ...rest, slot, row: { ...row, ...datesAfterSkipping(row, calendarIn(slot, today), count) } };
}

function deliveriesOf(at: SubscriptionView, count: number): string[] {
  return project(at, count).map(({ delivery }) => delivery);
}

/**
 * Whether a courier's lead time has a packing day before it. Without one, a delivery that is paid for is ordered on its own day, and so leaves
 * out those that could no longer be made; one that is billed earlier leaves out none.
 */
function hasTimeToPack(slot: SlotWithDay | undefined): boolean {
  return slot?.day.packing_day_of_week != null || slot?.day.courier_lead_time_days == null;
}

/** Subscriptions whose first delivery is on one of the last days of a month, or due, or late. */
const aView = fc
  .record({
    unit: fc.constantFrom(...intervalUnits),
    count: fc.integer({ min: 1, max: 3 }),
    times: fc.integer({ min: 1, max: 3 }),
    start: fc.oneof(
      fc
        .record({ month: fc.integer({ min: 12, max: 26 }), day: fc.integer({ min: 28, max: 31 }) })
        .map(({ month, day }) => new Date(Date.UTC(2026, month, day)).toISOString().slice(0, 10)),
      fc.constantFrom(today, "2026-11-18", "2026-10-31"),
    ),
    slot: aSlot.filter(hasTimeToPack),
    owed: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ unit, count, times, start, slot, owed }) => {
    const at = view({
      start: slot ? nthDelivery(start, { unit: "DAY", count: 1 }, 0, slot.day) : start,
      every: [count, unit],
      billed: [count * times, unit],
      ...(slot ? { slot } : {}),
    });
    const paid = Math.min(owed, times);
    return { ...at, row: { ...at.row, next_billed_index: at.row.next_index + paid } };
  });

describe("after skipping k deliveries", () => {
  test("the n-th date is the former (n+k)-th, for month ends, all units, slots, prepaid and late ones", () => {
    fc.assert(
      fc.property(aView, fc.integer({ min: 1, max: 12 }), (at, count) => {
        expect(deliveriesOf(skipped(at, count), 6)).toEqual(deliveriesOf(at, count + 6).slice(count));
      }),
      seeded(400),
    );
  });

  test("the anchor stays, and as many deliveries are paid for", () => {
    fc.assert(
      fc.property(aView, fc.integer({ min: 1, max: 12 }), (at, count) => {
        const after = skipped(at, count).row;
        expect(after.anchor_date).toBe(at.row.anchor_date);
        expect(deliveriesOwed(after)).toBe(deliveriesOwed(at.row));
      }),
      seeded(200),
    );
  });

  test("nothing is billed before tomorrow", () => {
    fc.assert(
      fc.property(aView, fc.integer({ min: 1, max: 12 }), (at, count) => {
        const { next_billing_date, next_delivery_date } = skipped(at, count).row;
        expect(next_billing_date! > today).toBe(true);
        expect(next_delivery_date! > today).toBe(true);
      }),
      seeded(200),
    );
  });
});

test.each([28, 29, 30, 31])("a year of monthly skips ends on day %i of the month", (day) => {
  let at = view({ start: `2027-01-${day}` });
  for (let month = 0; month < 12; month++) at = skipped(at, 1);
  expect(at.row).toMatchObject({ next_delivery_date: `2028-01-${day}`, next_billing_date: `2028-01-${day}` });
});
