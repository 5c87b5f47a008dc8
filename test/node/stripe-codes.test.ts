import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiVersion } from "../../src/stores/stripe/client.ts";
import { declineClasses, errorClasses, merchantCodes } from "../../src/stores/stripe/declines.ts";

const published = "node_modules/stripe/esm";

/** The error codes of a payment, as Stripe's own library has them. */
function publishedCodes(): string[] {
  const types = readFileSync(`${published}/resources/PaymentIntents.d.ts`, "utf8");
  const [, union = ""] = /namespace LastPaymentError \{\s*type Code = ([^;]*);/.exec(types) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code!);
}

test("every error code that Stripe has published has a class", () => {
  const known = new Set([...merchantCodes, ...Object.keys(errorClasses), ...Object.keys(declineClasses)]);
  expect(publishedCodes().length).toBeGreaterThan(200);
  expect(publishedCodes().filter((code) => !known.has(code))).toEqual([]);
});

test("a code has one class", () => {
  const twice = merchantCodes.filter((code) => code in errorClasses || code in declineClasses);
  const differs = Object.keys(errorClasses).filter(
    (code) => code in declineClasses && declineClasses[code] !== errorClasses[code],
  );
  expect([...twice, ...differs]).toEqual([]);
});

test("requests have the version that the library's types are of", () => {
  const version = readFileSync(`${published}/apiVersion.js`, "utf8");
  expect(version).toContain(`'${apiVersion}'`);
});
