import type { Order, OrderLine } from "../orders/tables.ts";
import { deliveriesOwed } from "../subscriptions/dates/index.ts";
import { calculateAmounts, type Line } from "../subscriptions/lines/amounts.ts";
import { linesOf } from "../subscriptions/row-codec.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { ChargeSnapshot } from "./snapshot.ts";

/** The goods that are packed, and which of the deliveries of one billing they are. */
export type OrderContent = Pick<
  Order,
  "lines" | "is_prepaid" | "prepaid_delivery" | "prepaid_deliveries" | "subtotal" | "discount_amount"
>;

/** The order of a charge: its lines at their prices. It is the first of the deliveries that the charge pays for. */
export function billedContent(
  snapshot: ChargeSnapshot,
  deliveries: number,
): Omit<ChargeSnapshot, "lines"> & OrderContent {
  const { lines, discounts, shipping_amount, tax_amount } = snapshot;
  const amounts = calculateAmounts(lines, discounts, shipping_amount, tax_amount);
  const priced = lines.map((line, nth) => {
    const { line_total = 0, discount_amount = 0 } = amounts.lines[nth] ?? {};
    return orderLine(line, { price: line.price, line_total, discount_amount });
  });
  const isPrepaid = deliveries > 1;
  return {
    ...snapshot,
    lines: JSON.stringify(priced),
    is_prepaid: 0,
    prepaid_delivery: isPrepaid ? 1 : null,
    prepaid_deliveries: isPrepaid ? deliveries : null,
  };
}

/** A delivery that is paid for already: the lines of now at no price, without those that belong into the next billed order. */
export function prepaidContent(row: Subscription): OrderContent {
  const lines = linesOf(row)
    .filter(({ is_one_time }) => !is_one_time)
    .map((line) => orderLine(line, { price: 0, line_total: 0, discount_amount: 0 }));
  return {
    lines: JSON.stringify(lines),
    is_prepaid: 1,
    ...numberedContent(row),
    subtotal: 0,
    discount_amount: 0,
  };
}

/**
 * Which of how many it is, counted back from the last that is owed: where several billings are paid for, each of them has all but its
 * first delivery still to come.
 */
export function numberedContent(
  row: Pick<Subscription, "deliveries_per_billing" | "next_index" | "next_billed_index">,
): Pick<Order, "prepaid_delivery" | "prepaid_deliveries"> {
  const deliveries = row.deliveries_per_billing;
  if (deliveries < 2) return { prepaid_delivery: null, prepaid_deliveries: null };
  const after = (deliveriesOwed(row) - 1) % (deliveries - 1);
  return { prepaid_delivery: deliveries - after, prepaid_deliveries: deliveries };
}

type Priced = Pick<OrderLine, "price" | "line_total" | "discount_amount">;

function orderLine(line: Line, priced: Priced): OrderLine {
  const {
    id,
    selection_items: items,
    plan_shipping: _,
    plan_discount: _1,
    price_changes: _2,
    price_quantity: _3,
    reduced_from: _4,
    ...product
  } = line;
  return {
    ...product,
    ...priced,
    subscription_line_id: id,
    selection_items: items?.map(({ price: _, ...item }) => item) ?? null,
  };
}
