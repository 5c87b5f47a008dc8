import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Interval, type IntervalUnit, intervalUnits, largestCount } from "../lib/intervals.ts";
import { addDays, type DeliveryRhythm, datesOf, dayOfWeek, firstBilledFrom, nthDelivery } from "./cadence.ts";

const seeded = (numRuns: number) => ({ seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns });

/** Days of the calendar as numbers, by Date: nothing of ours. */
const dayMs = 86_400_000;
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;
const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
const isoWeekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Anchor plus so many days or months, the latter on the month's last day where it has no such day. */
const plus = (anchor: string, unit: IntervalUnit, count: number): string => {
  if (unit === "DAY" || unit === "WEEK") return dateOf(dayOf(anchor) + count * (unit === "WEEK" ? 7 : 1));
  const [year, month, day] = anchor.split("-").map(Number) as [number, number, number];
  const months = year * 12 + month - 1 + count * (unit === "YEAR" ? 12 : 1);
  const [toYear, toMonth] = [Math.floor(months / 12), (months % 12) + 1];
  return dateOf(
    dayOf("1970-01-01") + Date.UTC(toYear, toMonth - 1, Math.min(day, daysInMonth(toYear, toMonth))) / dayMs,
  );
};

const aDate = fc.integer({ min: dayOf("2020-01-01"), max: dayOf("2100-12-31") }).map(dateOf);
const weekday = fc.integer({ min: 1, max: 7 });
const anInterval: fc.Arbitrary<Interval> = fc
  .constantFrom(...intervalUnits)
  .chain((unit) => fc.integer({ min: 1, max: largestCount[unit] }).map((count) => ({ unit, count })));
const aRhythm: fc.Arbitrary<DeliveryRhythm> = fc.record({
  day_of_week: weekday,
  packing_day_of_week: fc.option(weekday),
  billing_day_of_week: fc.option(weekday),
  courier_lead_time_days: fc.option(fc.integer({ min: 0, max: 30 })),
});
const longAgo = "2000-01-01";

const rhythm = (
  day_of_week: number,
  packing_day_of_week: number | null,
  billing_day_of_week: number | null,
  courier_lead_time_days: number | null,
): DeliveryRhythm => ({ day_of_week, packing_day_of_week, billing_day_of_week, courier_lead_time_days });

describe("days", () => {
  test.each([
    ["2026-11-16", 1],
    ["2026-11-17", 2],
    ["2026-11-18", 3],
    ["2026-11-19", 4],
    ["2026-11-20", 5],
    ["2026-11-21", 6],
    ["2026-11-22", 7],
    ["2024-02-29", 4],
    ["2000-01-01", 6],
    ["1969-12-31", 3],
    ["9999-12-31", 5],
  ])("%s is day %i of its week (ISO 8601)", (date, expected) => {
    expect(dayOfWeek(date)).toBe(expected);
  });

  test.each([
    ["2026-12-31", 1, "2027-01-01"],
    ["2028-02-28", 1, "2028-02-29"],
    ["2028-02-28", 2, "2028-03-01"],
    ["2027-02-28", 1, "2027-03-01"],
    ["2027-03-01", -1, "2027-02-28"],
    ["2028-03-01", -1, "2028-02-29"],
    ["2026-03-29", 1, "2026-03-30"],
    ["2026-11-20", 0, "2026-11-20"],
    ["2026-01-01", -365, "2025-01-01"],
  ])("%s and %i days is %s", (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });
});

