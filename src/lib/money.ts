/** Minor-unit exponents other than 2 (ISO 4217). */
const exponents: Record<string, number> = {
  ...Object.fromEntries(
    [
      "BIF",
      "CLP",
      "DJF",
      "GNF",
      "ISK",
      "JPY",
      "KMF",
      "KRW",
      "PYG",
      "RWF",
      "UGX",
      "UYI",
      "VND",
      "VUV",
      "XAF",
      "XOF",
      "XPF",
    ].map((code) => [code, 0]),
  ),
  ...Object.fromEntries(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** How many decimals a currency has: JPY 0, USD 2, KWD 3. */
export const exponentOf = (currency: string): number => exponents[currency] ?? 2;

/** Minor units as a JSON number of major units: 1250 USD → 12.5. */
export const toMajor = (minor: number, currency: string): number => minor / 10 ** exponentOf(currency);

/** Major units as minor ones: 12.5 USD → 1250. Undefined where the currency has fewer decimals, or the sum is absurd. */
export const toMinor = (major: number, currency: string): number | undefined => {
  const minor = Math.round(major * 10 ** exponentOf(currency));
  return Number.isSafeInteger(minor) && minor <= largestMinor && toMajor(minor, currency) === major
    ? minor
    : undefined;
};

/** Sums and products of amounts stay exact below 2^53. */
const largestMinor = 1_000_000_000_000;
