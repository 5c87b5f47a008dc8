import { invalid, wrongParameter } from "./errors.ts";

/** docs.stripe.com/currencies, "Zero-decimal currencies". */
const zeroDecimal = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");

/** docs.stripe.com/currencies, "Three-decimal currencies": the last digit has to be 0. */
const threeDecimal = "bhd jod kwd omr tnd".split(" ");

/** docs.stripe.com/currencies, "Special cases": amounts have two decimals, which have to be 00. */
const wholeOnly = "isk ugx".split(" ");

/** docs.stripe.com/currencies, "Minimum and maximum charge amounts", in the smallest unit. */
const minimums: Record<string, number> = {
  ...{ usd: 50, aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50 },
  ...{ gbp: 30, hkd: 400, huf: 17500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200 },
  ...{ ron: 200, sek: 300, sgd: 50, thb: 1000 },
};

/**
 * An amount of at most eight digits (docs.stripe.com/currencies). The error of fractions in ISK:
 * support.stripe.com/questions/deprecation-of-fractional-isk-charges-and-refunds; that UGX has the same, and the one of three decimals: guess.
 */
export function refuseAmount(amount: number, currency: string): void {
  if (amount < 1)
    throw wrongParameter(
      "amount",
      "parameter_invalid_integer",
      "This value must be greater than or equal to 1.",
    );
  if (amount > 99_999_999)
    throw invalid("Amount must be no more than $999,999.99", { code: "amount_too_large", param: "amount" });
  if (threeDecimal.includes(currency) && amount % 10 !== 0)
    throw invalid(`Invalid amount: amounts in ${currency} must end in 0`, {
      code: "invalid_charge_amount",
      param: "amount",
    });
  if (wholeOnly.includes(currency) && amount % 100 !== 0)
    throw invalid(`Invalid amount. Charged amounts in ${currency} must be evenly divisible by 100.`, {
      code: "invalid_charge_amount_no_decimal_compatible",
      param: "amount",
    });
  if (amount < (minimums[currency] ?? 1))
    throw invalid(`Amount must be at least ${minimums[currency]} ${currency}`, {
      code: "amount_too_small",
      param: "amount",
    });
}

/** Whether an amount in the smallest unit has decimals. */
export function isZeroDecimal(currency: string): boolean {
  return zeroDecimal.includes(currency);
}
