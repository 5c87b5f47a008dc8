/** The number of decimals of a currency: JPY 0, USD 2, KWD 3. */
export function exponentOf(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/** Minor units as a JSON number of major units: 1250 USD → 12.5. */
export function toMajor(minor: number, currency: string): number {
  return minor / 10 ** exponentOf(currency);
}

/** Major units as minor units: 12.5 USD → 1250. Undefined if the currency has fewer decimals, or the amount is too large. */
export function toMinor(major: number, currency: string): number | undefined {
  const minor = Math.round(major * 10 ** exponentOf(currency));
  return Number.isSafeInteger(minor) && minor <= largestMinor && toMajor(minor, currency) === major
    ? minor
    : undefined;
}

/** The largest amount of a currency, in major units. */
export function largestMajor(currency: string): number {
  return toMajor(largestMinor, currency);
}

/** Minor-unit exponents other than 2, and the currencies that have them (ISO 4217). */
export const currenciesByExponent: [number, string][] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];

/** A Map has no inherited keys, and a store may send any text as a currency. */
const exponents = new Map(
  currenciesByExponent.flatMap(([exponent, codes]) =>
    codes.split(" ").map((code) => [code, exponent] as const),
  ),
);

/** Sums and products of amounts stay exact below 2^53. */
const largestMinor = 1_000_000_000_000;
