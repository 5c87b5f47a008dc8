import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { toDay } from "../../base/lib/time/calendar.ts";
import type { Ctx } from "../../kit/context.ts";
import { type ClosedDay, closedKinds, closureOn } from "../delivery/closed-days.ts";
import {
  type Calendar,
  calculateDates,
  calendarOf,
  datesBySchedule,
  datesToFollow,
} from "../subscriptions/dates/index.ts";
import type { Part } from "../subscriptions/part.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import type { Subscription } from "../subscriptions/tables.ts";

/**
 * The decision to move the next dates where closed days have come or gone since they were worked out; undefined where they are right, and
 * while a billing attempt is in progress, whose outcome decides the next dates. A skip can still be undone after it. The entry names the
 * closed days that are the cause.
 */
export function followClosedDays(
  ctx: Pick<Ctx, "account">,
  view: SubscriptionView,
  cause?: Pick<ClosedDay, "id" | "label">,
): Part | undefined {
  const { row } = view;
  if (row.open_attempt_id !== null) return undefined;
  const calendar = calendarOf(view);
  const dates = datesToFollow(row, calendar);
  if (!dates) return undefined;
  const { id, label } = cause ?? causeOf(row, calendar) ?? {};
  return {
    entry: {
      action: "delivery_rescheduled",
      metadata: id === undefined ? {} : { closed_day_id: id, label },
    },
    columns: { ...dates, schedule_revision: row.schedule_revision },
    writes: [guardUnchanged(ctx)],
  };
}

/** Whoever knows earlier closed days moves nothing any more: whoever changed them has dates worked out by the new ones. */
function guardUnchanged({ account }: Pick<Ctx, "account">): Statement {
  return guard("NOT EXISTS (SELECT 1 FROM accounts WHERE seq = ? AND closed_days IS ?)", [
    account.seq,
    account.closed_days,
  ]);
}

/** The closed days on which the schedule has one of the next dates. */
function causeOf(row: Subscription, calendar: Calendar): ClosedDay | undefined {
  const { slot, closed } = calendar;
  const { next_delivery_date: delivery } = datesBySchedule(row, calendar);
  if (delivery === null) return undefined;
  const planned = calculateDates(delivery, slot?.day, calendar.today);
  return closedKinds
    .flatMap((kind) => {
      const date = planned[kind];
      return date === null ? [] : [closureOn(closed, { kind, slotId: slot?.id }, toDay(date))];
    })
    .find((closure) => closure !== undefined);
}
