import type { CalendarDate, Instant } from "../lib/dates.ts";
import {
  type Amounts,
  afterCycle,
  amountsOf,
  type Discount,
  type Line,
  lastingLines,
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

/** What a subscription's next deliveries will be if nothing else happens: a pure projection. */
export const upcomingOf = (
  begun: SubscriptionView,
  count: number,
  today: CalendarDate,
  now: Instant,
): Delivery[] => {
  const { place, ...view } = begun;
  let row = caughtUp(begun, today);
  let lines = linesOf(row);
  let discounts: Discount[] = discountsOf(row);
  const deliveries: Delivery[] = [];
  while (deliveries.length < count) {
    const isBilled = deliveriesOwed(row) === 0;
    const { next_delivery_date: delivery, next_production_date: production } = row;
    if (delivery === null || !isWithinCalendar(delivery)) break;
    if (isBilled && (isOver(row) || isBeyondLastCycle(row))) break;
    const day = orderedOn(row, isBilled);
    deliveries.push({
      cycle: row.current_billing_cycle - (isBilled ? 0 : 1),
      billing: day,
      delivery,
      production,
      isBilled,
      lines,
      amounts: isBilled ? amountsOf(lines, discounts, shippingOf(lines), row.tax_amount) : free(lines),
    });
    row = ordered({ ...view, row, place }, isBilled, day < today ? today : day);
    if (!isBilled) continue;
    lines = lastingLines(lines);
    discounts = discounts.map((discount) => afterCycle(discount, now));
  }
  return deliveries;
};

/** What is overdue is made up for today, on a day that still can be. */
function caughtUp({ row, place }: SubscriptionView, today: CalendarDate): Subscription {
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
function ordered({ row, place }: SubscriptionView, isBilled: boolean, day: CalendarDate): Subscription {
  const owed = deliveriesOwed(row) + (isBilled ? row.deliveries_per_billing - 1 : -1);
  const made = { delivery: row.next_delivery_date ?? "", owed, isOffSchedule: false };
  const current_billing_cycle = row.current_billing_cycle + (isBilled ? 1 : 0);
  return { ...row, current_billing_cycle, ...nextAfter(row, place, made, day) };
}

/** The day on which a delivery's order is made: when it is billed, else when it is packed or delivered. */
function orderedOn(row: Subscription, isBilled: boolean): CalendarDate {
  return (isBilled ? row.next_billing_date : (row.next_production_date ?? row.next_delivery_date)) ?? "";
}

function free(lines: Line[]): Amounts {
  return {
    subtotal: 0,
    discount_amount: 0,
    shipping_amount: 0,
    tax_amount: 0,
    total: 0,
    lines: lines.map(({ id }) => ({ id, line_total: 0, discount_amount: 0 })),
  };
}
