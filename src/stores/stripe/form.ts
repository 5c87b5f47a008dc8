/**
 * Parameters as Stripe takes them in a form and in a query: `metadata[key]=v`, `expand[0]=v`, an empty text for null. What is undefined is
 * left out: https://docs.stripe.com/api/metadata, https://docs.stripe.com/api/expanding_objects
 */
export function encodeForm(params: object): URLSearchParams {
  return new URLSearchParams(Object.entries(params).flatMap(([name, value]) => pairsOf(name, value)));
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (value === null) return [[name, ""]];
  if (typeof value !== "object") return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner));
}
