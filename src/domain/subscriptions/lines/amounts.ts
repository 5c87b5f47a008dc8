import type { Instant } from "../../../base/lib/time/dates.ts";
import type { LineProduct, PackedItem } from "../../orders/tables.ts";

export const targetTypes = ["ORDER", "SHIPPING_LINE", "LINE_ITEM"] as const;
type TargetType = (typeof targetTypes)[number];

/** A percentage in basis points (10 % = 1000), or an amount in minor units. */
export type Reduction = { type: "PERCENTAGE" | "FIXED_AMOUNT"; value: number };

/** The price is for information; the line's is charged. */
type SelectionItem = PackedItem & { price: number };

/** A line as it is stored. `plan_discount` and `plan_shipping` are the plan's terms when the line was added. */
export type Line = LineProduct & {
  id: string;
  price: number;
  selection_items: SelectionItem[] | null;
  plan_shipping: number;
  plan_discount: Reduction | null;
  /** Later prices that were promised at the store's checkout, the next first; absent where the price stays. */
  price_changes?: PriceChange[];
  /** The quantity that the price is for, where a customer has accepted it as an offer; absent where it is for any number. */
  price_quantity?: number;
  /** The price from which staff with the role SUPPORT have lowered it; absent where they have not. */
  reduced_from?: number;
};

/** A price that applies once so many further cycles were billed. */
export type PriceChange = { in_cycles: number; price: number };

