import fc from "fast-check";
import { expect, test } from "vitest";
import { exponentOf, toMajor } from "./money.ts";

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
