/** An amount of a request becomes minor units of its currency, or is refused with the field and what it may be. */
import { expect, test } from "vitest";
import { minorOf } from "./amounts.ts";
import { DomainError } from "./errors.ts";

function faultOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof DomainError ? [error.code, error.details] : error;
  }
}

test.each([
  [12.5, "USD", 1250],
  [0, "JPY", 0],
  [1.234, "KWD", 1234],
])("%s in %s are %s minor units", (major, currency, minor) => {
  expect(minorOf(major, currency, "price")).toBe(minor);
});

test.each([
  [12.345, "USD", "price", "must be an amount of USD, with at most 2 decimals"],
  [0.5, "JPY", "lines.0.price", "must be an amount of JPY, without decimals"],
  [0.0001, "KWD", "value", "must be an amount of KWD, with at most 3 decimals"],
])("%s %s is refused, naming the field and what it may be", (major, currency, path, message) => {
  expect(faultOf(() => minorOf(major, currency, path))).toEqual(["VALIDATION_FAILED", [{ path, message }]]);
});

test.each([
  [1_000_000_000_001, "JPY", "must be at most 1000000000000 JPY"],
  [10_000_000_000.01, "USD", "must be at most 10000000000 USD"],
  [1_000_000_000.0001, "KWD", "must be at most 1000000000 KWD"],
])("%s in %s is too much, and the largest amount is named", (major, currency, message) => {
  expect(faultOf(() => minorOf(major, currency, "price"))).toEqual([
    "VALIDATION_FAILED",
    [{ path: "price", message }],
  ]);
});