export type Discount = {
  id: string;
  status: "ACTIVE" | "EXHAUSTED" | "REMOVED";
  discount_code: string | null;
  title: string;
  reduction: Reduction;
  /** The most that it takes off one charge; absent where nothing bounds it. */
  max_amount?: number;
  store_discount_id: string;
  target_type: TargetType;
  /** The lines that it is for; absent where it is for all of them. */
  line_ids?: string[];
  recurring_cycle_limit: number | null;
  cycles_used: number;
  applied_at: Instant;
  exhausted_at: Instant | null;
  removed_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

/** Minor units. total = subtotal − discount_amount + shipping_amount + tax_amount, and never below 0. */
export type Amounts = {
  subtotal: number;
  discount_amount: number;
  shipping_amount: number;
  tax_amount: number;
  total: number;
  lines: { id: string; line_total: number; discount_amount: number }[];
};

/**
 * Splits an amount, at most the sum of the bases, in proportion to them. The minor units that rounding leaves go to the first
 * bases, one each; a base that is not 0 has room for one.
 */
export function allot(amount: number, bases: number[]): number[] {
  const whole = bases.reduce((sum, base) => sum + base, 0);
  if (whole === 0) return bases.map(() => 0);
  const shares = bases.map((base) => Number((BigInt(amount) * BigInt(base)) / BigInt(whole)));
  let left = amount - shares.reduce((sum, share) => sum + share, 0);
  return bases.map((base, index) => {
    const more = Math.min(left, base, 1);
    left -= more;
    return shares[index]! + more;
  });
}

/**
 * The amounts of one order: plan discounts by line, then discounts in the order they were applied — those on lines
 * split over them, those on the order off what remains, those on shipping off shipping. Each is rounded once.
 */
export function calculateAmounts(lines: Line[], discounts: Discount[], shipping: number, tax = 0): Amounts {
  const { priced, planned, taken } = itemize(lines, discounts, shipping);
  const subtotal = priced.reduce((sum, line) => sum + line.line_total, 0);
  const discount_amount = taken.reduce((sum, { amount }) => sum + amount, planned);
  const total = Math.max(0, subtotal - discount_amount + shipping + tax);
  return { subtotal, discount_amount, shipping_amount: shipping, tax_amount: tax, total, lines: priced };
}

/** The lines at their prices, the amount that their plans take off, and each discount that counts with the amount that it takes off. */
export function itemize(lines: Line[], discounts: Discount[], shipping: number): Itemized {
  const byPlan = lines.map(({ id, price, quantity, plan_discount }) => {
    const line_total = price * quantity;
    const discount_amount = plan_discount ? reductionOf(plan_discount, line_total, quantity) : 0;
    return { id, line_total, discount_amount };
  });
  const planned = byPlan.reduce((sum, line) => sum + line.discount_amount, 0);
  return { planned, ...takeDiscounts(byPlan, discounts, shipping) };
}

type Itemized = { planned: number } & Taken<Discount>;
type PricedLine = Amounts["lines"][number];
type Taken<Counted> = { priced: PricedLine[]; taken: { discount: Counted; amount: number }[] };

/** The part of a discount that says how much it takes off. */
type CountedDiscount = Pick<Discount, "status" | "reduction" | "max_amount" | "target_type" | "line_ids">;

/** The lines with the shares of the discounts that are split over them, besides what each has already; and what each discount takes off. */
export function takeDiscounts<Counted extends CountedDiscount>(
  lines: PricedLine[],
  discounts: Counted[],
  shipping: number,
): Taken<Counted> {
  const priced = lines.map((line) => ({ ...line }));
  const taken: Taken<Counted>["taken"] = [];
  let [offOrder, offShipping] = [0, 0];
  for (const discount of discounts.filter(isActive)) {
    const { target_type, line_ids } = discount;
    if (target_type === "SHIPPING_LINE") {
      const amount = boundedReduction(discount, shipping - offShipping);
      offShipping += amount;
      taken.push({ discount, amount });
      continue;
    }
    const remaining = priced.map((line) =>
      line_ids && !line_ids.includes(line.id) ? 0 : line.line_total - line.discount_amount,
    );
    const goods = Math.max(0, remaining.reduce((sum, amount) => sum + amount, 0) - offOrder);
    const amount = boundedReduction(discount, goods);
    taken.push({ discount, amount });
    if (target_type === "ORDER") offOrder += amount;
    else
      for (const [index, share] of allot(amount, remaining).entries())
        priced[index]!.discount_amount += share;
  }
  return { priced, taken };
}

/** A discount after one more billed cycle. It is exhausted after the last cycle of its limit. */
export function afterCycle(discount: Discount, now: Instant): Discount {
  if (!isActive(discount)) return discount;
  const cycles_used = discount.cycles_used + 1;
  const isExhausted =
    discount.recurring_cycle_limit !== null && cycles_used >= discount.recurring_cycle_limit;
  return {
    ...discount,
    cycles_used,
    updated_at: now,
    ...(isExhausted ? { status: "EXHAUSTED" as const, exhausted_at: now } : {}),
  };
}

/** A line after one more billed cycle: at its next price, where that begins. */
export function lineAfterCycle(line: Line): Line {
  const { price_changes: changes = [], ...rest } = line;
  if (changes.length === 0) return line;
  const counted = changes.map(({ in_cycles, price }) => ({ in_cycles: in_cycles - 1, price }));
  const later = counted.filter(({ in_cycles }) => in_cycles > 0);
  const begun = counted.findLast(({ in_cycles }) => in_cycles <= 0);
  const priced = begun ? { ...withoutPromises(rest), price: begun.price } : rest;
  return { ...priced, ...(later.length > 0 ? { price_changes: later } : {}) };
}

/** The line without what was promised about its price, as one that is given another price. */
export function withoutPromises({
  price_changes: _,
  price_quantity: _1,
  reduced_from: _2,
  ...line
}: Line): Line {
  return line;
}

/** The price of a line once all of its price changes have begun. */
export function lastPriceOf({ price, price_changes = [] }: Line): number {
  return price_changes.at(-1)?.price ?? price;
}

/** A subscription pays the highest shipping price among the plans of its lines. */
export function shippingOf(lines: Line[]): number {
  return Math.max(0, ...lines.map(({ plan_shipping }) => plan_shipping));
}

/** The lines that are in every order, not only in the next one. */
export function recurringLines(lines: Line[]): Line[] {
  return lines.filter(({ is_one_time }) => !is_one_time);
}

function isActive({ status }: Pick<Discount, "status">): boolean {
  return status === "ACTIVE";
}

/** The amount that a discount takes off a base, at most the base and what it may take off one charge. */
function boundedReduction({ reduction, max_amount }: CountedDiscount, base: number): number {
  const off = reductionOf(reduction, base);
  return max_amount === undefined ? off : Math.min(off, max_amount);
}

/** The amount that a reduction takes off a base, at most the base. */
function reductionOf({ type, value }: Reduction, base: number, times = 1): number {
  return Math.min(base, type === "PERCENTAGE" ? basisPointsOf(base, value) : value * times);
}

/** Half away from zero; amounts here are never negative. */
function basisPointsOf(amount: number, basisPoints: number): number {
  const whole = BigInt(amount) * BigInt(basisPoints);
  return Number((whole + 5000n) / 10_000n);
}
