import type { FinalState } from "../accounts/final-state.ts";
import type { World } from "../kernel/world.ts";
import { type Packed, packedFor, packedInto } from "./watch-orders.ts";

type Order = FinalState["orders"][number];
type Goods = { store_variant_id: string; quantity: number; price: number; is_one_time?: boolean | number };

/**
 * Whoever packs an order sends what was bought: the lines, quantities and prices of when its charge was begun, or for a delivery that is paid for
 * the goods of when it was placed, without those that are bought once. It goes where the customer lived when it was placed.
 */
export function checkOrders(world: World, finalState: FinalState): void {
  for (const order of finalState.orders) {
    const placed = packedInto(world, order.id);
    if (!placed) continue;
    const reportGoods = (what: string, is: unknown, was: unknown) =>
      world.report(rule, `${what} of an order is ${JSON.stringify(is)}, and was ${JSON.stringify(was)}`);
    const bought = boughtBy(world, finalState, order, placed);
    const packed = textOf(goodsOf(order.lines));
    if (!bought.includes(packed)) reportGoods("content", packed, bought);
    for (const column of ["delivery_address", "delivery_instructions", "delivery_slot_id"] as const)
      if (order[column] !== placed[column]) reportGoods(column, order[column], placed[column]);
    const count = placed.deliveries_per_billing;
    if (order.prepaid_deliveries !== (count > 1 ? count : null))
      reportGoods("number of deliveries", order.prepaid_deliveries, count);
  }
}

const rule = "an order has what was bought";

/** Checks what may be in an order. A charge that is confirmed late pays for what was bought in an earlier attempt at its cycle. */
function boughtBy(
  world: World,
  { attempts }: FinalState,
  { billing_attempt_id: id }: Order,
  placed: Packed,
): string[] {
  const attempt = attempts.find((one) => one.id === id);
  if (!attempt) {
    const goods = goodsOf(placed.lines).filter(({ is_one_time }) => !is_one_time);
    return [textOf(goods.map((one) => ({ ...one, price: 0 })))];
  }
  const ofCycle = attempts.filter(
    ({ activation, cycle, store_reference, first_sent_at }) =>
      activation === attempt.activation &&
      cycle === attempt.cycle &&
      (store_reference === attempt.store_reference || first_sent_at === null),
  );
  const candidates = attempt.first_sent_at === null ? ofCycle : [attempt];
  return candidates.flatMap((one) => {
    const begun = packedFor(world, one.id);
    return begun ? [textOf(goodsOf(begun.lines))] : [];
  });
}

function goodsOf(lines: string | null): Goods[] {
  return JSON.parse(lines ?? "[]");
}

function textOf(goods: Goods[]): string {
  return goods
    .map(({ store_variant_id, quantity, price }) => `${quantity} of ${store_variant_id} at ${price}`)
    .toSorted()
    .join(", ");
}
