/** An interval divides another only where the parts make up the whole again. */
import { describe, expect, test } from "vitest";
import {
  divideInterval,
  frequencyLabel,
  type Interval,
  intervalFault,
  intervalUnits,
  largestCount,
  timesWithin,
} from "./intervals.ts";

function read(text: string): Interval {
  const [count, unit] = text.split(" ") as [string, Interval["unit"]];
  return { unit, count: Number(count) };
}

test("the largest counts are 365 days, 52 weeks, 24 months, 3 years", () => {
  expect(largestCount).toEqual({ DAY: 365, WEEK: 52, MONTH: 24, YEAR: 3 });
});

test.each([
  ["365 DAY", undefined],
  ["366 DAY", "must be at most 365 for DAY"],
  ["52 WEEK", undefined],
  ["53 WEEK", "must be at most 52 for WEEK"],
  ["24 MONTH", undefined],
  ["25 MONTH", "must be at most 24 for MONTH"],
  ["1 YEAR", undefined],
  ["4 YEAR", "must be at most 3 for YEAR"],
])("an interval of %s: %s", (interval, fault) => {
  const { unit, count } = read(interval);
  expect(intervalFault(unit, count)).toBe(fault);
});

describe("how many of one interval make another", () => {
  test.each([
    ["1 MONTH", "1 MONTH", 1],
    ["3 MONTH", "1 MONTH", 3],
    ["1 YEAR", "1 MONTH", 12],
    ["1 YEAR", "3 MONTH", 4],
    ["3 YEAR", "24 MONTH", undefined],
    ["2 YEAR", "24 MONTH", 1],
    ["24 MONTH", "2 YEAR", 1],
    ["3 YEAR", "1 YEAR", 3],
    ["2 WEEK", "1 WEEK", 2],
    ["2 WEEK", "7 DAY", 2],
    ["2 WEEK", "14 DAY", 1],
    ["14 DAY", "2 WEEK", 1],
    ["1 WEEK", "1 DAY", 7],
    ["52 WEEK", "4 DAY", 91],
    ["364 DAY", "52 WEEK", 1],
    ["1 WEEK", "2 WEEK", undefined],
    ["3 WEEK", "2 WEEK", undefined],
    ["1 WEEK", "2 DAY", undefined],
    ["1 MONTH", "2 MONTH", undefined],
    ["5 MONTH", "2 MONTH", undefined],
    ["1 MONTH", "1 YEAR", undefined],
    ["1 MONTH", "1 WEEK", undefined],
    ["1 MONTH", "1 DAY", undefined],
    ["1 YEAR", "1 DAY", undefined],
    ["365 DAY", "1 YEAR", undefined],
    ["52 WEEK", "1 YEAR", undefined],
  ])("%s is %s times %s", (long, short, times) => {
    expect(timesWithin(read(long), read(short))).toBe(times);
  });

  test("every interval holds itself once", () => {
    for (const unit of intervalUnits)
      for (let count = 1; count <= largestCount[unit]; count++)
        expect(timesWithin({ unit, count }, { unit, count })).toBe(1);
  });
});

describe("an interval divided into equal ones", () => {
  test.each([
    ["6 MONTH", 3, "2 MONTH"],
    ["4 MONTH", 3, undefined],
    ["1 YEAR", 12, "1 MONTH"],
    ["1 YEAR", 4, "3 MONTH"],
    ["1 YEAR", 5, undefined],
    ["2 YEAR", 2, "1 YEAR"],
    ["3 YEAR", 2, "18 MONTH"],
    ["1 WEEK", 7, "1 DAY"],
    ["2 WEEK", 7, "2 DAY"],
    ["2 WEEK", 4, undefined],
    ["21 DAY", 3, "7 DAY"],
    ["1 MONTH", 4, undefined],
    ["1 DAY", 2, undefined],
  ])("%s into %i: %s", (whole, parts, expected) => {
    expect(divideInterval(read(whole), parts)).toEqual(expected && read(expected));
  });

  test("makes the whole again, of a length that intervals may have", () => {
    for (const unit of intervalUnits)
      for (let count = 1; count <= largestCount[unit]; count++)
        for (let parts = 1; parts <= 365; parts++) {
          const part = divideInterval({ unit, count }, parts);
          if (!part) continue;
          expect(timesWithin({ unit, count }, part)).toBe(parts);
          expect(part.count).toBeLessThanOrEqual(largestCount[part.unit]);
        }
  });

  test("whatever holds another so many times is divided into that many of its length", () => {
    const all = intervalUnits.flatMap((unit) =>
      Array.from({ length: largestCount[unit] }, (_, nth): Interval => ({ unit, count: nth + 1 })),
    );
    for (const whole of all)
      for (const part of all) {
        const times = timesWithin(whole, part);
        if (times === undefined) continue;
        const divided = divideInterval(whole, times);
        expect(divided && timesWithin(divided, part)).toBe(1);
      }
  });
});

test.each([
  ["1 DAY", "Every day"],
  ["2 DAY", "Every 2 days"],
  ["1 WEEK", "Every week"],
  ["2 WEEK", "Every 2 weeks"],
  ["1 MONTH", "Every month"],
  ["24 MONTH", "Every 24 months"],
  ["1 YEAR", "Every year"],
  ["3 YEAR", "Every 3 years"],
])("%s reads %s", (interval, label) => {
  expect(frequencyLabel(read(interval))).toBe(label);
});
