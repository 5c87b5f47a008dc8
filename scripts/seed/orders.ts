import type { Value } from "../../src/base/db/port.ts";
import { demoId } from "../../src/base/demo.ts";
import { searchTextOf } from "../../src/base/lib/text.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import type { OrderLine } from "../../src/domain/orders/tables.ts";
import type { Line } from "../../src/domain/subscriptions/lines/amounts.ts";
import { demoAccountSeq } from "./account.ts";
import { draw, pick } from "./draw.ts";
import type { Extent } from "./extent.ts";
import { linesOf, weeksOf } from "./subscriptions.ts";
import { instantOf, laterBy } from "./times.ts";

type Row = Record<string, Value>;

/** How many days ago the k-th last order of a subscription was placed. */
export function daysAgoOf(n: number, k: number): number {
  return 1 + draw(n, 22, 7) + k * weeksOf(n) * 7;
}

/** Which subscription the n-th order is of, how old it is, and what it came to: what the subscription shows of it too. */
export function orderOutline(n: number, { amounts, after }: Extent) {
  const index = n - after.orders - 1;
  const of = after.subscriptions + (index % amounts.subscriptions) + 1;
  const age = daysAgoOf(of, Math.floor(index / amounts.subscriptions));
  const order_type = pick(n, 31, [
    "SUBSCRIPTION",
    "SUBSCRIPTION",
    "SUBSCRIPTION",
    "SUBSCRIPTION",
    "UPSELL",
    "ONE_TIME",
  ] as const);
  const isOld = age > 5;
  const status = pick(
    n,
    32,
    isOld
      ? ["PAID", "PAID", "PAID", "PAID", "PAID", "PAID", "PARTIALLY_REFUNDED", "REFUNDED", "CANCELLED"]
      : ["PAID", "PAID", "PENDING"],
  );
  const lines = order_type === "SUBSCRIPTION" ? linesOf(of, null) : [extraOf(n, of)];
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const discount_amount = draw(n, 35, 4) === 0 ? Math.round(subtotal / 10) : 0;
  const total = subtotal - discount_amount;
  const refunds: Record<string, number> = { REFUNDED: total, PARTIALLY_REFUNDED: Math.round(total / 2) };
  const refunded_amount = refunds[status] ?? 0;
  return { of, age, isOld, order_type, status, lines, subtotal, discount_amount, total, refunded_amount };
}

export function orderRow(n: number, extent: Extent, now: Date): Row {
  const { amounts, after } = extent;
  const { of, age, isOld, order_type, status, lines: _, ...sums } = orderOutline(n, extent);
  const isOneTime = order_type === "ONE_TIME";
  const fulfillment_status =
    status === "CANCELLED" || status === "PENDING" || !isOld
      ? "UNFULFILLED"
      : pick(n, 33, ["FULFILLED", "FULFILLED", "FULFILLED", "PARTIALLY_FULFILLED"]);
  const tracking = fulfillment_status === "UNFULFILLED" ? null : `1Z${String(10_000_000 + n)}`;
  const created_at = instantOf(now, age, n);
  const number = `D${10_000 + n}`;
  const erpNumber = n % 2 === 0 ? `ERP-${n}` : null;
  return {
    id: demoId("order", n),
    account_seq,
    revision: 1,
    status,
    fulfillment_status,
    return_status: null,
    order_type,
    is_checkout_order: isOneTime ? 1 : 0,
    has_subscription: isOneTime ? 0 : 1,
    store_order_id: `store-order-${n}`,
    store_order_number: number,
    external_order_number: erpNumber,
    external_source: erpNumber && "erp",
    profile_id: demoId("profile", after.profiles + ((of - after.subscriptions - 1) % amounts.profiles) + 1),
    delivery_slot_id: draw(n, 36, 2) === 0 ? demoId("delivery_slot", 1 + draw(n, 37, 4)) : null,
    currency_code: "USD",
    ...sums,
    billing_date: dateOf(created_at),
    production_date: dateOf(created_at),
    delivery_date: dateOf(laterBy(created_at, 3 * dayMs)),
    order_created_at: created_at,
    tracking_number: tracking,
    tracking_company: tracking && "UPS",
    tracking_url: tracking && `https://tracking.example.com/${tracking}`,
    search_text: searchTextOf([`store-order-${n}`, number, erpNumber, tracking]),
    created_at,
    updated_at: created_at,
  };
}

/** The lines of an order, as it was placed. */
export function orderLines(n: number, extent: Extent): OrderLine[] {
  return orderOutline(n, extent).lines.map(
    ({ id, plan_shipping: _, plan_discount: __, selection_items, ...line }) => ({
      ...line,
      subscription_line_id: id,
      line_total: line.price * line.quantity,
      discount_amount: 0,
      selection_items: selection_items?.map(({ price: ___, ...item }) => item) ?? null,
    }),
  );
}

/** One of the subscription's items, for this order alone. */
function extraOf(n: number, of: number): Line {
  const [line] = linesOf(of, null) as [Line];
  return { ...line, quantity: 1 + draw(n, 38, 2), is_one_time: true };
}

/** Which subscription an order is of; the rows of one that is of none are left out. */
export function linkRows(n: number, extent: Extent): Row[] {
  const { of, order_type } = orderOutline(n, extent);
  if (order_type === "ONE_TIME") return [];
  return [{ account_seq, subscription_id: demoId("subscription", of), order_id: demoId("order", n) }];
}

const account_seq = demoAccountSeq;
function dateOf(instant: string): string {
  return instant.slice(0, 10);
}