describe("the n-th delivery is anchor plus n intervals", () => {
  const series = (anchor: string, unit: IntervalUnit, count: number, length: number): string[] =>
    Array.from({ length }, (_, n) => nthDelivery(anchor, { unit, count }, n, undefined));

  test.each([
    [
      "2026-01-31",
      "MONTH",
      1,
      ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"],
    ],
    ["2028-01-31", "MONTH", 1, ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30"]],
    ["2028-01-30", "MONTH", 1, ["2028-01-30", "2028-02-29", "2028-03-30"]],
    ["2027-01-29", "MONTH", 1, ["2027-01-29", "2027-02-28", "2027-03-29"]],
    ["2027-01-28", "MONTH", 1, ["2027-01-28", "2027-02-28", "2027-03-28"]],
    ["2100-01-31", "MONTH", 1, ["2100-01-31", "2100-02-28", "2100-03-31"]],
    ["2026-12-31", "MONTH", 2, ["2026-12-31", "2027-02-28", "2027-04-30", "2027-06-30", "2027-08-31"]],
    [
      "2026-11-30",
      "MONTH",
      3,
      ["2026-11-30", "2027-02-28", "2027-05-30", "2027-08-30", "2027-11-30", "2028-02-29"],
    ],
    ["2026-10-31", "MONTH", 24, ["2026-10-31", "2028-10-31", "2030-10-31"]],
    ["2028-02-29", "YEAR", 1, ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
    ["2096-02-29", "YEAR", 2, ["2096-02-29", "2098-02-28", "2100-02-28", "2102-02-28", "2104-02-29"]],
    ["2028-02-29", "YEAR", 3, ["2028-02-29", "2031-02-28", "2034-02-28", "2037-02-28", "2040-02-29"]],
    ["2026-12-31", "DAY", 1, ["2026-12-31", "2027-01-01", "2027-01-02"]],
    ["2028-02-27", "DAY", 1, ["2028-02-27", "2028-02-28", "2028-02-29", "2028-03-01"]],
    ["2026-01-01", "DAY", 365, ["2026-01-01", "2027-01-01", "2028-01-01", "2028-12-31"]],
    ["2026-12-24", "WEEK", 1, ["2026-12-24", "2026-12-31", "2027-01-07"]],
    ["2026-11-20", "WEEK", 2, ["2026-11-20", "2026-12-04", "2026-12-18", "2027-01-01"]],
    ["2026-11-20", "WEEK", 52, ["2026-11-20", "2027-11-19", "2028-11-17"]],
  ] as [string, IntervalUnit, number, string[]][])("%s every %s x %i", (anchor, unit, count, expected) => {
    expect(series(anchor, unit, count, expected.length)).toEqual(expected);
  });

  test.each([
    ["2026-01-31", "MONTH", 1, ["2026-02-02", "2026-03-02", "2026-04-06", "2026-05-04"]],
    ["2026-02-02", "MONTH", 1, ["2026-02-02", "2026-03-02", "2026-04-06", "2026-05-04", "2026-06-08"]],
    ["2026-11-23", "WEEK", 1, ["2026-11-23", "2026-11-30", "2026-12-07"]],
    ["2026-11-23", "DAY", 10, ["2026-11-23", "2026-12-07", "2026-12-14", "2026-12-28", "2027-01-04"]],
    ["2028-02-28", "YEAR", 1, ["2028-02-28", "2029-03-05", "2030-03-04", "2031-03-03"]],
  ] as [string, IntervalUnit, number, string[]][])(
    "and moves on to the slot's Monday, each from its own date: %s every %s x %i",
    (anchor, unit, count, expected) => {
      const mondays = expected.map((_, n) =>
        nthDelivery(anchor, { unit, count }, n, rhythm(1, null, null, null)),
      );
      expect(mondays).toEqual(expected);
    },
  );

  test("as Date counts it, for random anchors, intervals and n", () => {
    fc.assert(
      fc.property(aDate, anInterval, fc.nat(200), (anchor, interval, n) => {
        expect(nthDelivery(anchor, interval, n, undefined)).toBe(
          plus(anchor, interval.unit, n * interval.count),
        );
      }),
      seeded(2000),
    );
  });

  test("never drifts: n months on is the anchor's day, or the last of a shorter month", () => {
    fc.assert(
      fc.property(
        aDate,
        fc.constantFrom("MONTH", "YEAR"),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(120),
        (anchor, unit, count, n) => {
          const [year, month, day] = nthDelivery(anchor, { unit, count }, n, undefined)
            .split("-")
            .map(Number);
          expect(day).toBe(Math.min(Number(anchor.slice(8)), daysInMonth(year!, month!)));
        },
      ),
      seeded(1000),
    );
  });

  test("falls on the slot's day, less than a week after the date without a slot", () => {
    fc.assert(
      fc.property(aDate, anInterval, fc.nat(100), aRhythm, (anchor, interval, n, slot) => {
        const placed = nthDelivery(anchor, interval, n, slot);
        const moved = dayOf(placed) - dayOf(nthDelivery(anchor, interval, n, undefined));
        expect(isoWeekday(placed)).toBe(slot.day_of_week);
        expect(moved >= 0 && moved < 7, `${moved} days`).toBe(true);
      }),
      seeded(2000),
    );
  });

  test("never goes back as n grows, and goes on wherever the interval is a week or more", () => {
    fc.assert(
      fc.property(
        aDate,
        anInterval,
        fc.nat(100),
        fc.option(aRhythm, { nil: undefined }),
        (anchor, interval, n, slot) => {
          const [one, next] = [n, n + 1].map((at) => nthDelivery(anchor, interval, at, slot)) as [
            string,
            string,
          ];
          const least = slot && interval.unit === "DAY" && interval.count < 7 ? 0 : 1;
          expect(dayOf(next) - dayOf(one)).toBeGreaterThanOrEqual(least);
        },
      ),
      seeded(2000),
    );
  });
});

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
      expect(datesOf(delivery, slot, longAgo)).toEqual({ delivery, production, billing });
    },
  );

  test.each([
    ["before both", "2026-11-15", "2026-11-19", "2026-11-16"],
    ["on the billing day", "2026-11-16", "2026-11-19", "2026-11-16"],
    ["after the billing day", "2026-11-17", "2026-11-19", "2026-11-17"],
    ["on the packing day", "2026-11-19", "2026-11-19", "2026-11-19"],
    ["on the delivery day", "2026-11-20", "2026-11-20", "2026-11-20"],
  ])("no computed date lies before today: %s", (_, today, production, billing) => {
    expect(datesOf("2026-11-20", rhythm(5, 4, 1, 1), today)).toEqual({
      delivery: "2026-11-20",
      production,
      billing,
    });
  });

  test("billing ≤ production ≤ delivery − lead time, on their days of the week, and as late as that allows", () => {
    fc.assert(
      fc.property(aDate, anInterval, fc.nat(50), aRhythm, (anchor, interval, n, slot) => {
        const { delivery, production, billing } = datesOf(
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
        const { production, billing } = datesOf(delivery, slot, today);
        const free = datesOf(delivery, slot, longAgo);
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
            datesOf(nthDelivery(anchor, interval, n, slot), slot, longAgo).billing;
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
});
