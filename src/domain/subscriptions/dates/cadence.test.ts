/** The n-th delivery is the anchor plus n intervals, moved on to the slot's day of the week. */
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import {
  aDate,
  addInterval,
  anInterval,
  aRhythm,
  dayOf,
  daysInMonth,
  isoWeekday,
  rhythm,
} from "../../../../test/support/calendar.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import { type IntervalUnit, intervalUnits } from "../../../base/lib/time/intervals.ts";
import { nthDelivery } from "./cadence.ts";

describe("the n-th delivery is anchor plus n intervals", () => {
  test("from any day of 1900 to 2100, in any unit, it is Temporal's", () => {
    const aDay = fc.integer({ min: 0, max: 73_413 }).map((days) => addDays("1900-01-01", days));
    const temporal = { DAY: "days", WEEK: "weeks", MONTH: "months", YEAR: "years" };
    const most = { DAY: 70_000, WEEK: 10_000, MONTH: 2400, YEAR: 200 };
    const aStep = fc
      .constantFrom(...intervalUnits)
      .chain((unit) => fc.record({ unit: fc.constant(unit), n: fc.nat(most[unit]) }));
    fc.assert(
      fc.property(aDay, aStep, fc.integer({ min: 1, max: 3 }), (anchor, { unit, n }, count) => {
        const expected = Temporal.PlainDate.from(anchor).add({ [temporal[unit]]: n * count });
        expect(nthDelivery(anchor, { unit, count }, n, undefined)).toBe(expected.toString());
      }),
      seeded(5000),
    );
  });

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
          addInterval(anchor, interval.unit, n * interval.count),
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
