import { type ClosedDay, closedKinds } from "../../src/domain/delivery/closed-days.ts";
import {
  type Calendar,
  deliveriesOwed,
  deliveryFrom,
  moveToOpenDays,
  nextAfter,
  startSchedule,
} from "../../src/domain/subscriptions/dates/index.ts";
import type { Subscription } from "../../src/domain/subscriptions/tables.ts";

/** The day on which tests of dates and closed days are. */
export const today = "2026-11-20";

/** A subscription, and the calendar that its dates follow. */
export type Case = { row: Subscription; calendar: Calendar };

/** A subscription whose first delivery is on a day. */
export function startingOn(
  delivery: string,
  calendar: Calendar,
  more: Partial<Subscription> = {},
): Subscription {
  const row = {
    status: "ACTIVE",
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
    deliveries_per_billing: 1,
    dunning_episode_id: null,
    last_payment_reminder_billing_date: null,
    max_cycles: null,
    current_billing_cycle: 1,
    ...startSchedule(delivery, calendar.slot, calendar.today),
    ...more,
  } as Subscription;
  return { ...row, ...moveToOpenDays(row, calendar, calendar.today) };
}

/** The day on which the next delivery is ordered. */
function orderedOn(row: Subscription): string {
  const { next_production_date, next_delivery_date, next_billing_date } = row;
  return (
    (deliveriesOwed(row) > 0 ? (next_production_date ?? next_delivery_date) : next_billing_date) ?? today
  );
}

/** The subscription once the next delivery is ordered on its day. */
export function afterOrder(row: Subscription, calendar: Calendar): Subscription {
  const owed = deliveriesOwed(row);
  const day = orderedOn(row);
  const { delivery_date: delivery } = deliveryFrom(row, { ...calendar, today: day });
  const left = owed > 0 ? owed - 1 : row.deliveries_per_billing - 1;
  return {
    ...row,
    ...nextAfter(row, { ...calendar, today: day }, { delivery, owed: left, isOffSchedule: false }),
  };
}

export function closing(
  from: string,
  to: string,
  rule: ClosedDay["rule"],
  more: Partial<ClosedDay> = {},
): ClosedDay {
  return {
    id: "closed",
    from,
    to,
    rule,
    applies_to: [...closedKinds],
    slot_ids: [],
    label: "Holiday",
    ...more,
  };
}

/** The subscription over its next deliveries, each ordered on its day, and the calendar of that day. */
export function* course({ row: first, calendar: begin }: Case, count: number): Generator<Case> {
  let [row, calendar] = [first, begin];
  for (let n = 0; n < count; n++) {
    yield { row, calendar };
    const ordered = orderedOn(row);
    row = afterOrder(row, calendar);
    if (ordered > calendar.today) calendar = { ...calendar, today: ordered };
  }
}
