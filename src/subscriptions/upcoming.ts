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
import { datesOf, nthDelivery } from "./cadence.ts";
import { discountsOf, linesOf } from "./present.ts";
import type { SubscriptionView } from "./queries.ts";
import { deliveriesPerBilling, isWithinCalendar, scheduleOf } from "./schedule.ts";

export type Delivery = {
  cycle: number;
  billing: CalendarDate;
  delivery: CalendarDate;
  production: CalendarDate | null;
  isBilled: boolean;
  lines: Line[];
  amounts: Amounts;
};

const free = (lines: Line[]): Amounts => ({
  subtotal: 0,
  discount_amount: 0,
  shipping_amount: 0,
  tax_amount: 0,
  total: 0,
  lines: lines.map(({ id }) => ({ id, line_total: 0, discount_amount: 0 })),
});

/** What a subscription's next deliveries will be if nothing else happens: a pure projection. */
export const upcomingOf = (
  { row, place }: SubscriptionView,
  count: number,
  today: CalendarDate,
  now: Instant,
): Delivery[] => {
  if (row.next_delivery_date === null || row.next_billing_date === null) return [];
  const { anchor, interval, rhythm } = scheduleOf(row, place);
  const perBilling = deliveriesPerBilling(row);
  let lines = linesOf(row);
  let discounts: Discount[] = discountsOf(row);
  const deliveries: Delivery[] = [];
  for (let ahead = 0; ahead < count; ahead++) {
    const index = row.next_index + ahead;
    const since = index - row.next_billed_index;
    const isBilled = since >= 0 && since % perBilling === 0;
    const cycle = row.current_billing_cycle + Math.floor(since / perBilling);
    if (row.max_cycles !== null && cycle > row.max_cycles) break;
    const expected = nthDelivery(anchor, interval, index, rhythm);
    if (!isWithinCalendar(expected)) break;
    const planned = datesOf(expected, rhythm, today);
    const stored =
      ahead === 0 ? { delivery: row.next_delivery_date, production: row.next_production_date } : planned;
    deliveries.push({
      cycle,
      ...stored,
      billing: since === 0 ? row.next_billing_date : planned.billing,
      isBilled,
      lines,
      amounts: isBilled ? amountsOf(lines, discounts, shippingOf(lines), row.tax_amount) : free(lines),
    });
    if (!isBilled) continue;
    lines = lastingLines(lines);
    discounts = discounts.map((discount) => afterCycle(discount, now));
  }
  return deliveries;
};
