/** An amount is sent to Stripe in the unit in which it counts, and an amount that it cannot charge is refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnknownOutcomeError } from "../port.ts";
import { minorOf, toStripeAmount, whyNotChargeable } from "./amounts.ts";

/** Typed in from https://docs.stripe.com/currencies: the amount in major units, and the number that is sent for it. */
const sent: [minor: number, currency: string, sent: number][] = [
  [1099, "USD", 1099],
  [1000, "EUR", 1000],
  [500, "JPY", 500],
  [500, "KRW", 500],
  [5000, "CLP", 5000],
  [5, "ISK", 500],
  [5, "UGX", 500],
  [500, "MGA", 5],
  [5120, "KWD", 5120],
  [175_00, "HUF", 175_00],
  [100_00, "TWD", 100_00],
];

describe("an amount in the unit that Stripe counts in", () => {
  test.each(sent)("%i minor units of %s are sent as %i, and read as they were", (minor, currency, amount) => {
    expect(toStripeAmount(minor, currency)).toBe(amount);
    expect(minorOf(amount, currency)).toBe(minor);
  });

  test("a part of a unit that has no parts is no amount", () => {
    expect(() => minorOf(550, "ISK")).toThrow(UnknownOutcomeError);
  });

  test("every amount that can be charged is sent as a whole number and read as it was", () => {
    const currencies = ["USD", "JPY", "ISK", "UGX", "MGA", "KWD", "BHD", "HUF", "CLP", "IQD"];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.constantFrom(...currencies), (minor, currency) => {
        fc.pre(whyNotChargeable(minor, currency) === undefined);
        const amount = toStripeAmount(minor, currency);
        expect(Number.isSafeInteger(amount)).toBe(true);
        expect(minorOf(amount, currency)).toBe(minor);
      }),
    );
  });
});

/** Typed in from https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts, in minor units of ISO 4217. */
const least: Record<string, number> = {
  ...{ USD: 50, AED: 200, ARS: 50, AUD: 50, BRL: 50, CAD: 50, CHF: 50, COP: 50, CZK: 1500, DKK: 250 },
  ...{ EUR: 50, GBP: 30, HKD: 400, HUF: 17_500, IDR: 50, ILS: 50, INR: 50, JPY: 50, KRW: 50, MXN: 1000 },
  ...{ MYR: 200, NOK: 300, NZD: 50, PHP: 50, PLN: 200, RON: 200, RUB: 50, SEK: 300, SGD: 50, THB: 1000 },
  ZAR: 50,
};

describe("an amount that Stripe cannot charge is the merchant's matter", () => {
  test.each(Object.entries(least))("%s: %i is the least, and one less is refused", (currency, amount) => {
    expect(whyNotChargeable(amount, currency)).toBeUndefined();
    expect(whyNotChargeable(amount - 1, currency)).toMatchObject({
      failure: "merchant",
      code: "amount_not_chargeable",
      isFinal: false,
      isRefused: true,
    });
  });

  test("three decimals end in 0", () => {
    expect(whyNotChargeable(5120, "KWD")).toBeUndefined();
    expect(whyNotChargeable(5125, "KWD")?.code).toBe("amount_not_chargeable");
  });

  test("a currency that Stripe counts in whole units has no parts", () => {
    expect(whyNotChargeable(500, "MGA")).toBeUndefined();
    expect(whyNotChargeable(550, "MGA")?.code).toBe("amount_not_chargeable");
  });

  test("nothing is not an amount to refuse", () => {
    for (const currency of Object.keys(least)) expect(whyNotChargeable(0, currency)).toBeUndefined();
  });
});
