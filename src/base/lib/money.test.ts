/** An amount survives the way from minor to major units and back in every currency of ISO 4217. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { exponentOf, largestMajor, toMajor, toMinor } from "./money.ts";

test.each([
  ["JPY", 0],
  ["KRW", 0],
  ["CLP", 0],
  ["ISK", 0],
  ["USD", 2],
  ["EUR", 2],
  ["HUF", 2],
  ["KWD", 3],
  ["BHD", 3],
  ["TND", 3],
  ["CLF", 4],
  ["XYZ", 2],
  ["constructor", 2],
  ["__proto__", 2],
  ["toString", 2],
])("%s has %s decimals (ISO 4217)", (currency, decimals) => {
  expect(exponentOf(currency)).toBe(decimals);
});

test.each([
  [1250, "USD", 12.5],
  [1, "USD", 0.01],
  [1999, "USD", 19.99],
  [0, "USD", 0],
  [-5, "USD", -0.05],
  [1250, "JPY", 1250],
  [1, "KWD", 0.001],
  [1_234_567, "KWD", 1234.567],
])("%s minor units of %s are %s", (minor, currency, major) => {
  expect(toMajor(minor, currency)).toBe(major);
});

test("a major amount as JSON has no more decimals than its currency, and is the decimal number itself", () => {
  const settings = { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns: 2000 };
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 13 }),
      fc.constantFrom("JPY", "USD", "KWD", "CLF"),
      (minor, currency) => {
        const decimals = exponentOf(currency);
        const digits = String(minor).padStart(decimals + 1, "0");
        const at = digits.length - decimals;
        const text = decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
        expect(JSON.stringify(toMajor(minor, currency))).toBe(
          text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""),
        );
      },
    ),
    settings,
  );
});

test.each([
  [12.5, "USD", 1250],
  [0, "USD", 0],
  [0.07, "USD", 7],
  [1.1, "USD", 110],
  [-0.05, "USD", -5],
  [1250, "JPY", 1250],
  [0.001, "KWD", 1],
  [0.0001, "CLF", 1],
  [10_000_000_000, "USD", 1_000_000_000_000],
  [1_000_000_000_000, "JPY", 1_000_000_000_000],
])("%s %s are %s minor units", (major, currency, minor) => {
  expect(toMinor(major, currency)).toBe(minor);
});

test.each([
  [0.001, "USD"],
  [12.345, "USD"],
  [0.5, "JPY"],
  [0.0001, "KWD"],
  [10_000_000_000.01, "USD"],
  [1_000_000_000_001, "JPY"],
  [1e300, "USD"],
  [-1e300, "USD"],
  [Number.MAX_VALUE, "KWD"],
  [Number.NaN, "USD"],
  [Number.POSITIVE_INFINITY, "USD"],
  [Number.NEGATIVE_INFINITY, "USD"],
])("%s %s are no amount: more decimals than the currency has, or too much", (major, currency) => {
  expect(toMinor(major, currency)).toBeUndefined();
});

test("an amount comes back from major units as it was, in any currency", () => {
  const settings = { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns: 2000 };
  fc.assert(
    fc.property(
      fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
      fc.constantFrom("JPY", "USD", "KWD", "CLF"),
      (minor, currency) => {
        expect(toMinor(toMajor(minor, currency), currency)).toBe(minor);
      },
    ),
    settings,
  );
});

test.each([
  ["JPY", 1_000_000_000_000],
  ["USD", 10_000_000_000],
  ["KWD", 1_000_000_000],
])("the largest amount of %s is %d, and one more is none", (currency, most) => {
  expect(largestMajor(currency)).toBe(most);
  expect(toMinor(most, currency)).toBe(1_000_000_000_000);
  expect(toMinor(most + 1, currency)).toBeUndefined();
});
