import type { Discount, Line } from "./amounts.ts";
import type { Subscription } from "./tables.ts";

/** What a subscription's row keeps as JSON text. */
export const linesOf = ({ lines }: Pick<Subscription, "lines">): Line[] => JSON.parse(lines);
export const discountsOf = ({ discounts }: Pick<Subscription, "discounts">): Discount[] =>
  JSON.parse(discounts);
