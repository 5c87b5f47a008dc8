import { raw, rows } from "../../base/db/statement.ts";
import { toDay } from "../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { todayOf } from "../../kit/days.ts";
import { type ClosedDay, type ClosedRule, closedKinds, closureOn } from "../delivery/closed-days.ts";
import type { SlotWithDay } from "../delivery/queries.ts";
import { calculateDates, datesBySchedule, datesToFollow } from "../subscriptions/dates/index.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { ClosedDaysChange } from "./actions.ts";

type Preview = {
  affected: number;
  by_rule: Record<ClosedRule, number>;
  first: { subscription_id: string; from: CalendarDate; to: CalendarDate }[];
};

/** Finds the subscriptions that a change of closed days would move, worked out as the change itself would. */
export async function previewClosedDays(ctx: Ctx, change: ClosedDaysChange): Promise<Preview> {
  const preview: Preview = { affected: 0, by_rule: { earlier: 0, later: 0, skip: 0 }, first: [] };
  const today = todayOf(ctx);
  for (const { slot: slotText, day: dayText, ...row } of await rows(ctx.db, selectConcerned(ctx, change))) {
    const slot = slotText === null ? undefined : slotOf(slotText, dayText);
    const dates = datesToFollow(row as Subscription, { slot, closed: change.after, today });
    const moved = dates && movedDate(row as Subscription, dates);
    if (!moved) continue;
    preview.affected++;
    preview.by_rule[ruleFor(row as Subscription, slot, { ...change, today })]++;
    if (preview.first.length < mostShown) preview.first.push({ subscription_id: row.id, ...moved });
  }
  return preview;
}

const mostShown = 20;
/** So many subscriptions are looked at, at most: each is two rows, and two of its slot. */
const mostConcerned = 10_000;

const shown = ["next_delivery_date", "next_billing_date", "next_production_date"] as const;

/** The first of the next dates that moves. */
function movedDate(
  row: Subscription,
  dates: Pick<Subscription, (typeof shown)[number]>,
): { from: CalendarDate; to: CalendarDate } | undefined {
  const column = shown.find((one) => row[one] !== null && dates[one] !== null && row[one] !== dates[one]);
  if (!column) return undefined;
  return { from: row[column] as CalendarDate, to: dates[column] as CalendarDate };
}

/** The rule of the closed days on which the schedule has one of the dates: those after the change, else those before it. */
function ruleFor(
  row: Subscription,
  slot: SlotWithDay | undefined,
  { before, after, changed, today }: ClosedDaysChange & { today: CalendarDate },
): ClosedRule {
  const { next_delivery_date: delivery } = datesBySchedule(row, { slot, closed: [], today });
  const planned = delivery === null ? undefined : calculateDates(delivery, slot?.day, today);
  const closureAmong = (closed: ClosedDay[]) =>
    closedKinds
      .flatMap((kind) => {
        const date = planned?.[kind];
        return date ? [closureOn(closed, { kind, slotId: slot?.id }, toDay(date))] : [];
      })
      .find((closure) => closure !== undefined);
  return (closureAmong(after) ?? closureAmong(before) ?? changed).rule;
}

type Concerned = Pick<
  Subscription,
  | "id"
  | "status"
  | "anchor_date"
  | "anchor_day"
  | "delivery_interval"
  | "delivery_interval_count"
  | "deliveries_per_billing"
  | "next_index"
  | "next_billed_index"
  | "next_billing_date"
  | "next_delivery_date"
  | "next_production_date"
  | "scheduled_index"
  | "scheduled_delivery_date"
  | "dunning_episode_id"
  | "last_payment_reminder_billing_date"
> & { slot: string | null; day: string };

/** Those that closed days have moved, and those with a date on the days as they would be, each by its index. */
function selectConcerned({ account }: Ctx, { after, changed: { id, from, to } }: ClosedDaysChange) {
  const isOpened = !after.some((one) => one.id === id);
  const living = `status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED', 'CANCELLED')`;
  const onDays = isOpened
    ? []
    : shown.map(
        (column) =>
          `SELECT seq FROM subscriptions WHERE account_seq = ?1 AND ${living} AND ${column} BETWEEN ?2 AND ?3`,
      );
  const concerned = [
    "SELECT seq FROM subscriptions WHERE account_seq = ?1 AND scheduled_delivery_date IS NOT NULL AND ?2 <= ?3",
    ...onDays,
  ];
  return raw<Concerned>(
    `SELECT s.id, s.status, s.anchor_date, s.anchor_day, s.delivery_interval, s.delivery_interval_count, s.deliveries_per_billing,
        s.next_index, s.next_billed_index, s.next_billing_date, s.next_delivery_date, s.next_production_date,
        s.scheduled_index, s.scheduled_delivery_date, s.dunning_episode_id, s.last_payment_reminder_billing_date,
        slot.id AS slot, json_object('day_of_week', day.day_of_week, 'packing_day_of_week', day.packing_day_of_week,
          'billing_day_of_week', day.billing_day_of_week, 'courier_lead_time_days', day.courier_lead_time_days) AS day
      FROM (SELECT seq FROM (${concerned.join(" UNION ")}) LIMIT ?4) AS one
      CROSS JOIN subscriptions AS s ON s.seq = one.seq AND s.open_attempt_id IS NULL
      LEFT JOIN delivery_slots AS slot ON slot.account_seq = ?1 AND slot.id = s.delivery_slot_id
      LEFT JOIN delivery_days AS day ON day.account_seq = ?1 AND day.id = slot.delivery_day_id
      ORDER BY s.next_delivery_date, s.seq`,
    ...[account.seq, from, to, mostConcerned],
  );
}

/** The parts of a slot and its day that dates are worked out by. */
function slotOf(id: string, day: string): SlotWithDay {
  return { id, day: JSON.parse(day) } as SlotWithDay;
}
