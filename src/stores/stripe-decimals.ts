/** The number of decimals that Stripe counts a currency in, which need not be those of ISO 4217: https://docs.stripe.com/currencies#zero-decimal */
export function stripeExponentOf(currency: string): number {
  if (zeroDecimal.has(currency)) return 0;
  return stripeThreeDecimal.has(currency) ? 3 : 2;
}

/** ISK and UGX have no decimals, and Stripe counts them in hundredths nevertheless: https://docs.stripe.com/currencies#special-cases */
const zeroDecimal = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/** The last digit must be 0: https://docs.stripe.com/currencies#three-decimal */
export const stripeThreeDecimal = new Set("BHD JOD KWD OMR TND".split(" "));
