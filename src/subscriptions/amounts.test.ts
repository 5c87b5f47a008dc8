import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  afterCycle,
  amountsOf,
  type Discount,
  type Line,
  lastingLines,
  type Reduction,
  shippingOf,
} from "./amounts.ts";

const seeded = (numRuns: number) => ({ seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns });
const now = "2026-11-20T12:00:00.000Z";
const later = "2026-12-20T12:00:00.000Z";

const line = (price: number, quantity: number, more: Partial<Line> = {}): Line => ({
  id: `${price}x${quantity}`,
  store_product_id: "p",
  store_variant_id: "v",
  subscription_variant_id: null,
  product_title: "Kibble",
  variant_title: null,
  sku: null,
  selling_plan_id: "plan",
  selling_plan_name: "Plan",
  entity_id: null,
  price,
  quantity,
  selection_items: null,
  is_one_time: false,
  plan_shipping: 0,
  plan_discount: null,
  ...more,
});

const percent = (value: number): Reduction => ({ type: "PERCENTAGE", value: Math.round(value * 100) });
const fixed = (value: number): Reduction => ({ type: "FIXED_AMOUNT", value });
const off = (
  target_type: Discount["target_type"],
  reduction: Reduction,
  more: Partial<Discount> = {},
): Discount => ({
  id: "d",
  status: "ACTIVE",
  discount_code: null,
  title: "Thanks",
  reduction,
  store_discount_id: "d",
  target_type,
  recurring_cycle_limit: null,
  cycles_used: 0,
  applied_at: now,
  exhausted_at: null,
  removed_at: null,
  created_at: now,
  updated_at: now,
  ...more,
});
const planned = (reduction: Reduction): Partial<Line> => ({ plan_discount: reduction });

type Figures = [
  subtotal: number,
  discount: number,
  shipping: number,
  tax: number,
  total: number,
  lines: number[],
];
const figures = (...given: Parameters<typeof amountsOf>): Figures => {
  const { subtotal, discount_amount, shipping_amount, tax_amount, total, lines } = amountsOf(...given);
  return [
    subtotal,
    discount_amount,
    shipping_amount,
    tax_amount,
    total,
    lines.map((one) => one.discount_amount),
  ];
};

