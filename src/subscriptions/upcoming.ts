import type { CalendarDate, Instant } from "../lib/dates.ts";
import {
  type Amounts,
  afterCycle,
  amountsOf,
  type Discount,
  type Line,
  lineAfterCycle,
  recurringLines,
  shippingOf,
} from "./amounts.ts";
import { isBeyondLastCycle, isOver } from "./lifecycle.ts";
import type { SubscriptionView } from "./queries.ts";
import { discountsOf, linesOf } from "./row-codec.ts";
import { deliveriesOwed, deliveryFrom, isWithinCalendar, nextAfter } from "./schedule.ts";
import type { Subscription } from "./tables.ts";

export type Delivery = {
  cycle: number;
  billing: CalendarDate;
  delivery: CalendarDate;
  production: CalendarDate | null;
  isBilled: boolean;
  lines: Line[];
  amounts: Amounts;
};

/** Projects a subscription's next deliveries, assuming that nothing else happens. */
export const upcomingOf = (
  current: SubscriptionView,
  count: number,
  today: CalendarDate,
  now: Instant,
): Delivery[] => {
  const { place, ...view } = current;
  let row = withoutOverdue(current, today);
  let lines = linesOf(row);
  let discounts: Discount[] = discountsOf(row);
  const deliveries: Delivery[] = [];
  while (deliveries.length < count) {
    const isBilled = deliveriesOwed(row) === 0;
    const { next_delivery_date: delivery, next_production_date: production } = row;
    if (delivery === null || !isWithinCalendar(delivery)) break;
    if (isBilled && (isOver(row) || isBeyondLastCycle(row))) break;
    const day = orderDay(row, isBilled);
    deliveries.push({
      cycle: row.current_billing_cycle - (isBilled ? 0 : 1),
      billing: day,
      delivery,
      production,
      isBilled,
      lines,
      amounts: isBilled ? amountsOf(lines, discounts, shippingOf(lines), row.tax_amount) : freeAmounts(lines),
    });
    row = afterOrder({ ...view, row, place }, isBilled, day < today ? today : day);
    if (!isBilled) continue;
    lines = recurringLines(lines).map(lineAfterCycle);
    discounts = discounts.map((discount) => afterCycle(discount, now));
  }
  return deliveries;
};

/** An overdue delivery is moved to the earliest possible day. */
function withoutOverdue({ row, place }: SubscriptionView, today: CalendarDate): Subscription {
  const isGoingOn = row.status === "ACTIVE" || (row.status !== "PAUSED" && deliveriesOwed(row) > 0);
  const isOverdue = isGoingOn && row.next_delivery_date !== null && row.next_delivery_date < today;
  if (!isOverdue) return row;
  const { delivery_date, production_date } = deliveryFrom(row, place, today);
  return {
    ...row,
    next_delivery_date: delivery_date,
    next_production_date: production_date,
    next_billing_date: row.next_billing_date && [row.next_billing_date, today].sort()[1]!,
  };
}

/** The subscription once this delivery has been ordered on that day, as billing would leave it. */
function afterOrder({ row, place }: SubscriptionView, isBilled: boolean, day: CalendarDate): Subscription {
  const owed = deliveriesOwed(row) + (isBilled ? row.deliveries_per_billing - 1 : -1);
  const last = { delivery: row.next_delivery_date ?? "", owed, isOffSchedule: false };
  const current_billing_cycle = row.current_billing_cycle + (isBilled ? 1 : 0);
  return { ...row, current_billing_cycle, ...nextAfter(row, place, last, day) };
}

/** The day of a delivery's order: its billing day, or the packing or delivery day of one that is paid for. */
function orderDay(row: Subscription, isBilled: boolean): CalendarDate {
  return (isBilled ? row.next_billing_date : (row.next_production_date ?? row.next_delivery_date)) ?? "";
}

function freeAmounts(lines: Line[]): Amounts {
  return {
    subtotal: 0,
    discount_amount: 0,
    shipping_amount: 0,
    tax_amount: 0,
    total: 0,
    lines: lines.map(({ id }) => ({ id, line_total: 0, discount_amount: 0 })),
  };
}
