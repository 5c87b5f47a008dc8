import { carriesEarlierCharge } from "../../src/domain/billing/known-charge.ts";
import { type ChargeSnapshot, snapshotOf } from "../../src/domain/billing/snapshot.ts";
import { discountsOf } from "../../src/domain/subscriptions/row-codec.ts";
import { pricedByCycleOf } from "../accounts/cycle-prices.ts";
import type { FinalState } from "../accounts/final-state.ts";
import type { World } from "../kernel/world.ts";

type Stored = FinalState["subscriptions"][number];

/**
 * Each attempt costs what its lines cost by then, less the discounts that are left: prices change, and discounts end, with the cycles that
 * were paid, in whichever life. What was paid of a life that was over counts for neither.
 */
export function checkPrices(world: World, finalState: FinalState): void {
  for (const { snapshot } of finalState.attempts) checkTotal(world, JSON.parse(snapshot));
  for (const row of finalState.subscriptions) checkCycles(world, finalState, row);
}

/** Replays the history: how many cycles were paid of each line and discount when an attempt began, and at the end. */
function checkCycles(world: World, { entries, attempts }: FinalState, row: Stored): void {
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  const paid = new Map<string, number>();
  let life = 1;
  for (const { action, loggable_id, metadata } of entries) {
    if (loggable_id !== row.id) continue;
    if (action === "subscription_reactivated") life++;
    if (!begins.has(action) && action !== "billing_succeeded") continue;
    const attempt = byId.get(JSON.parse(metadata ?? "{}").billing_attempt_id);
    if (!attempt) continue;
    const snapshot = snapshotOf(attempt);
    if (begins.has(action) && !carriesEarlierCharge(attempt)) checkPrice(world, snapshot, paid);
    if (action === "billing_succeeded" && attempt.activation === life)
      for (const { id } of [...snapshot.lines, ...snapshot.discounts.filter(isActive)])
        paid.set(id, (paid.get(id) ?? 0) + 1);
  }
  for (const { id, status, cycles_used, recurring_cycle_limit: limit } of discountsOf(row)) {
    const served = paid.get(id) ?? 0;
    const isOver = limit !== null && served >= limit;
    if (served > (limit ?? served)) world.report(discountRule, `${served} cycles of ${limit}`);
    if (status === "REMOVED") continue;
    if (cycles_used !== served || isOver !== (status === "EXHAUSTED"))
      world.report(discountRule, `${status} with ${cycles_used} of ${limit} used, ${served} served`);
  }
}

const discountRule = "a discount's cycles are counted once";

const begins = new Set(["billing_started", "ship_now_requested"]);

function isActive({ status }: { status: string }): boolean {
  return status === "ACTIVE";
}

/** The line whose price changes has that of the number of its cycles that were paid. */
function checkPrice(world: World, { lines }: ChargeSnapshot, paid: Map<string, number>): void {
  const priced = pricedByCycleOf(world);
  const line = lines.find(({ id }) => id === priced?.lineId);
  if (!line || !priced) return;
  const cycles = paid.get(line.id) ?? 0;
  const price = priced.prices[cycles] ?? priced.prices.at(-1);
  if (line.price !== price)
    world.report("prices change with the cycles", `${line.price} after ${cycles} cycles, not ${price}`);
}

/** Computed apart from the code: percentages alone, each rounded once and bounded; those of the plan by line, then the others one after the other. */
function checkTotal({ report }: World, snapshot: ChargeSnapshot): void {
  const { lines, discounts, subtotal, discount_amount, shipping_amount, tax_amount } = snapshot;
  const active = discounts.filter(isActive);
  const lessAll = (amount: number, target: string): number =>
    active
      .filter(({ target_type }) => target_type === target)
      .reduce(
        (left, { reduction, max_amount = left }) =>
          left - Math.min(percentOf(left, reduction.value), max_amount),
        amount,
      );
  const goods = lines.reduce((sum, { price, quantity, plan_discount }) => {
    const whole = price * quantity;
    return sum + whole - percentOf(whole, plan_discount?.value ?? 0);
  }, 0);
  const shipping = Math.max(0, ...lines.map(({ plan_shipping }) => plan_shipping));
  const total = lessAll(goods, "ORDER") + lessAll(shipping, "SHIPPING_LINE") + tax_amount;
  const stated = subtotal - discount_amount + shipping_amount + tax_amount;
  if (stated !== total) report("an attempt costs what its lines cost", `${stated} is charged of ${total}`);
}

function percentOf(amount: number, basisPoints: number): number {
  return Math.round((amount * basisPoints) / 10_000);
}