/** Minor units throughout: the same rules hold for JPY (0 decimals), USD (2) and KWD (3). */
describe("amounts, in minor units", () => {
  test.each([
    ["nothing off", [line(1999, 3)], [], 0, 0, [5997, 0, 0, 0, 5997, [0]]],
    [
      "several lines, shipping and tax",
      [line(1999, 1), line(50, 2)],
      [],
      499,
      21,
      [2099, 0, 499, 21, 2619, [0, 0]],
    ],
    ["a price of 0", [line(0, 5)], [], 0, 0, [0, 0, 0, 0, 0, [0]]],
    [
      "plan: percentage of the line",
      [line(1000, 3, planned(percent(10)))],
      [],
      0,
      0,
      [3000, 300, 0, 0, 2700, [300]],
    ],
    [
      "plan: rounded once for the line, not for each unit",
      [line(5, 3, planned(percent(10)))],
      [],
      0,
      0,
      [15, 2, 0, 0, 13, [2]],
    ],
    ["plan: half away from zero", [line(5, 1, planned(percent(10)))], [], 0, 0, [5, 1, 0, 0, 4, [1]]],
    ["plan: below half", [line(4, 1, planned(percent(10)))], [], 0, 0, [4, 0, 0, 0, 4, [0]]],
    [
      "plan: a fraction of a percent",
      [line(100_000, 1, planned(percent(0.01)))],
      [],
      0,
      0,
      [100_000, 10, 0, 0, 99_990, [10]],
    ],
    ["plan: 100 %", [line(1999, 2, planned(percent(100)))], [], 499, 0, [3998, 3998, 499, 0, 499, [3998]]],
    [
      "plan: a fixed amount off each unit",
      [line(1000, 3, planned(fixed(150)))],
      [],
      0,
      0,
      [3000, 450, 0, 0, 2550, [450]],
    ],
    [
      "plan: no more than the line",
      [line(100, 3, planned(fixed(150)))],
      [],
      0,
      0,
      [300, 300, 0, 0, 0, [300]],
    ],
    [
      "plans by line",
      [line(1000, 1, planned(percent(10))), line(1000, 1)],
      [],
      0,
      0,
      [2000, 100, 0, 0, 1900, [100, 0]],
    ],
    [
      "order: percentage of what the plan left",
      [line(1000, 1, planned(percent(10)))],
      [off("ORDER", percent(10))],
      0,
      0,
      [1000, 190, 0, 0, 810, [100]],
    ],
    ["order: fixed", [line(1000, 2)], [off("ORDER", fixed(250))], 0, 0, [2000, 250, 0, 0, 1750, [0]]],
    [
      "order: no more than the goods, shipping stays",
      [line(1000, 1)],
      [off("ORDER", fixed(5000))],
      499,
      0,
      [1000, 1000, 499, 0, 499, [0]],
    ],
    [
      "order: one after the other",
      [line(1000, 1)],
      [off("ORDER", percent(50)), off("ORDER", percent(50))],
      0,
      0,
      [1000, 750, 0, 0, 250, [0]],
    ],
    [
      "order: rounded once, over all lines",
      [line(5, 1), line(5, 1), line(5, 1)],
      [off("ORDER", percent(10))],
      0,
      0,
      [15, 2, 0, 0, 13, [0, 0, 0]],
    ],
    [
      "order: in sequence, fixed then percentage",
      [line(1000, 1)],
      [off("ORDER", fixed(100)), off("ORDER", percent(10))],
      0,
      0,
      [1000, 190, 0, 0, 810, [0]],
    ],
    [
      "order: in sequence, percentage then fixed",
      [line(1000, 1)],
      [off("ORDER", percent(10)), off("ORDER", fixed(100))],
      0,
      0,
      [1000, 200, 0, 0, 800, [0]],
    ],
    [
      "lines: split in proportion",
      [line(3000, 1), line(1000, 1)],
      [off("LINE_ITEM", fixed(400))],
      0,
      0,
      [4000, 400, 0, 0, 3600, [300, 100]],
    ],
    [
      "lines: what rounding leaves goes to the first",
      [line(100, 1), line(100, 1), line(100, 1)],
      [off("LINE_ITEM", fixed(100))],
      0,
      0,
      [300, 100, 0, 0, 200, [34, 33, 33]],
    ],
    [
      "lines: never to one without room",
      [line(0, 1), line(1, 1), line(2, 1)],
      [off("LINE_ITEM", fixed(2))],
      0,
      0,
      [3, 2, 0, 0, 1, [0, 1, 1]],
    ],
    [
      "lines: no more than the goods",
      [line(100, 1), line(50, 1)],
      [off("LINE_ITEM", fixed(1000))],
      0,
      0,
      [150, 150, 0, 0, 0, [100, 50]],
    ],
    [
      "lines: on top of the plan's",
      [line(1000, 1, planned(percent(10)))],
      [off("LINE_ITEM", percent(10))],
      0,
      0,
      [1000, 190, 0, 0, 810, [190]],
    ],
    [
      "lines after order: of what the order left",
      [line(1000, 1)],
      [off("ORDER", percent(50)), off("LINE_ITEM", percent(50))],
      0,
      0,
      [1000, 750, 0, 0, 250, [250]],
    ],
    [
      "order after lines",
      [line(1000, 1)],
      [off("LINE_ITEM", fixed(400)), off("ORDER", fixed(1000))],
      0,
      0,
      [1000, 1000, 0, 0, 0, [400]],
    ],
    [
      "shipping: percentage",
      [line(1000, 1)],
      [off("SHIPPING_LINE", percent(50))],
      499,
      0,
      [1000, 250, 499, 0, 1249, [0]],
    ],
    [
      "shipping: no more than shipping",
      [line(1000, 1)],
      [off("SHIPPING_LINE", fixed(1000))],
      499,
      0,
      [1000, 499, 499, 0, 1000, [0]],
    ],
    [
      "shipping: without shipping",
      [line(1000, 1)],
      [off("SHIPPING_LINE", fixed(1000))],
      0,
      0,
      [1000, 0, 0, 0, 1000, [0]],
    ],
    [
      "shipping: one after the other",
      [line(1000, 1)],
      [off("SHIPPING_LINE", percent(50)), off("SHIPPING_LINE", percent(50))],
      400,
      0,
      [1000, 300, 400, 0, 1100, [0]],
    ],
    [
      "tax is owed whatever is off",
      [line(1000, 1)],
      [off("ORDER", percent(100))],
      0,
      190,
      [1000, 1000, 0, 190, 190, [0]],
    ],
    [
      "an exhausted one counts no more",
      [line(1000, 1)],
      [off("ORDER", percent(50), { status: "EXHAUSTED" })],
      0,
      0,
      [1000, 0, 0, 0, 1000, [0]],
    ],
    [
      "a removed one counts no more",
      [line(1000, 1)],
      [off("ORDER", percent(50), { status: "REMOVED" })],
      0,
      0,
      [1000, 0, 0, 0, 1000, [0]],
    ],
    ["no lines", [], [off("LINE_ITEM", fixed(5)), off("ORDER", fixed(5))], 0, 0, [0, 0, 0, 0, 0, []]],
    [
      "percentages of what doubles cannot multiply exactly",
      [line(999_999_999_999, 1)],
      [off("ORDER", percent(33.33))],
      0,
      0,
      [999_999_999_999, 333_300_000_000, 0, 0, 666_699_999_999, [0]],
    ],
  ] as [string, Line[], Discount[], number, number, Figures][])(
    "%s",
    (_, lines, discounts, shipping, tax, expected) => {
      expect(figures(lines, discounts, shipping, tax)).toEqual(expected);
    },
  );

  test("line totals stand beside their lines, in order", () => {
    const { lines } = amountsOf([line(100, 2, { id: "a" }), line(50, 1, { id: "b" })], [], 0);
    expect(lines).toEqual([
      { id: "a", line_total: 200, discount_amount: 0 },
      { id: "b", line_total: 50, discount_amount: 0 },
    ]);
  });
});

