/** An address needs a postal code in exactly the countries that have them. */
import { expect, test } from "vitest";
import { needsPostalCode } from "./postal-codes.ts";

test.each(["US", "de", "GB", "JP", "ZA"])("addresses in %s need a postal code", (code) => {
  expect(needsPostalCode(code)).toBe(true);
});

test.each(["HK", "AE", "QA", "PA"])("addresses in %s need none", (code) => {
  expect(needsPostalCode(code)).toBe(false);
});
