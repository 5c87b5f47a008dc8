import { laterOf } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { isBeyondLastCycle } from "../lifecycle.ts";
import type { Subscription } from "../tables.ts";
import type { Calendar } from "./calendar.ts";
import { deliveryFrom, nextAfter } from "./next-after.ts";
import { deliveriesOwed } from "./next-dates.ts";
import { isWithinCalendar } from "./schedule.ts";

type Billing = { cycle: number; day: CalendarDate };

/** The days on which the schedule bills, where nothing holds billing up; each with its cycle, the next first. */
export function* scheduledBillings(first: Subscription, calendar: Calendar): Generator<Billing, undefined> {
  let row = first;
  let earliest = calendar.today;
  for (;;) {
    const owed = deliveriesOwed(row);
    const isBilled = owed === 0;
    const planned = isBilled ? row.next_billing_date : (row.next_production_date ?? row.next_delivery_date);
    if (planned === null || !isWithinCalendar(row.next_delivery_date ?? planned)) return;
    if (isBilled && isBeyondLastCycle(row)) return;
    const day = laterOf(planned, earliest);
    if (isBilled) yield { cycle: row.current_billing_cycle, day };
    const then = { ...calendar, today: day };
    const { delivery_date: delivery } = deliveryFrom(row, then);
    const left = isBilled ? row.deliveries_per_billing - 1 : owed - 1;
    row = {
      ...row,
      ...nextAfter(row, then, { delivery, owed: left, isOffSchedule: false }),
      current_billing_cycle: row.current_billing_cycle + (isBilled ? 1 : 0),
    };
    earliest = day;
  }
}
