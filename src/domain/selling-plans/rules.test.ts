/** A selling plan is sound only if its billing is whole deliveries and its discount can be stored. */
import { describe, expect, test } from "vitest";
import { DomainError } from "../../base/errors.ts";
import { type IntervalUnit, intervalUnits, largestCount } from "../../base/lib/time/intervals.ts";
import { parseReduction, requireValidTerms } from "./rules.ts";

/** The path at which it is refused, or nothing. */
function faultsOf(act: () => unknown): string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "VALIDATION_FAILED") throw error;
    return (error.details ?? []).map(({ path }) => path);
  }
}

describe("a reduction as it is stored", () => {
  test.each([
    ["PERCENTAGE", 10, "USD", 1000],
    ["PERCENTAGE", 0, "USD", 0],
    ["PERCENTAGE", 100, "USD", 10_000],
    ["PERCENTAGE", 33.33, "JPY", 3333],
    ["PERCENTAGE", 0.01, "KWD", 1],
    ["PERCENTAGE", 12.55, "USD", 1255],
    ["FIXED_AMOUNT", 12.5, "USD", 1250],
    ["FIXED_AMOUNT", 500, "JPY", 500],
    ["FIXED_AMOUNT", 1.234, "KWD", 1234],
    ["FIXED_AMOUNT", 150, "USD", 15_000],
    ["FIXED_AMOUNT", 0, "USD", 0],
  ] as const)("%s %s %s is %i", (type, value, currency, stored) => {
    expect(parseReduction(type, value, currency, "value")).toBe(stored);
  });

  test.each([
    ["PERCENTAGE", 100.01, "USD"],
    ["PERCENTAGE", 101, "USD"],
    ["PERCENTAGE", 33.333, "KWD"],
    ["PERCENTAGE", 0.001, "USD"],
    ["PERCENTAGE", 1e21, "USD"],
    ["FIXED_AMOUNT", 1.001, "USD"],
    ["FIXED_AMOUNT", 0.5, "JPY"],
    ["FIXED_AMOUNT", 1.2345, "KWD"],
    ["FIXED_AMOUNT", 1e300, "USD"],
  ] as const)("%s %s %s is refused where it stands", (type, value, currency) => {
    expect(faultsOf(() => parseReduction(type, value, currency, "a.path"))).toEqual(["a.path"]);
  });
});

type Terms = Parameters<typeof requireValidTerms>[0];

function terms(values: Partial<Terms> = {}): Terms {
  return {
    name: "Plan",
    billing_interval: "MONTH",
    billing_interval_count: 1,
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
    discount_type: null,
    discount_value: null,
    shipping_amount: 0,
    min_cycles: null,
    max_cycles: null,
    is_active: 1,
    ...values,
  };
}

function every(unit: IntervalUnit, count: number): Partial<Terms> {
  return {
    billing_interval: unit,
    billing_interval_count: count,
    delivery_interval: unit,
    delivery_interval_count: count,
  };
}

function prepaid(billing: [number, IntervalUnit], delivery: [number, IntervalUnit]): Partial<Terms> {
  return {
    billing_interval: billing[1],
    billing_interval_count: billing[0],
    delivery_interval: delivery[1],
    delivery_interval_count: delivery[0],
  };
}

describe("a plan is sound", () => {
  test.each(intervalUnits.map((unit) => [unit, largestCount[unit]] as const))(
    "every %s up to %i",
    (unit, most) => {
      expect(faultsOf(() => requireValidTerms(terms(every(unit, most))))).toEqual([]);
      expect(faultsOf(() => requireValidTerms(terms(every(unit, most + 1))))).toEqual([
        "billing_interval_count",
        "delivery_interval_count",
      ]);
    },
  );

  test.each([
    [prepaid([3, "MONTH"], [1, "MONTH"]), []],
    [prepaid([1, "YEAR"], [1, "MONTH"]), []],
    [prepaid([4, "WEEK"], [14, "DAY"]), []],
    [prepaid([1, "MONTH"], [1, "WEEK"]), ["billing_interval"]],
    [prepaid([1, "MONTH"], [3, "MONTH"]), ["billing_interval"]],
    [prepaid([3, "WEEK"], [2, "WEEK"]), ["billing_interval"]],
    [prepaid([1, "YEAR"], [52, "WEEK"]), ["billing_interval"]],
    [{ discount_type: "PERCENTAGE", discount_value: 1000 }, []],
    [{ discount_type: "PERCENTAGE", discount_value: null }, ["discount_value"]],
    [{ discount_type: null, discount_value: 1000 }, ["discount_value"]],
    [{ min_cycles: 3, max_cycles: 3 }, []],
    [{ min_cycles: 4, max_cycles: 3 }, ["min_cycles"]],
    [{ min_cycles: 4 }, []],
    [{ max_cycles: 1 }, []],
    [
      { ...prepaid([53, "WEEK"], [2, "WEEK"]), discount_type: "FIXED_AMOUNT", min_cycles: 2, max_cycles: 1 },
      ["billing_interval_count", "billing_interval", "discount_value", "min_cycles"],
    ],
  ] as [Partial<Terms>, string[]][])("%o: %o", (values, expected) => {
    expect(faultsOf(() => requireValidTerms(terms(values)))).toEqual(expected);
  });
});
