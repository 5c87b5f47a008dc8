import type { SubscriptionAddress } from "./address/address.ts";
import type { Discount, Line } from "./lines/amounts.ts";
import type { Subscription } from "./tables.ts";

/** The values that a subscription's row holds as JSON text. */
export function linesOf({ lines }: Pick<Subscription, "lines">): Line[] {
  return JSON.parse(lines);
}

export function discountsOf({ discounts }: Pick<Subscription, "discounts">): Discount[] {
  return JSON.parse(discounts);
}

export function deliveryAddressOf(row: Pick<Subscription, "delivery_address">): SubscriptionAddress | null {
  return row.delivery_address === null ? null : JSON.parse(row.delivery_address);
}

export function customAttributesOf(
  row: Pick<Subscription, "custom_attributes">,
): Record<string, unknown> | null {
  return row.custom_attributes === null ? null : JSON.parse(row.custom_attributes);
}
