import type { Account } from "../../../base/accounts/tables.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { isOver, over } from "../lifecycle.ts";
import type { Subscription } from "../tables.ts";
import type { Calendar } from "./calendar.ts";
import { nextAfter } from "./next-after.ts";
import { deliveriesOwed } from "./next-dates.ts";
import { datesBySchedule, moveToOpenDays } from "./open-days/open-dates.ts";
import { restartSchedule } from "./restarting.ts";
import { nextBillingDate } from "./schedule.ts";

/**
 * Settles the deliveries that a cancelled subscription owes, as the account's prepaid_on_end says. Either they are still
 * made: they keep their dates, or start from tomorrow after a pause. Or they lapse, and the entry says how many.
 */
export function settleOwedOnCancel(
  row: Subscription,
  prepaid_on_end: PrepaidOnEnd,
  calendar?: Calendar,
): Settled {
  const owed = deliveriesOwed(row);
  if (owed === 0) return { columns: over, metadata: {} };
  const metadata = { deliveries_owed: owed, prepaid_on_end };
  if (prepaid_on_end === "stop") return { columns: dropOwed(row), metadata };
  const dates = row.status === "PAUSED" && calendar ? restartSchedule(row, calendar) : {};
  return { columns: { ...dates, next_billing_date: null, dunning_episode_id: null }, metadata };
}

/** The columns of an ended subscription whose deliveries are not made, though they are paid for. */
export function dropOwed({ next_index }: Pick<Subscription, "next_index">): Partial<Subscription> {
  return { ...over, next_billed_index: next_index };
}

/** The account's setting of what becomes of deliveries that are paid for once the subscription ends. */
type PrepaidOnEnd = Account["prepaid_on_end"];

/** The columns once it is settled, and what an entry says of it. */
type Settled = { columns: Partial<Subscription>; metadata: Record<string, unknown> };

/** The deliveries that a charge has paid for, the first of which is its own order. */
type Paid = { deliveries: number; delivery_date: CalendarDate; isOffSchedule: boolean };

/**
 * Credits the further deliveries of a charge that is recorded after its subscription was cancelled. They come after those
 * that are owed already, and before the next billing of a reactivated subscription; or they lapse, as prepaid_on_end says.
 */
export function creditLateCharge(
  { row, calendar }: { row: Subscription; calendar: Calendar },
  prepaid_on_end: PrepaidOnEnd,
  { deliveries, delivery_date, isOffSchedule }: Paid,
): Settled {
  const more = deliveries - 1;
  if (more === 0) return { columns: {}, metadata: {} };
  const metadata = { deliveries_owed: more, prepaid_on_end };
  if (prepaid_on_end === "stop") return { columns: {}, metadata };
  const { slot, today } = calendar;
  const owed = deliveriesOwed(row) + more;
  if (isOver(row) && owed === more)
    return {
      columns: nextAfter(row, calendar, { delivery: delivery_date, owed, isOffSchedule }),
      metadata,
    };
  const isFree = calendar.closed.length === 0;
  const planned = isFree ? row : { ...row, ...datesBySchedule(row, calendar) };
  const next_billed_index = planned.next_index + owed;
  const next_billing_date = nextBillingDate({ ...planned, next_billed_index }, slot, today);
  const credited = { next_billed_index, next_billing_date };
  return {
    columns: isFree ? credited : moveToOpenDays({ ...planned, ...credited }, calendar, today),
    metadata,
  };
}
