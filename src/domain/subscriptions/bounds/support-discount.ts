import { DomainError } from "../../../base/errors.ts";
import type { Actor, Ctx } from "../../../kit/context.ts";
import { calculateAmounts, type Discount, type Line, recurringLines } from "../lines/amounts.ts";
import { discountsOf, linesOf } from "../row-codec.ts";
import type { Subscription } from "../tables.ts";

type Priced = Pick<Subscription, "lines" | "discounts" | "shipping_amount">;

/**
 * Throws FORBIDDEN where a member of staff with the role SUPPORT leaves a subscription's order less by more than the shop lets them: by its
 * discounts, and by prices that SUPPORT has lowered. A change that takes no more off than before is free.
 */
export function requireWithinSupportDiscount(
  { actor, account }: Pick<Ctx, "actor" | "account">,
  before: Priced | undefined,
  after: Priced,
): void {
  if (!isSupport(actor)) return;
  const most = account.support_max_discount_percent;
  for (const [index, share] of sharesOf(after).entries()) {
    const { off, of, roundings } = share;
    if ((off - roundings) * 100 <= most * of) continue;
    const had = before && sharesOf(before)[index];
    if (had && (off - roundings) * had.of <= had.off * of) continue;
    throw aboveBound(most, "an order", share);
  }
}

/** Throws FORBIDDEN where SUPPORT takes an amount for less than another by more than the shop lets them. */
export function requireWithinSupportAmount(
  { actor, account }: Pick<Ctx, "actor" | "account">,
  what: string,
  { of, paid }: { of: number; paid: number },
): void {
  const most = account.support_max_discount_percent;
  const off = of - paid;
  if (isSupport(actor) && off * 100 > most * of) throw aboveBound(most, what, { off, of });
}

/** Whether a member of staff with the role SUPPORT acts, in their own name or as a customer. */
export function isSupport({ role, standIn }: Actor): boolean {
  return (role ?? standIn?.role) === "SUPPORT";
}

function aboveBound(most: number, what: string, share: Pick<Share, "off" | "of">): DomainError {
  return new DomainError(
    "FORBIDDEN",
    `The role SUPPORT may take at most ${most} % off ${what} (support_max_discount_percent); this would be ${percentOf(share)} %`,
  );
}

/** An amount off another, in minor units, which may be more by one for each time that it was rounded. */
type Share = { off: number; of: number; roundings: number };

/** The share that is off the next order, which has lines that later ones have not, and off a later one. */
function sharesOf(row: Priced): [next: Share, later: Share] {
  const [lines, discounts] = [linesOf(row), discountsOf(row)];
  const ofLines = (some: Line[]) => shareOf(some, discounts, row.shipping_amount);
  return [ofLines(lines), ofLines(recurringLines(lines))];
}

function shareOf(lines: Line[], discounts: Discount[], shipping: number): Share {
  const full = lines.map((line) => ({ ...line, price: line.reduced_from ?? line.price }));
  const goods = calculateAmounts(full, [], shipping);
  const of = goods.subtotal - goods.discount_amount;
  const off = goods.total - calculateAmounts(lines, discounts, shipping).total;
  return { off, of, roundings: discounts.length + lines.length };
}

function percentOf({ off, of }: Pick<Share, "off" | "of">): number {
  return of === 0 ? 100 : Math.round((off * 1000) / of) / 10;
}
