/** Currencies in which the simulated prices can be charged, and how many of Stripe's units a minor unit of theirs is. */
const units: Record<string, number> = { USD: 1, KWD: 1, ISK: 100 };

export const currencies: [string, number][] = [
  ["USD", 4],
  ["KWD", 1],
  ["ISK", 1],
];

/** An amount of Stripe's in minor units (https://docs.stripe.com/currencies#special-cases). */
export function minorUnitsOf(amount: number, currency: string): number {
  return amount / units[currency.toUpperCase()]!;
}