const aReduction: fc.Arbitrary<Reduction> = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }).map((value) => ({ type: "PERCENTAGE" as const, value })),
  fc.oneof(fc.nat(50), fc.nat(100_000)).map(fixed),
);
const aLine = fc
  .record({
    price: fc.oneof(fc.nat(20), fc.nat(100_000), fc.integer({ min: 0, max: 10_000_000_000 })),
    quantity: fc.integer({ min: 1, max: 50 }),
    plan_discount: fc.option(aReduction),
    plan_shipping: fc.nat(2000),
  })
  .map(({ price, quantity, ...more }) => line(price, quantity, more));
const aDiscount = fc
  .record({
    target_type: fc.constantFrom("ORDER" as const, "SHIPPING_LINE" as const, "LINE_ITEM" as const),
    reduction: aReduction,
    status: fc.constantFrom("ACTIVE" as const, "ACTIVE" as const, "EXHAUSTED" as const, "REMOVED" as const),
  })
  .map(({ target_type, reduction, status }) => off(target_type, reduction, { status }));
const anOrder = fc.tuple(
  fc.array(aLine, { maxLength: 8 }),
  fc.array(aDiscount, { maxLength: 6 }),
  fc.nat(3000),
  fc.nat(3000),
);

describe("whatever the lines and discounts", () => {
  test("totals reconcile with the lines to the minor unit, and nothing is below 0", () => {
    fc.assert(
      fc.property(anOrder, ([lines, discounts, shipping, tax]) => {
        const amounts = amountsOf(lines, discounts, shipping, tax);
        const { subtotal, discount_amount, total } = amounts;
        expect(amounts.lines.reduce((sum, { line_total }) => sum + line_total, 0)).toBe(subtotal);
        expect(subtotal).toBe(lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0));
        expect([amounts.shipping_amount, amounts.tax_amount]).toEqual([shipping, tax]);
        expect(total).toBe(subtotal - discount_amount + shipping + tax);
        expect(total).toBeGreaterThanOrEqual(tax);
        expect(discount_amount).toBeGreaterThanOrEqual(0);
        for (const one of amounts.lines) {
          expect(one.discount_amount).toBeGreaterThanOrEqual(0);
          expect(one.discount_amount).toBeLessThanOrEqual(one.line_total);
        }
        const all = [
          subtotal,
          discount_amount,
          total,
          ...amounts.lines.flatMap(({ line_total, discount_amount }) => [line_total, discount_amount]),
        ];
        expect(all.every(Number.isSafeInteger), all.join()).toBe(true);
      }),
      seeded(3000),
    );
  });

  test("line discounts are allotted to the minor unit: with no others, they are all there is", () => {
    fc.assert(
      fc.property(
        fc.array(aLine, { minLength: 1, maxLength: 8 }),
        fc.array(aReduction, { maxLength: 4 }),
        (lines, reductions) => {
          const discounts = reductions.map((reduction) => off("LINE_ITEM", reduction));
          const { discount_amount, lines: byLine } = amountsOf(lines, discounts, 0);
          expect(byLine.reduce((sum, one) => sum + one.discount_amount, 0)).toBe(discount_amount);
        },
      ),
      seeded(1000),
    );
  });

  test("a discount takes the same off whether it is on the order or on its lines", () => {
    fc.assert(
      fc.property(fc.array(aLine, { minLength: 1, maxLength: 8 }), aReduction, (lines, reduction) => {
        const [order, items] = (["ORDER", "LINE_ITEM"] as const).map((target) =>
          amountsOf(lines, [off(target, reduction)], 0),
        );
        expect(items!.total).toBe(order!.total);
      }),
      seeded(1000),
    );
  });

  test("one more discount never makes it dearer", () => {
    fc.assert(
      fc.property(anOrder, aDiscount, ([lines, discounts, shipping, tax], more) => {
        const before = amountsOf(lines, discounts, shipping, tax).total;
        expect(amountsOf(lines, [...discounts, more], shipping, tax).total).toBeLessThanOrEqual(before);
      }),
      seeded(1000),
    );
  });
});

