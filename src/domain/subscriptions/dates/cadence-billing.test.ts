/** A delivery is packed and billed as late as its slot and lead time allow, and never before today. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  aDate,
  anInterval,
  aRhythm,
  dateOf,
  dayOf,
  isoWeekday,
  longAgo,
  rhythm,
} from "../../../../test/support/calendar.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import type { Interval } from "../../../base/lib/time/intervals.ts";
import {
  calculateDates,
  calculatePlannedDates,
  type DeliveryRhythm,
  dayOfKind,
  lastUntil,
  nthDelivery,
  seekIndex,
} from "./cadence.ts";

describe("when a delivery is packed and billed", () => {
  test.each([
    ["no slot", undefined, "2026-11-20", null, "2026-11-20"],
    ["a slot alone", rhythm(5, null, null, null), "2026-11-20", null, "2026-11-20"],
    [
      "lead time without a packing day says nothing",
      rhythm(5, null, null, 3),
      "2026-11-20",
      null,
      "2026-11-20",
    ],
    ["packed on the day before", rhythm(5, 4, null, 1), "2026-11-20", "2026-11-19", "2026-11-19"],
    ["packed on the day itself", rhythm(5, 5, null, 0), "2026-11-20", "2026-11-20", "2026-11-20"],
    ["a missing lead time is 0", rhythm(5, 5, null, null), "2026-11-20", "2026-11-20", "2026-11-20"],
    [
      "lead time leaves the packing day just enough",
      rhythm(5, 3, null, 2),
      "2026-11-20",
      "2026-11-18",
      "2026-11-18",
    ],
    [
      "lead time leaves it too little: a week before",
      rhythm(5, 4, null, 2),
      "2026-11-20",
      "2026-11-12",
      "2026-11-12",
    ],
    ["lead time of more than a week", rhythm(5, 4, null, 9), "2026-11-20", "2026-11-05", "2026-11-05"],
    ["billed on or before packing", rhythm(5, 4, 1, 1), "2026-11-20", "2026-11-19", "2026-11-16"],
    ["billed on the packing day", rhythm(5, 4, 4, 1), "2026-11-20", "2026-11-19", "2026-11-19"],
    ["billed in the week before packing", rhythm(5, 4, 5, 1), "2026-11-20", "2026-11-19", "2026-11-13"],
    ["no packing day: billed on or before delivery", rhythm(5, null, 5, 3), "2026-11-20", null, "2026-11-20"],
    ["no packing day: billed before delivery", rhythm(5, null, 6, 0), "2026-11-20", null, "2026-11-14"],
    ["over the end of a leap February", rhythm(3, 2, 1, 1), "2028-03-01", "2028-02-29", "2028-02-28"],
    ["over the end of a year", rhythm(5, 4, 3, 1), "2027-01-01", "2026-12-31", "2026-12-30"],
  ] as [string, DeliveryRhythm | undefined, string, string | null, string][])(
    "%s",
    (_, slot, delivery, production, billing) => {
      expect(calculateDates(delivery, slot, longAgo)).toEqual({ delivery, production, billing });
    },
  );

  test.each(["2026-11-19", "2026-11-20", "2026-12-24"])(
    "without a slot a delivery is billed on its day, whether today (%s) is before or after it",
    (today) => {
      const dates = { delivery: "2026-11-20", production: null, billing: "2026-11-20" };
      expect(calculateDates("2026-11-20", undefined, today)).toEqual(dates);
      expect(calculatePlannedDates("2026-11-20", undefined)).toEqual(dates);
    },
  );

  test.each([
    ["before both", "2026-11-15", "2026-11-19", "2026-11-16"],
    ["on the billing day", "2026-11-16", "2026-11-19", "2026-11-16"],
    ["after the billing day", "2026-11-17", "2026-11-19", "2026-11-17"],
    ["on the packing day", "2026-11-19", "2026-11-19", "2026-11-19"],
    ["on the delivery day", "2026-11-20", "2026-11-20", "2026-11-20"],
  ])("no computed date lies before today: %s", (_, today, production, billing) => {
    expect(calculateDates("2026-11-20", rhythm(5, 4, 1, 1), today)).toEqual({
      delivery: "2026-11-20",
      production,
      billing,
    });
  });

  test("billing ≤ production ≤ delivery − lead time, on their days of the week, and as late as that allows", () => {
    fc.assert(
      fc.property(aDate, anInterval, fc.nat(50), aRhythm, (anchor, interval, n, slot) => {
        const { delivery, production, billing } = calculateDates(
          nthDelivery(anchor, interval, n, slot),
          slot,
          longAgo,
        );
        const lead = slot.courier_lead_time_days ?? 0;
        if (production === null) expect(slot.packing_day_of_week).toBeNull();
        else {
          expect(isoWeekday(production)).toBe(slot.packing_day_of_week);
          const slack = dayOf(delivery) - lead - dayOf(production);
          expect(slack >= 0 && slack < 7, `packed ${slack} days early`).toBe(true);
        }
        const packed = production ?? delivery;
        const early = dayOf(packed) - dayOf(billing);
        if (slot.billing_day_of_week === null) expect(early).toBe(0);
        else expect(isoWeekday(billing)).toBe(slot.billing_day_of_week);
        expect(early >= 0 && early < 7, `billed ${early} days early`).toBe(true);
      }),
      seeded(2000),
    );
  });

  test("with today on or before delivery all three are from today on, and in order", () => {
    fc.assert(
      fc.property(aDate, fc.nat(40), fc.option(aRhythm, { nil: undefined }), (delivery, ahead, slot) => {
        const today = dateOf(dayOf(delivery) - ahead);
        const { production, billing } = calculateDates(delivery, slot, today);
        const free = calculateDates(delivery, slot, longAgo);
        const later = (date: string) => (dayOf(date) < dayOf(today) ? today : date);
        expect(production).toBe(free.production === null ? null : later(free.production));
        expect(billing).toBe(later(free.billing));
        expect([billing, production ?? delivery, delivery]).toEqual(
          [billing, production ?? delivery, delivery].toSorted(),
        );
        expect(today <= billing).toBe(true);
      }),
      seeded(1000),
    );
  });
});

describe("the first date of a kind from a day on", () => {
  test.each([
    ["the next one already is", "2026-11-20", undefined, 0, "2026-11-10", 0],
    ["on that very day", "2026-11-20", undefined, 0, "2026-11-20", 0],
    ["the next one is over", "2026-11-20", undefined, 0, "2026-11-21", 1],
    ["many are over", "2026-11-20", undefined, 0, "2027-11-20", 53],
    ["from a later index on", "2026-11-20", undefined, 3, "2026-11-21", 3],
    ["it would be billed too early", "2026-11-20", rhythm(5, 4, 1, 1), 0, "2026-11-17", 1],
    ["it is billed on that day", "2026-11-20", rhythm(5, 4, 1, 1), 0, "2026-11-16", 0],
  ] as [string, string, DeliveryRhythm | undefined, number, string, number][])(
    "%s",
    (_, anchor, slot, from, earliest, index) => {
      const schedule = { anchor, interval: { unit: "WEEK", count: 1 } as const, rhythm: slot };
      expect(seekIndex(schedule, "billing", { from, day: dayOf(earliest) })).toBe(index);
    },
  );

  const kinds = fc.constantFrom("delivery", "production", "billing");
  const aSchedule = fc.record({
    anchor: aDate,
    interval: anInterval,
    rhythm: fc.option(aRhythm, { nil: undefined }),
  });

  test("is the one that a walk from delivery to delivery finds", () => {
    fc.assert(
      fc.property(
        aSchedule,
        kinds,
        fc.nat(3),
        fc.integer({ min: -400, max: 4000 }),
        (schedule, kind, from, ahead) => {
          const day = dayOf(schedule.anchor) + ahead;
          const dateOfKind = (n: number) => {
            const delivery = nthDelivery(schedule.anchor, schedule.interval, n, schedule.rhythm);
            const dates = calculateDates(delivery, schedule.rhythm, longAgo);
            return dayOf(dates[kind] ?? dates.delivery);
          };
          let walked = from;
          while (dateOfKind(walked) < day) walked++;
          expect(seekIndex(schedule, kind, { from, day })).toBe(walked);
          expect(dayOfKind(schedule, kind, walked)).toBe(dateOfKind(walked));
        },
      ),
      seeded(1500),
    );
  });

  test("ends with an error where a broken row is counted from no date", () => {
    const schedule = { anchor: "soon", interval: { unit: "WEEK", count: 1 } as const, rhythm: undefined };
    expect(() => seekIndex(schedule, "delivery", { from: 0, day: 0 })).toThrow(RangeError);
  });

  test.each<[Interval, number]>([
    [{ unit: "DAY", count: 1 }, 2_547_035],
    [{ unit: "WEEK", count: 1 }, 363_863],
    [{ unit: "MONTH", count: 1 }, 83_683],
    [{ unit: "YEAR", count: 3 }, 2325],
  ])("is found at the end of the calendar as tomorrow: %j", (interval, index) => {
    const schedule = { anchor: "2026-06-15", interval, rhythm: undefined };
    expect(seekIndex(schedule, "delivery", { from: 0, day: dayOf("8999-12-31") })).toBe(index);
  });

  test("the last delivery up to a day is the one before the first after it, unless the n-th is on it already", () => {
    fc.assert(
      fc.property(aSchedule, fc.nat(3), fc.integer({ min: -40, max: 400 }), (schedule, index, ahead) => {
        const { anchor, interval } = schedule;
        const nth = (n: number) => nthDelivery(anchor, interval, n, schedule.rhythm);
        const until = dateOf(dayOf(nth(index)) + ahead);
        let walked = index;
        if (ahead > 0) while (nth(walked + 1) <= until) walked++;
        expect(lastUntil(schedule, until, index)).toBe(walked);
      }),
      seeded(1000),
    );
  });
});
