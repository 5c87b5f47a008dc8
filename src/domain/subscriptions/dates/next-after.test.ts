/** The delivery after another one comes on the schedule, after those that are paid for. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../../test/support/seeded.ts";
import { calendarIn, slotOn } from "../../../../test/support/slots.ts";
import { addDays, dayOfWeek } from "../../../base/lib/time/calendar.ts";
import { type IntervalUnit, intervalUnits } from "../../../base/lib/time/intervals.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import type { Subscription } from "../tables.ts";
import {
  calculateDates,
  calculatePlannedDates,
  type DeliveryRhythm,
  deliveryOf,
  nthDelivery,
} from "./cadence.ts";
import { earliestDelivery } from "./earliest-delivery.ts";
import { nextAfter } from "./next-after.ts";
import { unmoved } from "./next-dates.ts";

/** A subscription whose next delivery is the index-th. */
function at(anchor_date: string, next_index: number, unit: IntervalUnit = "WEEK", count = 1): Subscription {
  return {
    anchor_date,
    next_index,
    next_billed_index: next_index,
    billing_interval: unit,
    billing_interval_count: count,
    delivery_interval: unit,
    delivery_interval_count: count,
  } as Subscription;
}

function made(delivery: string, more: object = {}) {
  return { delivery, owed: 0, isOffSchedule: false, ...more };
}

describe("the earliest delivery", () => {
  test("without a slot it is today", () => {
    expect(earliestDelivery(calendarIn(undefined), "2026-11-20")).toBe("2026-11-20");
  });

  // 2026-11-20 is a Friday.
  test.each<[string, SlotWithDay, string]>([
    ["today, where nothing is to be done before", slotOn(5, null, null, null), "2026-11-20"],
    ["the next such day", slotOn(4, null, null, null), "2026-11-26"],
    ["lead time alone", slotOn(5, null, null, 1), "2026-11-27"],
    ["lead time that ends on the day", slotOn(5, null, null, 7), "2026-11-27"],
    ["more lead time than a week", slotOn(5, null, null, 8), "2026-12-04"],
    ["packed today", slotOn(6, 5, null, 1), "2026-11-21"],
    ["the packing day has passed", slotOn(6, 4, null, 0), "2026-11-28"],
    ["the packing day has passed, with lead time", slotOn(6, 4, null, 3), "2026-12-05"],
    ["the billing day does not matter: it is billed now", slotOn(6, 5, 1, 0), "2026-11-21"],
  ])("%s", (_, slot, expected) => {
    expect(earliestDelivery(calendarIn(slot), "2026-11-20")).toBe(expected);
  });
});

describe("after a delivery on the schedule", () => {
  test.each<[string, Subscription, string, string, object]>([
    [
      "the next",
      at("2026-11-20", 0),
      "2026-11-20",
      "2026-11-20",
      { next_delivery_date: "2026-11-27", next_index: 1 },
    ],
    [
      "31 January",
      at("2026-01-31", 0, "MONTH"),
      "2026-01-31",
      "2026-01-31",
      { next_delivery_date: "2026-02-28", next_index: 1 },
    ],
    [
      "28 February, of the 31st",
      at("2026-01-31", 1, "MONTH"),
      "2026-02-28",
      "2026-02-28",
      { next_delivery_date: "2026-03-31", next_index: 2 },
    ],
    [
      "29 February of a leap year, by years",
      at("2028-02-29", 0, "YEAR"),
      "2028-02-29",
      "2028-02-29",
      { next_delivery_date: "2029-02-28", next_index: 1 },
    ],
    [
      "four days late: the grid stays",
      at("2026-11-20", 0),
      "2026-11-24",
      "2026-11-24",
      { next_delivery_date: "2026-11-27", next_index: 1 },
    ],
    [
      "a month late: what was missed is not made up for",
      at("2026-11-20", 0),
      "2026-12-20",
      "2026-12-20",
      { next_delivery_date: "2026-12-25", next_index: 5 },
    ],
    [
      "on the very day of the next: the one after",
      at("2026-11-20", 0),
      "2026-11-27",
      "2026-11-27",
      { next_delivery_date: "2026-12-04", next_index: 2 },
    ],
    [
      "early: the planned one is made, so the one after it is next",
      at("2026-11-20", 4),
      "2026-12-10",
      "2026-12-10",
      { next_delivery_date: "2026-12-25", next_index: 5 },
    ],
    [
      "recorded a month after it was made: none is planned for the past",
      at("2026-11-20", 0),
      "2026-11-20",
      "2026-12-20",
      { next_delivery_date: "2026-12-25", next_index: 5 },
    ],
  ])("%s", (_, row, delivery, today, expected) => {
    expect(nextAfter(row, calendarIn(undefined, today), made(delivery))).toMatchObject({
      anchor_date: row.anchor_date,
      next_billing_date: (expected as { next_delivery_date: string }).next_delivery_date,
      ...expected,
    });
  });

  test("deliveries that are paid for come before the next billing", () => {
    expect(
      nextAfter(
        at("2026-01-31", 0, "MONTH"),
        calendarIn(undefined, "2026-01-31"),
        made("2026-01-31", { owed: 2 }),
      ),
    ).toEqual({
      anchor_date: "2026-01-31",
      ...unmoved,
      next_index: 1,
      next_billed_index: 3,
      next_delivery_date: "2026-02-28",
      next_production_date: null,
      next_billing_date: "2026-04-30",
    });
  });

  test("with a slot: packed and billed on its days", () => {
    const slot = slotOn(5, 3, 1, 1);
    expect(nextAfter(at("2026-11-20", 0), calendarIn(slot, "2026-11-16"), made("2026-11-20"))).toMatchObject({
      next_delivery_date: "2026-11-27",
      next_production_date: "2026-11-25",
      next_billing_date: "2026-11-23",
    });
  });
});

