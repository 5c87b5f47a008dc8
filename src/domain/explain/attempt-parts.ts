import type { ChargeSnapshot } from "../billing/snapshot.ts";
import { type Discount, itemize, type Line } from "../subscriptions/lines/amounts.ts";

/** A part of an amount that was to be charged, in minor units: below 0 where it lowers the amount. */
export type AmountPart = { amount: number } & (
  | { of: "line"; line: Line }
  | { of: "discount"; discount: Discount }
  | { of: "plan" | "shipping" | "tax" | "other" }
);

/**
 * The parts that the amount of an attempt is made of, as it froze them: lines, discounts, shipping and tax. Where the store has charged
 * another amount than the one that was frozen, or a person has stated it, the difference is a part.
 */
export function splitAmount(
  snapshot: Pick<
    ChargeSnapshot,
    "lines" | "discounts" | "subtotal" | "discount_amount" | "shipping_amount" | "tax_amount"
  >,
  amount: number,
): AmountPart[] {
  const { lines, discounts, shipping_amount = 0, tax_amount = 0 } = snapshot;
  const { priced, planned, taken } = itemize(lines, discounts, shipping_amount);
  const frozen = Math.max(0, snapshot.subtotal - snapshot.discount_amount + shipping_amount + tax_amount);
  const others: AmountPart[] = [
    { of: "plan", amount: -planned },
    ...taken.map(({ discount, amount }): AmountPart => ({ of: "discount", discount, amount: -amount })),
    { of: "shipping", amount: shipping_amount },
    { of: "tax", amount: tax_amount },
    { of: "other", amount: amount - frozen },
  ];
  return [
    ...lines.map((line, nth): AmountPart => ({ of: "line", line, amount: priced[nth]?.line_total ?? 0 })),
    ...others.filter((part) => part.amount !== 0),
  ];
}
