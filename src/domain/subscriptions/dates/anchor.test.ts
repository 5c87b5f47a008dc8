/** A schedule that is counted from another of its days keeps its day of the month. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../../test/support/seeded.ts";
import { calendarIn, slotOn } from "../../../../test/support/slots.ts";
import { addMonths, dayOfMonth, toDate, toDay } from "../../../base/lib/time/calendar.ts";
import type { Subscription } from "../tables.ts";
import { anchorFrom } from "./anchor.ts";
import { deliveryOf } from "./cadence.ts";
import { nextAfter } from "./next-after.ts";
import { deliveriesOwed, scheduleOf, unmoved } from "./next-dates.ts";
import { reanchorSchedule } from "./reanchor.ts";
import { continueSchedule } from "./schedule.ts";

const monthly = { anchor_date: "2027-01-31", anchor_day: null, delivery_interval: "MONTH" } as const;

describe("a schedule that is counted from another of its days", () => {
  test.each([
    ["in a month that is too short", "2027-02-28", { anchor_date: "2027-02-28", anchor_day: 31 }],
    ["in a month that has it", "2027-03-31", { anchor_date: "2027-03-31", anchor_day: null }],
    ["that is another day of the month", "2027-02-27", { anchor_date: "2027-02-27", anchor_day: null }],
  ])("%s", (_, delivery, anchor) => {
    expect(anchorFrom(monthly, delivery, undefined)).toEqual(anchor);
  });

  test("in a slot keeps its day, and not that of the slot", () => {
    // 28 February 2027 is a Sunday, and the slot's Tuesday after it 2 March.
    expect(anchorFrom(monthly, "2027-03-02", slotOn(2, null, null, 0))).toEqual({
      anchor_date: "2027-02-28",
      anchor_day: 31,
    });
  });

  test.each(["DAY", "WEEK"] as const)("has no day of the month where it counts in units of %s", (unit) => {
    const none = { anchor_date: "2027-02-28", anchor_day: null };
    expect(anchorFrom(monthly, "2027-02-28", undefined, { delivery_interval: unit })).toEqual(none);
    expect(anchorFrom({ ...monthly, delivery_interval: unit }, "2027-02-28", undefined)).toEqual(none);
  });
});

/** Monthly on a day at the end of the month, with deliveries owed. */
const starts = fc.record({
  day: fc.integer({ min: 28, max: 31 }),
  months: fc.nat(11),
  owed: fc.nat(3),
  weekday: fc.option(fc.integer({ min: 1, max: 7 })),
});

type Step = (row: Subscription, calendar: ReturnType<typeof calendarIn>) => Partial<Subscription>;
const frequency = fc.record({
  unit: fc.constantFrom("MONTH" as const, "YEAR" as const),
  count: fc.constantFrom(1, 2, 3),
});
const steps: fc.Arbitrary<Step>[] = [
  frequency.map(
    ({ unit, count }): Step =>
      (row, calendar) => {
        const intervals = { delivery_interval: unit, delivery_interval_count: count };
        return { ...intervals, ...reanchorSchedule({ row, intervals }, calendar) };
      },
  ),
  fc.nat(3).map(
    (ahead): Step =>
      (row, calendar) => {
        const named = deliveryOf(scheduleOf(row, calendar.slot), row.next_index + ahead);
        return continueSchedule(row, named, calendar, calendar.today);
      },
  ),
  fc.boolean().map(
    (isOffSchedule): Step =>
      (row, calendar) => {
        const delivery = row.next_delivery_date as string;
        const owed = Math.max(0, deliveriesOwed(row) - 1);
        return nextAfter(row, { ...calendar, today: delivery }, { delivery, owed, isOffSchedule });
      },
  ),
];

test("in months and years it keeps its day of the month through every change that names no other", () => {
  fc.assert(
    fc.property(
      starts,
      fc.array(fc.oneof(...steps), { maxLength: 8 }),
      ({ day, months, owed, weekday }, history) => {
        const anchor_date = toDate(addMonths(toDay("2030-01-31"), months, day));
        const slot = weekday === null ? undefined : slotOn(weekday, null, null, 0);
        const calendar = { ...calendarIn(slot), today: "2029-12-31" };
        let row = {
          status: "ACTIVE",
          ...{ anchor_date, anchor_day: dayOfMonth(anchor_date) === day ? null : day, ...unmoved },
          ...{ delivery_interval: "MONTH", delivery_interval_count: 1, deliveries_per_billing: 1 },
          ...{ next_index: 0, next_billed_index: owed, current_billing_cycle: 1, max_cycles: null },
        } as Subscription;
        row = {
          ...row,
          ...continueSchedule(row, deliveryOf(scheduleOf(row, slot), 0), calendar, "2029-12-31"),
        };
        for (const step of history) {
          row = { ...row, ...step(row, calendar) };
          const { anchor, anchorDay, interval } = scheduleOf(row, slot);
          const to24 = Array.from({ length: 24 }, (_, n) =>
            deliveryOf({ anchor, anchorDay: anchorDay ?? null, interval, rhythm: undefined }, n),
          );
          for (const date of to24) expect(date).toBe(toDate(addMonths(toDay(date), 0, day)));
          expect(row.next_delivery_date).toBe(deliveryOf(scheduleOf(row, slot), row.next_index));
        }
      },
    ),
    seeded(500),
  );
});
