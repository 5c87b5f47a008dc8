import type { DeliveryAddress } from "./address.ts";
import type { Discount, Line } from "./amounts.ts";
import type { Subscription } from "./tables.ts";

/** The values that a subscription's row holds as JSON text. */
export const linesOf = ({ lines }: Pick<Subscription, "lines">): Line[] => JSON.parse(lines);

export const discountsOf = ({ discounts }: Pick<Subscription, "discounts">): Discount[] =>
  JSON.parse(discounts);

export const deliveryAddressOf = (row: Pick<Subscription, "delivery_address">): DeliveryAddress | null =>
  row.delivery_address === null ? null : JSON.parse(row.delivery_address);

export const customAttributesOf = (
  row: Pick<Subscription, "custom_attributes">,
): Record<string, unknown> | null =>
  row.custom_attributes === null ? null : JSON.parse(row.custom_attributes);
