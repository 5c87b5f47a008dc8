/** Calendar arithmetic on dates agrees with Temporal and Date for every date of centuries. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { aDate } from "../../../../test/support/calendar.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import {
  addDays,
  addMonths,
  dayOfMonth,
  dayOfWeek,
  daysInMonth,
  earlierOf,
  lastDay,
  laterOf,
  toDate,
  toDay,
  weekdayOf,
} from "./calendar.ts";

const firstDay = toDay("0000-01-01");

function hashOf(parts: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

function* daysFrom(first: string, last: string) {
  for (let day = toDay(first); day <= toDay(last); day++) yield day;
}

describe("the day of a date", () => {
  test("is counted from 1 January 1970", () => {
    expect(["1970-01-01", "1970-01-02", "1969-12-31", "2000-03-01"].map(toDay)).toEqual([0, 1, -1, 11_017]);
    expect(["0000-01-01", "9999-12-31"].map(toDay)).toEqual([-719_528, lastDay]);
  });

  test("follows that of the date before, for every date of eight centuries, as Date has them; and gives the date back", () => {
    const different: string[] = [];
    const edges = [...daysFrom("0000-01-01", "0005-12-31"), ...daysFrom("9995-01-01", "9999-12-31")];
    for (const day of [...edges, ...daysFrom("1600-01-01", "2399-12-31")]) {
      const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
      if (toDate(day) !== date || toDay(date) !== day) different.push(date);
    }
    expect(different).toEqual([]);
  });

  test.each([
    ["+010000-01-01", lastDay + 1],
    ["-000001-12-31", firstDay - 1],
  ])("%s is %i: beyond four digits it is written as ISO 8601 does", (date, day) => {
    expect(toDay(date)).toBe(day);
    expect(toDate(day)).toBe(date);
  });

  test("of an instant is that by UTC", () => {
    expect(["2026-11-20T00:00:00.000Z", "2026-11-20T23:59:59.999Z"].map((at) => toDate(toDay(at)))).toEqual([
      "2026-11-20",
      "2026-11-20",
    ]);
  });

  test.each(["", "tomorrow"])("%j has none, and what is no day has no date", (text) => {
    expect(toDay(text)).toBeNaN();
    expect(() => toDate(toDay(text))).toThrow(RangeError);
  });
});

describe("the calendar is Temporal's, from 1970 to 2100", () => {
  test("in the day of the week and the number of days of its month, of every date", () => {
    const days = [...daysFrom("1970-01-01", "2100-12-31")];
    const ours = days.map((day) => {
      const [year, month] = toDate(day).split("-").map(Number) as [number, number];
      return `${toDate(day)} ${weekdayOf(day)} ${daysInMonth(year, month)}\n`;
    });
    const theirs = days.map((_, nth) => {
      const date = Temporal.PlainDate.from("1970-01-01").add({ days: nth });
      return `${date} ${date.dayOfWeek} ${date.daysInMonth}\n`;
    });
    expect(hashOf(ours)).toBe(hashOf(theirs));
  });

  test("in the months after and before every first, 15th and last three days of a month", () => {
    const edges = [...daysFrom("1970-01-01", "2100-12-31")].filter((day) => {
      const dayOfMonth = Number(toDate(day).slice(8));
      return dayOfMonth === 1 || dayOfMonth === 15 || dayOfMonth >= 28;
    });
    const months = [1, 2, 11, 13, 1_200, -1, -2, -13];
    const ours = edges.flatMap((day) => months.map((count) => toDate(addMonths(day, count))));
    const theirs = edges.flatMap((day) => {
      const date = Temporal.PlainDate.from(toDate(day));
      return months.map((count) => date.add({ months: count }).toString());
    });
    expect(hashOf(ours)).toBe(hashOf(theirs));
  });

  test("in any number of months from any date of the calendar", () => {
    const aDay = fc.integer({ min: firstDay, max: lastDay });
    fc.assert(
      fc.property(aDay, fc.integer({ min: -30_000, max: 30_000 }), (day, months) => {
        const expected = Temporal.PlainDate.from(toDate(day)).add({ months });
        fc.pre(expected.year >= 0 && expected.year <= 9999);
        expect(toDate(addMonths(day, months))).toBe(expected.toString());
        expect(weekdayOf(day)).toBe(Temporal.PlainDate.from(toDate(day)).dayOfWeek);
      }),
      seeded(5_000),
    );
  });
});

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
    ["9999-12-31", 1, "+010000-01-01"],
  ])("%s and %i days is %s", (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });

  test("of any date and number are Temporal's", () => {
    fc.assert(
      fc.property(aDate, fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
        expect(addDays(date, days)).toBe(Temporal.PlainDate.from(date).add({ days }).toString());
      }),
      seeded(2000),
    );
  });

  test.each([
    ["2026-11-20", "2026-11-21", "2026-11-20", "2026-11-21"],
    ["2026-11-21", "2026-11-20", "2026-11-20", "2026-11-21"],
    ["2026-11-20", "2026-11-20", "2026-11-20", "2026-11-20"],
  ])("of %s and %s the earlier is %s and the later %s", (a, b, earlier, later) => {
    expect([earlierOf(a, b), laterOf(a, b)]).toEqual([earlier, later]);
  });

  test.each([
    ["2026-11-01", 1],
    ["2024-02-29", 29],
    ["2026-12-31", 31],
  ])("%s is day %i of its month", (date, expected) => {
    expect(dayOfMonth(date)).toBe(expected);
  });
});
