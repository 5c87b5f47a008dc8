/** The deliveries to come are found without a walk, and are those that a walk over all of them finds. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { closing, startingOn } from "../../../../../test/support/closed-days.ts";
import { seeded } from "../../../../../test/support/seeded.ts";
import { aSlot, slotOn } from "../../../../../test/support/slots.ts";
import { addDays, dayOfWeek, toDay } from "../../../../base/lib/time/calendar.ts";
import { intervalUnits } from "../../../../base/lib/time/intervals.ts";
import { closedKinds } from "../../../delivery/closed-days.ts";
import { closedRules } from "../../../delivery/tables.ts";
import { calculatePlannedDates, nthDelivery } from "../cadence.ts";
import { nextAfter } from "../next-after.ts";
import { scheduleOf } from "../next-dates.ts";
import { plannedDatesOf } from "./delivery-walk.ts";
import { indexesToCome } from "./indexes-to-come.ts";

const start = "2026-11-25";
const aClosure = fc
  .record({
    from: fc.nat(500),
    length: fc.nat(20),
    rule: fc.constantFrom(...closedRules),
    applies_to: fc.subarray([...closedKinds], { minLength: 1 }),
  })
  .map(({ from, length, rule, applies_to }) =>
    closing(addDays(start, from), addDays(start, from + length), rule, { applies_to }),
  );
const cases = fc.record({
  ...{ slot: aSlot, unit: fc.constantFrom(...intervalUnits), count: fc.integer({ min: 1, max: 4 }) },
  ...{ per: fc.integer({ min: 1, max: 3 }), closed: fc.array(aClosure, { maxLength: 5 }) },
  ...{ from: fc.nat(3), ahead: fc.nat(700) },
  asked: fc.constantFrom(
    { kind: "delivery", isBilled: true } as const,
    { kind: "delivery", isBilled: false } as const,
    { kind: "billing", isBilled: true } as const,
  ),
});

test("are those of a walk over every delivery that come on the day or after it, as closed days leave them", () => {
  fc.assert(
    fc.property(cases, ({ slot, unit, count, per, closed, from, ahead, asked }) => {
      const calendar = { slot, closed, today: start };
      let first = start;
      while (slot && dayOfWeek(first) !== slot.day.day_of_week) first = addDays(first, 1);
      const interval = { delivery_interval: unit, delivery_interval_count: count } as const;
      const row = startingOn(first, calendar, { ...interval, deliveries_per_billing: per });
      const earliest = addDays(start, ahead);
      const schedule = scheduleOf(row, slot);
      const isOnGrid = (index: number) => {
        const date = nthDelivery(schedule.anchor, schedule.interval, index, schedule.rhythm);
        return calculatePlannedDates(date, schedule.rhythm)[asked.kind] >= earliest;
      };
      const isPutOff = (index: number) => {
        const date = plannedDatesOf(row, index, calendar, asked.isBilled)?.[asked.kind];
        return date !== undefined && date !== null && date >= earliest;
      };
      const walked: number[] = [];
      for (let index = from; walked.length < 5; index++)
        if (isOnGrid(index) || isPutOff(index)) walked.push(index);
      const found = indexesToCome(row, calendar, { ...asked, from, day: toDay(earliest) });
      expect([...found.take(5)]).toEqual(walked);
    }),
    seeded(1500),
  );
});

test.each([undefined, slotOn(5), slotOn(5, 3, 1)])(
  "missed deliveries stay left out where the shop is closed on some other day (slot %#)",
  (slot) => {
    const today = "2027-03-20";
    const row = startingOn("2026-11-20", { slot, closed: [], today: "2026-11-10" });
    const last = { delivery: "2027-03-26", owed: 0, isOffSchedule: false };
    const next = nextAfter(row, { slot, closed: [], today }, last);
    expect(next.next_index).toBe(5);
    const closed = [
      closing("2026-12-24", "2026-12-26", "later"),
      closing("2030-01-01", "2030-01-02", "later"),
    ];
    expect(nextAfter(row, { slot, closed, today }, last)).toEqual(next);
  },
);

test("a delivery that closed days have put off to the future comes, though its own day has passed", () => {
  const row = startingOn("2026-11-20", { slot: undefined, closed: [], today: "2026-11-10" });
  const closed = [closing("2026-12-18", "2026-12-30", "later")];
  const calendar = { slot: undefined, closed, today: "2026-12-22" };
  const last = { delivery: "2026-12-22", owed: 0, isOffSchedule: false };
  expect(nextAfter(row, calendar, last)).toMatchObject({
    ...{ next_index: 1, next_delivery_date: "2026-12-31", scheduled_delivery_date: "2026-12-20" },
  });
});
