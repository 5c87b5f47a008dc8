/** A card is called expired by the day on which it is charged next. */
import { expect, test } from "vitest";
import { expiryOf, type Validity } from "./card-expiry.ts";

const today = "2030-01-31";

test.each<[expected: string | undefined, month: number | null, year: number | null, charge: string | null]>([
  [undefined, null, null, "2030-02-03"],
  ["expired", 12, 2029, "2030-02-03"],
  ["soon", 1, 2030, "2030-01-31"],
  ["before_charge", 1, 2030, "2030-02-01"],
  ["soon", 2, 2030, null],
  ["soon", 2, 2030, "2030-02-28"],
  ["before_charge", 2, 2030, "2030-03-01"],
  [undefined, 3, 2030, null],
  [undefined, 3, 2030, "2030-03-31"],
  ["before_charge", 3, 2030, "2030-04-01"],
  ["before_charge", 6, 2030, "2031-01-01"],
  [undefined, 2, 2032, "2032-02-29"],
])("on 31 January 2030: %s for a card until %s/%s that is charged on %s", (expected, month, year, charge) => {
  const method: Validity = { status: "VALID", exp_month: month, exp_year: year };
  expect(expiryOf(method, { today, charge })).toBe(expected);
});

test.each([
  ["REVOKED", "revoked"],
  ["EXPIRED", "expired"],
] as const)("%s by what the store says, whatever its date", (status, expected) => {
  expect(expiryOf({ status, exp_month: 12, exp_year: 2099 }, { today, charge: null })).toBe(expected);
});
