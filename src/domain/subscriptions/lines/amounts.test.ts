/** The amounts of a subscription follow from its lines, plans and discounts in minor units. */
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
import { calculateAmounts, recurringLines, shippingOf } from "./amounts.ts";

/** Minor units throughout: the same rules hold for JPY (0 decimals), USD (2) and KWD (3). */
describe("amounts, in minor units", () => {
  test.each([
    ["nothing off", [lineOf(1999, 3)], [], 0, 0, [5997, 0, 0, 0, 5997, [0]]],
    [
      "several lines, shipping and tax",
      [lineOf(1999, 1), lineOf(50, 2)],
      [],
      499,
      21,
      [2099, 0, 499, 21, 2619, [0, 0]],
    ],
    ["a price of 0", [lineOf(0, 5)], [], 0, 0, [0, 0, 0, 0, 0, [0]]],
    [
      "plan: percentage of the line",
      [lineOf(1000, 3, withPlanDiscount(percent(10)))],
      [],
      0,
      0,
      [3000, 300, 0, 0, 2700, [300]],
    ],
    [
      "plan: rounded once for the line, not for each unit",
      [lineOf(5, 3, withPlanDiscount(percent(10)))],
      [],
      0,
      0,
      [15, 2, 0, 0, 13, [2]],
    ],
    [
      "plan: half away from zero",
      [lineOf(5, 1, withPlanDiscount(percent(10)))],
      [],
      0,
      0,
      [5, 1, 0, 0, 4, [1]],
    ],
    ["plan: below half", [lineOf(4, 1, withPlanDiscount(percent(10)))], [], 0, 0, [4, 0, 0, 0, 4, [0]]],
    [
      "plan: a fraction of a percent",
      [lineOf(100_000, 1, withPlanDiscount(percent(0.01)))],
      [],
      0,
      0,
      [100_000, 10, 0, 0, 99_990, [10]],
    ],
    [
      "plan: 100 %",
      [lineOf(1999, 2, withPlanDiscount(percent(100)))],
      [],
      499,
      0,
      [3998, 3998, 499, 0, 499, [3998]],
    ],
    [
      "plan: a fixed amount off each unit",
      [lineOf(1000, 3, withPlanDiscount(fixed(150)))],
      [],
      0,
      0,
      [3000, 450, 0, 0, 2550, [450]],
    ],
    [
      "plan: no more than the line",
      [lineOf(100, 3, withPlanDiscount(fixed(150)))],
      [],
      0,
      0,
      [300, 300, 0, 0, 0, [300]],
    ],
    [
      "plans by line",
      [lineOf(1000, 1, withPlanDiscount(percent(10))), lineOf(1000, 1)],
      [],
      0,
      0,
      [2000, 100, 0, 0, 1900, [100, 0]],
    ],
    [
      "order: percentage of what the plan left",
      [lineOf(1000, 1, withPlanDiscount(percent(10)))],
      [discountOn("ORDER", percent(10))],
      0,
      0,
      [1000, 190, 0, 0, 810, [100]],
    ],
    [
      "order: fixed",
      [lineOf(1000, 2)],
      [discountOn("ORDER", fixed(250))],
      0,
      0,
      [2000, 250, 0, 0, 1750, [0]],
    ],
    [
      "order: no more than the goods, shipping stays",
      [lineOf(1000, 1)],
      [discountOn("ORDER", fixed(5000))],
      499,
      0,
      [1000, 1000, 499, 0, 499, [0]],
    ],
    [
      "order: one after the other",
      [lineOf(1000, 1)],
      [discountOn("ORDER", percent(50)), discountOn("ORDER", percent(50))],
      0,
      0,
      [1000, 750, 0, 0, 250, [0]],
    ],
    [
      "order: rounded once, over all lines",
      [lineOf(5, 1), lineOf(5, 1), lineOf(5, 1)],
      [discountOn("ORDER", percent(10))],
      0,
      0,
      [15, 2, 0, 0, 13, [0, 0, 0]],
    ],
    [
      "order: in sequence, fixed then percentage",
      [lineOf(1000, 1)],
      [discountOn("ORDER", fixed(100)), discountOn("ORDER", percent(10))],
      0,
      0,
      [1000, 190, 0, 0, 810, [0]],
    ],
    [
      "order: in sequence, percentage then fixed",
      [lineOf(1000, 1)],
      [discountOn("ORDER", percent(10)), discountOn("ORDER", fixed(100))],
      0,
      0,
      [1000, 200, 0, 0, 800, [0]],
    ],
    [
      "tax is owed whatever is off",
      [lineOf(1000, 1)],
      [discountOn("ORDER", percent(100))],
      0,
      190,
      [1000, 1000, 0, 190, 190, [0]],
    ],
    [
      "an exhausted one counts no more",
      [lineOf(1000, 1)],
      [discountOn("ORDER", percent(50), { status: "EXHAUSTED" })],
      0,
      0,
      [1000, 0, 0, 0, 1000, [0]],
    ],
    [
      "a removed one counts no more",
      [lineOf(1000, 1)],
      [discountOn("ORDER", percent(50), { status: "REMOVED" })],
      0,
      0,
      [1000, 0, 0, 0, 1000, [0]],
    ],
    [
      "percentages of what doubles cannot multiply exactly",
      [lineOf(999_999_999_999, 1)],
      [discountOn("ORDER", percent(33.33))],
      0,
      0,
      [999_999_999_999, 333_300_000_000, 0, 0, 666_699_999_999, [0]],
    ],
  ] as AmountsCase[])("%s", (_, lines, discounts, shipping, tax, expected) => {
    expect(figuresOf(calculateAmounts(lines, discounts, shipping, tax))).toEqual(expected);
  });

  test("line totals stand beside their lines, in order", () => {
    const { lines } = calculateAmounts([lineOf(100, 2, { id: "a" }), lineOf(50, 1, { id: "b" })], [], 0);
    expect(lines).toEqual([
      { id: "a", line_total: 200, discount_amount: 0 },
      { id: "b", line_total: 50, discount_amount: 0 },
    ]);
  });
});

test("shipping is the highest of the plans'", () => {
  expect(shippingOf([])).toBe(0);
  expect(shippingOf([lineOf(1, 1, { plan_shipping: 0 })])).toBe(0);
  expect(shippingOf([499, 799, 0].map((plan_shipping) => lineOf(1, 1, { plan_shipping })))).toBe(799);
});

test("one-time lines do not outlive the next order", () => {
  const [recurring, once] = [lineOf(1, 1), lineOf(2, 1, { is_one_time: true })];
  expect(recurringLines([recurring, once])).toEqual([recurring]);
});