describe("a discount over cycles", () => {
  test("without a limit it lasts", () => {
    const spent = afterCycle(off("ORDER", fixed(1)), later);
    expect(spent).toMatchObject({ status: "ACTIVE", cycles_used: 1, exhausted_at: null, updated_at: later });
  });

  test("is exhausted by the last cycle of its limit", () => {
    const first = afterCycle(off("ORDER", fixed(1), { recurring_cycle_limit: 2 }), now);
    expect(first).toMatchObject({ status: "ACTIVE", cycles_used: 1, exhausted_at: null });
    const second = afterCycle(first, later);
    expect(second).toMatchObject({
      status: "EXHAUSTED",
      cycles_used: 2,
      exhausted_at: later,
      updated_at: later,
    });
    expect(afterCycle(second, now)).toBe(second);
  });

  test.each(["REMOVED", "EXHAUSTED"] as const)("one that is %s is left alone", (status) => {
    const over = off("ORDER", fixed(1), { status, recurring_cycle_limit: 1 });
    expect(afterCycle(over, later)).toBe(over);
  });

  test("counts one at a time, up to its limit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(40), (limit, cycles) => {
        let discount = off("ORDER", fixed(1), { recurring_cycle_limit: limit });
        for (let n = 0; n < cycles; n++) discount = afterCycle(discount, later);
        expect(discount.cycles_used).toBe(Math.min(limit, cycles));
        expect(discount.status).toBe(cycles >= limit ? "EXHAUSTED" : "ACTIVE");
      }),
      seeded(200),
    );
  });
});

test("shipping is the highest of the plans'", () => {
  expect(shippingOf([])).toBe(0);
  expect(shippingOf([line(1, 1, { plan_shipping: 0 })])).toBe(0);
  expect(shippingOf([499, 799, 0].map((plan_shipping) => line(1, 1, { plan_shipping })))).toBe(799);
});

test("one-time lines do not outlive the next order", () => {
  const [kept, once] = [line(1, 1), line(2, 1, { is_one_time: true })];
  expect(lastingLines([kept, once])).toEqual([kept]);
});
