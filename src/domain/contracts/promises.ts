import type { Ctx } from "../../kit/context.ts";
import type { StoreContract, StoreDiscount } from "../../stores/port/contracts.ts";
import {
  calculateAmounts,
  type Discount,
  type Line,
  type PriceChange,
} from "../subscriptions/lines/amounts.ts";

/** Lines and discounts of a new subscription; `refusal` says what of the contract's promises they do not keep. */
type Priced = { discounts: Discount[]; lines: Line[]; refusal?: string };
type StoreLine = StoreContract["lines"][number];

/**
 * The prices and discounts that a contract promises, as a subscription keeps them: prices that change after some billings,
 * discounts with their limits. `lines` are the contract's, in its order, at the prices it has now. A promise that cannot be
 * expressed is refused, never repriced.
 */
export function keepPromises(ctx: Ctx, contract: StoreContract, lines: Line[], cyclesBilled: number): Priced {
  const [inexpressible] = contract.inexpressible;
  const lineIds = new Map(
    contract.lines.map(({ store_line_id }, nth) => [store_line_id, lines[nth]?.id ?? ""]),
  );
  const discounts = contract.discounts.map((discount) => newDiscount(ctx, discount, lineIds));
  if (inexpressible !== undefined) return { lines, discounts, refusal: inexpressible };
  if (!addsUp(contract, lines, discounts))
    return { lines, discounts, refusal: "its discounts do not add up to its prices" };
  const repriced = lines.map((line, nth) => withPrices(line, contract.lines[nth], cyclesBilled));
  if (repriced.some((line) => line === undefined))
    return { lines, discounts, refusal: "the price of a line is not that of its pricing policy" };
  return {
    lines: repriced.filter((line) => line !== undefined),
    discounts: discounts.map((discount) => exhaustIfUsed(ctx, discount)),
  };
}

function newDiscount(ctx: Ctx, discount: StoreDiscount, lineIds: Map<string, string>): Discount {
  const { title, code, reduction, is_off_delivery, line_ids, cycle_limit, cycles_used } = discount;
  const id = ctx.newId();
  return {
    id,
    status: "ACTIVE",
    discount_code: code,
    title,
    reduction,
    store_discount_id: id,
    target_type: is_off_delivery ? "SHIPPING_LINE" : "LINE_ITEM",
    ...(line_ids ? { line_ids: line_ids.map((lineId) => lineIds.get(lineId) ?? "") } : {}),
    recurring_cycle_limit: cycle_limit,
    cycles_used,
    applied_at: ctx.now,
    exhausted_at: null,
    removed_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}

/** A store may round a discount on each line by itself, which differs by a minor unit for each. */
function addsUp({ lines: stored }: StoreContract, lines: Line[], discounts: Discount[]): boolean {
  const amounts = calculateAmounts(
    lines,
    discounts.filter(({ target_type }) => target_type === "LINE_ITEM"),
    0,
  );
  const there = stored.reduce((sum, { discounted_total }) => sum + discounted_total, 0);
  return Math.abs(amounts.total - there) <= lines.length * Math.max(1, discounts.length) - 1;
}

/** The line at the price of its next billing. Undefined where the contract has neither that price nor the last billed one. */
function withPrices(line: Line, stored: StoreLine | undefined, cyclesBilled: number): Line | undefined {
  const changes = stored?.price_changes ?? [];
  const [last, next] = [priceAfter(changes, cyclesBilled - 1), priceAfter(changes, cyclesBilled)];
  if (next !== undefined && line.price !== next && line.price !== (last ?? line.price)) return undefined;
  const later: PriceChange[] = changes
    .filter(({ after_cycles }) => after_cycles > cyclesBilled)
    .map(({ after_cycles, price }) => ({ in_cycles: after_cycles - cyclesBilled, price }));
  return {
    ...line,
    price: next ?? line.price,
    ...(later.length > 0 ? { price_changes: later } : {}),
  };
}

/** The price of the billing that follows so many; undefined before the first of them. */
function priceAfter(changes: StoreLine["price_changes"], cycles: number): number | undefined {
  return changes.findLast(({ after_cycles }) => after_cycles <= cycles)?.price;
}

function exhaustIfUsed(ctx: Ctx, discount: Discount): Discount {
  const { recurring_cycle_limit: limit, cycles_used } = discount;
  return limit === null || cycles_used < limit
    ? discount
    : { ...discount, status: "EXHAUSTED", exhausted_at: ctx.now };
}
