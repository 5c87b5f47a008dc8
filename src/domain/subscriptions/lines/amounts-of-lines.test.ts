/** Discounts of single lines and of shipping take off what they say, to the minor unit. */
import { describe, expect, test } from "vitest";
import {
  type AmountsCase,
  discountOn,
  figuresOf,
  fixed,
  lineOf,
  percent,
  withPlanDiscount,
} from "../../../../test/support/amounts.ts";
import { calculateAmounts } from "./amounts.ts";

describe("discounts of lines and of shipping, in minor units", () => {
  test.each([
    [
      "lines: split in proportion",
      [lineOf(3000, 1), lineOf(1000, 1)],
      [discountOn("LINE_ITEM", fixed(400))],
      0,
      0,
      [4000, 400, 0, 0, 3600, [300, 100]],
    ],
    [
      "lines: what rounding leaves goes to the first",
      [lineOf(100, 1), lineOf(100, 1), lineOf(100, 1)],
      [discountOn("LINE_ITEM", fixed(100))],
      0,
      0,
      [300, 100, 0, 0, 200, [34, 33, 33]],
    ],
    [
      "lines: never to one without room",
      [lineOf(0, 1), lineOf(1, 1), lineOf(2, 1)],
      [discountOn("LINE_ITEM", fixed(2))],
      0,
      0,
      [3, 2, 0, 0, 1, [0, 1, 1]],
    ],
    [
      "lines: no more than the goods",
      [lineOf(100, 1), lineOf(50, 1)],
      [discountOn("LINE_ITEM", fixed(1000))],
      0,
      0,
      [150, 150, 0, 0, 0, [100, 50]],
    ],
    [
      "lines: on top of the plan's",
      [lineOf(1000, 1, withPlanDiscount(percent(10)))],
      [discountOn("LINE_ITEM", percent(10))],
      0,
      0,
      [1000, 190, 0, 0, 810, [190]],
    ],
    [
      "lines after order: of what the order left",
      [lineOf(1000, 1)],
      [discountOn("ORDER", percent(50)), discountOn("LINE_ITEM", percent(50))],
      0,
      0,
      [1000, 750, 0, 0, 250, [250]],
    ],
    [
      "order after lines",
      [lineOf(1000, 1)],
      [discountOn("LINE_ITEM", fixed(400)), discountOn("ORDER", fixed(1000))],
      0,
      0,
      [1000, 1000, 0, 0, 0, [400]],
    ],
    [
      "shipping: percentage",
      [lineOf(1000, 1)],
      [discountOn("SHIPPING_LINE", percent(50))],
      499,
      0,
      [1000, 250, 499, 0, 1249, [0]],
    ],
    [
      "shipping: no more than shipping",
      [lineOf(1000, 1)],
      [discountOn("SHIPPING_LINE", fixed(1000))],
      499,
      0,
      [1000, 499, 499, 0, 1000, [0]],
    ],
    [
      "shipping: without shipping",
      [lineOf(1000, 1)],
      [discountOn("SHIPPING_LINE", fixed(1000))],
      0,
      0,
      [1000, 0, 0, 0, 1000, [0]],
    ],
    [
      "shipping: one after the other",
      [lineOf(1000, 1)],
      [discountOn("SHIPPING_LINE", percent(50)), discountOn("SHIPPING_LINE", percent(50))],
      400,
      0,
      [1000, 300, 400, 0, 1100, [0]],
    ],
    [
      "no lines",
      [],
      [discountOn("LINE_ITEM", fixed(5)), discountOn("ORDER", fixed(5))],
      0,
      0,
      [0, 0, 0, 0, 0, []],
    ],
  ] as AmountsCase[])("%s", (_, lines, discounts, shipping, tax, expected) => {
    expect(figuresOf(calculateAmounts(lines, discounts, shipping, tax))).toEqual(expected);
  });
});
