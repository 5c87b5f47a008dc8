import fc from "fast-check";
import type { Amounts, Discount, Line, Reduction } from "../../src/domain/subscriptions/lines/amounts.ts";

export const now = "2026-11-20T12:00:00.000Z";

/** A line of so many units at a price in minor units. */
export function lineOf(price: number, quantity: number, more: Partial<Line> = {}): Line {
  return {
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
  };
}

export function percent(value: number): Reduction {
  return { type: "PERCENTAGE", value: Math.round(value * 100) };
}

export function fixed(value: number): Reduction {
  return { type: "FIXED_AMOUNT", value };
}

/** An active discount without a limit. */
export function discountOn(
  target_type: Discount["target_type"],
  reduction: Reduction,
  more: Partial<Discount> = {},
): Discount {
  return {
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
  };
}

export function withPlanDiscount(reduction: Reduction): Partial<Line> {
  return { plan_discount: reduction };
}

export const aReduction: fc.Arbitrary<Reduction> = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }).map((value) => ({ type: "PERCENTAGE" as const, value })),
  fc.oneof(fc.nat(50), fc.nat(100_000)).map(fixed),
);
export const aLine = fc
  .record({
    price: fc.oneof(fc.nat(20), fc.nat(100_000), fc.integer({ min: 0, max: 10_000_000_000 })),
    quantity: fc.integer({ min: 1, max: 50 }),
    plan_discount: fc.option(aReduction),
    plan_shipping: fc.nat(2000),
  })
  .map(({ price, quantity, ...more }) => lineOf(price, quantity, more));
export const aDiscount = fc
  .record({
    target_type: fc.constantFrom("ORDER" as const, "SHIPPING_LINE" as const, "LINE_ITEM" as const),
    reduction: aReduction,
    max_amount: fc.option(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 100_000 }))),
    status: fc.constantFrom("ACTIVE" as const, "ACTIVE" as const, "EXHAUSTED" as const, "REMOVED" as const),
  })
  .map(({ target_type, reduction, max_amount, status }) =>
    discountOn(target_type, reduction, { status, ...(max_amount === null ? {} : { max_amount }) }),
  );
export const anOrder = fc.tuple(
  fc.array(aLine, { maxLength: 8 }),
  fc.array(aDiscount, { maxLength: 6 }),
  fc.nat(3000),
  fc.nat(3000),
);

/** The amounts in short, in minor units; the last are the discounts of the lines. */
type Figures = [
  subtotal: number,
  discount: number,
  shipping: number,
  tax: number,
  total: number,
  lines: number[],
];

/** A row of a table: lines, discounts, shipping and tax, and what they come to. */
export type AmountsCase = [string, Line[], Discount[], number, number, Figures];

export function figuresOf(amounts: Amounts): Figures {
  return [
    amounts.subtotal,
    amounts.discount_amount,
    amounts.shipping_amount,
    amounts.tax_amount,
    amounts.total,
    amounts.lines.map((line) => line.discount_amount),
  ];
}
