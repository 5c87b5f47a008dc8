import type { ErrorDetail } from "../../../../base/errors.ts";
import { memberAt } from "../columns.ts";

/** Taxes that Stripe adds to the prices: here nothing is added to what a row says. Taxes that the prices include change no total. */
export function taxFaults(object: Record<string, unknown>): ErrorDetail[] {
  const items = memberAt(object, "items", "data") as unknown[];
  const paths = items.flatMap((item) => pathsOfTaxes(object, item));
  return [...new Set(paths)].map((path) => ({ path, message: addsTax }));
}

const addsTax = "adds a tax to the price, and nothing is added to prices here: add price, with the tax in it";

function pathsOfTaxes(object: Record<string, unknown>, item: unknown): string[] {
  const isAutomatic = memberAt(object, "automatic_tax", "enabled");
  const behavior = memberAt(item, "price", "tax_behavior");
  return [
    ...(isAutomatic === true && behavior !== "inclusive" ? ["automatic_tax.enabled"] : []),
    ...(isAutomatic === undefined && behavior === "exclusive" ? ["items.price.tax_behavior"] : []),
    ...pathsOfRates(object, item),
  ];
}

/** The rates of an item take the place of those of its subscription. */
function pathsOfRates({ default_tax_rates: ofAll }: Record<string, unknown>, item: unknown): string[] {
  const own = memberAt(item, "tax_rates");
  const isOwn = Array.isArray(own) && own.length > 0;
  const rates = isOwn ? own : Array.isArray(ofAll) ? ofAll : [];
  const adds = rates.some((rate) => memberAt(rate, "inclusive") !== true);
  return adds ? [isOwn ? "items.tax_rates" : "default_tax_rates"] : [];
}
