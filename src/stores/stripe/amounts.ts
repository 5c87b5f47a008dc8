import { exponentOf, toMinor } from "../../base/lib/money.ts";
import { type Failure, UnknownOutcomeError } from "../port.ts";
import { stripeExponentOf, stripeThreeDecimal } from "../stripe-decimals.ts";

/** Minor units in the unit that Stripe counts a currency in. Only for an amount that is one of its steps (`stepsBetween`). */
export function toStripeAmount(amount: number, currency: string): number {
  return amount * 10 ** (stripeExponentOf(currency) - exponentOf(currency));
}

/** An amount of Stripe's in minor units. Throws UnknownOutcomeError for one that has none, such as a part of a króna. */
export function minorOf(amount: number, currency: string): number {
  const minor = amount * 10 ** (exponentOf(currency) - stripeExponentOf(currency));
  if (Number.isSafeInteger(minor)) return minor;
  throw new UnknownOutcomeError(`Stripe returned an invalid amount: ${amount} ${currency}`);
}

/** The nearest amount in minor units: a dispute's need not be one that was charged, as currencies fluctuate. */
export function nearestMinorOf(amount: number, currency: string): number {
  return Math.round(amount * 10 ** (exponentOf(currency) - stripeExponentOf(currency)));
}

/** Why Stripe cannot charge an amount; undefined if it can. An amount of 0 asks for no payment. */
export function whyNotChargeable(amount: number, currency: string): Failure | undefined {
  if (amount === 0) return undefined;
  const steps = stepsBetween(amount, currency);
  if (steps) return notChargeable(`Stripe charges ${currency} in ${steps}`);
  const minimum = minimums.get(currency);
  if (minimum !== undefined && amount < minimum.amount)
    return notChargeable(`Stripe charges ${minimum.text} or more`);
  return undefined;
}

/** Why Stripe cannot pay an amount back; undefined if it can. There is no least amount of a refund. */
export function whyNotRefundable(amount: number, currency: string): string | undefined {
  const steps = stepsBetween(amount, currency);
  return steps && `must be in ${steps}, as Stripe counts ${currency}`;
}

/** The steps in which Stripe counts a currency, if the amount is between two of them. */
function stepsBetween(amount: number, currency: string): string | undefined {
  if (stripeThreeDecimal.has(currency) && amount % 10 !== 0) return "steps of 0.010";
  return Number.isInteger(toStripeAmount(amount, currency)) ? undefined : "whole units";
}

function notChargeable(message: string): Failure {
  return { failure: "merchant", code: "amount_not_chargeable", message, isFinal: false, isRefused: true };
}

/**
 * The least that a charge may be in the currency that is paid out: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.
 * One that Stripe converts may be refused nevertheless, as `amount_too_small`.
 */
const published = [
  ...["0.50 USD", "2.00 AED", "0.50 ARS", "0.50 AUD", "0.50 BRL", "0.50 CAD", "0.50 CHF", "0.50 COP"],
  ...["15.00 CZK", "2.50 DKK", "0.50 EUR", "0.30 GBP", "4.00 HKD", "175.00 HUF", "0.50 IDR", "0.50 ILS"],
  ...["0.50 INR", "50 JPY", "50 KRW", "10 MXN", "2.00 MYR", "3.00 NOK", "0.50 NZD", "0.50 PHP", "2.00 PLN"],
  ...["2.00 RON", "0.50 RUB", "3.00 SEK", "0.50 SGD", "10 THB", "0.50 ZAR"],
];

const minimums = new Map(
  published.map((text) => {
    const [major = "", currency = ""] = text.split(" ");
    return [currency, { amount: toMinor(Number(major), currency) as number, text }] as const;
  }),
);
