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
} from "../../../test/support/calendar.ts";
import { seeded } from "../../../test/support/seeded.ts";
import {
  calculateDates,
  calculatePlannedDates,
  type DeliveryRhythm,
  firstBilledFrom,
  nthDelivery,
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

describe("the first delivery that is billed from a day on", () => {
  test.each([
    ["the next one already is", "2026-11-20", undefined, 0, "2026-11-10", 0, "2026-11-20"],
    ["on that very day", "2026-11-20", undefined, 0, "2026-11-20", 0, "2026-11-20"],
    ["the next one is over", "2026-11-20", undefined, 0, "2026-11-21", 1, "2026-11-27"],
    ["many are over", "2026-11-20", undefined, 0, "2027-11-20", 53, "2027-11-26"],
    ["from a later index on", "2026-11-20", undefined, 3, "2026-11-21", 3, "2026-12-11"],
    ["it would be billed too early", "2026-11-20", rhythm(5, 4, 1, 1), 0, "2026-11-17", 1, "2026-11-27"],
    ["it is billed on that day", "2026-11-20", rhythm(5, 4, 1, 1), 0, "2026-11-16", 0, "2026-11-20"],
  ] as [string, string, DeliveryRhythm | undefined, number, string, number, string][])(
    "%s",
    (_, anchor, slot, from, earliest, index, delivery) => {
      const schedule = { anchor, interval: { unit: "WEEK", count: 1 } as const, rhythm: slot };
      expect(firstBilledFrom(schedule, from, earliest)).toEqual({ index, delivery });
    },
  );

  test("is billed on or after it, and the one before is not", () => {
    fc.assert(
      fc.property(
        aDate,
        anInterval,
        fc.option(aRhythm, { nil: undefined }),
        fc.nat(3),
        fc.nat(800),
        (anchor, interval, slot, from, ahead) => {
          const earliest = dateOf(dayOf(anchor) + ahead);
          const billed = (n: number) =>
            calculateDates(nthDelivery(anchor, interval, n, slot), slot, longAgo).billing;
          const { index, delivery } = firstBilledFrom({ anchor, interval, rhythm: slot }, from, earliest);
          expect(index).toBeGreaterThanOrEqual(from);
          expect(delivery).toBe(nthDelivery(anchor, interval, index, slot));
          expect(billed(index) >= earliest).toBe(true);
          if (index > from) expect(billed(index - 1) < earliest).toBe(true);
        },
      ),
      seeded(500),
    );
  });

  test("is looked for among 80,000 deliveries, which are two centuries of daily ones", () => {
    const daily = { anchor: "2026-01-01", interval: { unit: "DAY", count: 1 }, rhythm: undefined } as const;
    expect(firstBilledFrom(daily, 0, "2245-01-12")).toEqual({ index: 79_999, delivery: "2245-01-12" });
    expect(() => firstBilledFrom(daily, 0, "2245-01-13")).toThrow("The schedule has no such delivery");
  });
});