test.each([
  ["before the planned date", "2026-11-18", "2026-11-25"],
  ["after it", "2026-12-02", "2026-12-09"],
])("after a delivery off the schedule, %s, it counts from there", (_, delivery, next) => {
  expect(
    nextAfter(
      at("2026-11-20", 4),
      calendarIn(undefined, "2026-11-17"),
      made(delivery, { isOffSchedule: true }),
    ),
  ).toEqual({
    anchor_date: delivery,
    anchor_day: null,
    ...unmoved,
    next_index: 1,
    next_billed_index: 1,
    next_delivery_date: next,
    next_production_date: null,
    next_billing_date: next,
  });
});

const weekday = fc.integer({ min: 1, max: 7 });

function maybe<T>(arbitrary: fc.Arbitrary<T>) {
  return fc.option(arbitrary, { nil: null });
}
const places = fc.option(
  fc
    .tuple(weekday, maybe(weekday), maybe(weekday), maybe(fc.integer({ min: 0, max: 14 })))
    .map((drawn) => slotOn(...drawn)),
  { nil: undefined },
);
const dates = fc.integer({ min: 0, max: 2000 }).map((days) => addDays("2026-01-01", days));
const cases = fc.record({
  slot: places,
  today: dates,
  anchor: dates,
  unit: fc.constantFrom(...intervalUnits),
  count: fc.integer({ min: 1, max: 3 }),
  late: fc.integer({ min: -10, max: 100 }),
  owed: fc.integer({ min: 0, max: 5 }),
  isOffSchedule: fc.boolean(),
});

test("the next delivery is on the grid and the slot's day, after the last, billed from tomorrow on, and the first such", () => {
  fc.assert(
    fc.property(cases, ({ slot, anchor, unit, count, late, owed, isOffSchedule }) => {
      const rhythm: DeliveryRhythm | undefined = slot?.day;
      const planned = nthDelivery(anchor, { unit, count }, 0, rhythm);
      const today = addDays(planned, late);
      const earliest = earliestDelivery(calendarIn(slot), today);
      const delivery = planned >= today ? planned : earliest;
      const next = nextAfter(at(anchor, 0, unit, count), calendarIn(slot, today), {
        delivery,
        owed,
        isOffSchedule,
      });
      const { anchor_date, anchor_day: anchorDay } = next;
      const schedule = { anchor: anchor_date, anchorDay, interval: { unit, count }, rhythm };
      const grid = (n: number) => deliveryOf(schedule, n);
      const tomorrow = addDays(today, 1);
      if (isOffSchedule) expect(grid(0)).toBe(delivery);
      else expect(next.anchor_date).toBe(anchor);
      expect(next.next_delivery_date).toBe(grid(next.next_index));
      expect(next.next_billed_index).toBe(next.next_index + owed);
      expect((next.next_delivery_date as string) > delivery).toBe(true);
      expect((next.next_billing_date as string) >= tomorrow).toBe(true);
      expect(next.next_billing_date).toBe(
        calculateDates(grid(next.next_billed_index), rhythm, tomorrow).billing,
      );
      if (rhythm) expect(dayOfWeek(next.next_delivery_date as string)).toBe(rhythm.day_of_week);
      const skipped = Array.from({ length: next.next_index - 1 }, (_, nth) => grid(nth + 1));
      for (const date of skipped)
        expect(date <= delivery || date < earliestDelivery(calendarIn(slot), tomorrow)).toBe(true);
    }),
    seeded(500),
  );
});

test("the earliest delivery is on the slot's day, with time to pack and send, and no week sooner would do", () => {
  fc.assert(
    fc.property(places, dates, (slot, today) => {
      const earliest = earliestDelivery(calendarIn(slot), today);
      if (!slot) {
        expect(earliest).toBe(today);
        return;
      }
      const lead = slot.day.courier_lead_time_days ?? 0;
      const inTime = (date: string) => {
        const { production } = calculatePlannedDates(date, slot.day);
        return date >= addDays(today, lead) && (production ?? date) >= today;
      };
      expect(dayOfWeek(earliest)).toBe(slot.day.day_of_week);
      expect([inTime(earliest), inTime(addDays(earliest, -7))]).toEqual([true, false]);
    }),
    seeded(500),
  );
});
