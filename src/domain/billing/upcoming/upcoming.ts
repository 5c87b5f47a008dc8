import { addDays, laterOf } from "../../../base/lib/time/calendar.ts";
import { type CalendarDate, dateIn } from "../../../base/lib/time/dates.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import { hasReachedEnd, withoutAgreedEnd } from "../../subscriptions/bounds/agreed-end.ts";
import {
  type Calendar,
  datesAfterPause,
  datesToFollow,
  deliveriesOwed,
  isWithinCalendar,
  settleOwedOnCancel,
} from "../../subscriptions/dates/index.ts";
import {
  blockedReason,
  isBeyondLastCycle,
  isOver,
  owesPayment,
  unpaused,
} from "../../subscriptions/lifecycle.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { endOfDunning, nextTry } from "../next-try.ts";
import {
  type Course,
  calendarOn,
  makeCharge,
  makePaidDelivery,
  type Prospect,
  type UpcomingDelivery,
} from "./upcoming-steps.ts";

/**
 * Projects a subscription's next deliveries if nobody acts and every payment that is tried succeeds. It takes billing's own steps,
 * so that the orders of later days are these deliveries.
 */
export function projectUpcoming(prospect: Prospect, count: number): UpcomingDelivery[] {
  return [...projectDeliveries(prospect).take(count)];
}

/** The deliveries of `projectUpcoming` one after the other, for as long as somebody asks: the days of their billing grow. */
export function* projectDeliveries(prospect: Prospect): Generator<UpcomingDelivery, undefined> {
  const { row: stored } = prospect.view;
  const { timezone } = prospect.account;
  const calendar = calendarOn(prospect, dateIn(prospect.now, timezone));
  const { today } = calendar;
  const row = { ...stored, ...datesToFollow(stored, calendar) };
  const isInDoubt = doubtOf(row);
  let course: Course = { row, today, pending: nextTry(row, prospect, { today, timezone }) };
  let secured = deliveriesOwed(row);
  for (;;) {
    const resumed = endPause(course, calendar, prospect.episode);
    const step = nextStep(resumed);
    if (endsFirst(course, { resumed, step })) {
      course = endCourse(prospect, course);
      continue;
    }
    course = resumed;
    if (!step || isAfterDunning(prospect, step.day)) return;
    const { made, next } = (step.isBilled ? makeCharge : makePaidDelivery)(prospect, course, step.day);
    const isPaidFor = !made.isBilled && secured > 0;
    yield { ...notBefore(made, today), isAtRisk: !isPaidFor && isInDoubt(made.cycle) };
    if (isPaidFor) secured--;
    course = next;
  }
}

/** Which cycles may not be paid for: the one that is owed, or all while something stands in the way of billing. */
function doubtOf(row: Subscription): (cycle: number) => boolean {
  const isBlocked = blockedReason(row) !== null;
  const isOwed = owesPayment(row) || row.dunning_episode_id !== null;
  return (cycle) => isBlocked || (isOwed && cycle === row.current_billing_cycle);
}

/** A pause with a date ends on it, once what was under way before it is done. A payment that is owed is tried on the day after. */
function endPause(course: Course, calendar: Calendar, episode: DunningEpisode | undefined): Course {
  const { row, pending } = course;
  if (row.status !== "PAUSED" || pending || row.pause_until === null) return course;
  const today = laterOf(course.today, row.pause_until);
  const dates = datesAfterPause(row, { ...calendar, today });
  const isTried = pending === undefined && episode?.status === "OPEN";
  const owed =
    row.dunning_episode_id === null ? {} : { pending: isTried ? { day: addDays(today, 1) } : null };
  return { ...course, ...owed, today, row: { ...row, ...unpaused, ...dates, status: "ACTIVE" } };
}

/** Whether the subscription ends, as was agreed on, before its pause does, or before what comes next. An attempt in progress is of before. */
function endsFirst({ row }: Course, { resumed, step }: { resumed: Course; step: Step | undefined }): boolean {
  const { ends_on, pause_until } = row;
  if (!ends_on || isOver(row)) return false;
  if (row.status !== resumed.row.status) return hasReachedEnd(row, pause_until ?? ends_on);
  if (step?.isBilled && resumed.pending?.attempt) return false;
  return !step || hasReachedEnd(row, step.day);
}

/** The subscription once it has ended: what is paid for comes or lapses. */
function endCourse(prospect: Prospect, { row, today: last }: Course): Course {
  const today = laterOf(last, row.ends_on ?? last);
  const settled = settleOwedOnCancel(row, prospect.account.prepaid_on_end, calendarOn(prospect, today));
  const ended = {
    ...row,
    ...unpaused,
    ...settled.columns,
    ...withoutAgreedEnd,
    status: "CANCELLED",
  } as const;
  return { row: ended, today, pending: null };
}

type Step = { day: CalendarDate; isBilled: boolean };

/** The next thing that billing does. On one day a delivery that is paid for comes before a charge. The calendar has a last day. */
function nextStep({ row, today, pending }: Course): Step | undefined {
  if (!isWithinCalendar(row.next_delivery_date ?? today)) return undefined;
  const delivery = isPaidDeliveryDue(row) ? (row.next_production_date ?? row.next_delivery_date) : null;
  const planned = pending ? pending.day : isBilledBySchedule({ row, pending }) ? row.next_billing_date : null;
  const charge = planned && !pending?.attempt ? laterOf(planned, row.no_charge_before ?? planned) : planned;
  if (delivery !== null && (charge === null || delivery <= charge))
    return { day: laterOf(today, delivery), isBilled: false };
  return charge === null ? undefined : { day: laterOf(today, charge), isBilled: true };
}

/** A pause holds what is paid for. */
function isPaidDeliveryDue(row: Subscription): boolean {
  return deliveriesOwed(row) > 0 && row.status !== "PAUSED";
}

function isBilledBySchedule({ row, pending }: Pick<Course, "row" | "pending">): boolean {
  return (
    pending === undefined && row.status === "ACTIVE" && deliveriesOwed(row) === 0 && !isBeyondLastCycle(row)
  );
}

/** Dunning that waits for the customer ends as the account's setting says; where that stops deliveries, none follow. */
function isAfterDunning(prospect: Prospect, day: CalendarDate): boolean {
  const { view, account } = prospect;
  const { dunning_final_action: action, prepaid_on_end, timezone } = account;
  const stops = action === "pause" || (action === "cancel" && prepaid_on_end === "stop");
  const end = stops && view.row.status === "ACTIVE" ? endOfDunning(view.row, prospect, account) : undefined;
  return end !== undefined && day > dateIn(end, timezone);
}

/** A charge that has been under way for days has dates of then. */
function notBefore<Made extends Pick<UpcomingDelivery, "billing" | "delivery" | "production">>(
  made: Made,
  today: CalendarDate,
): Made {
  const { billing, delivery, production } = made;
  return {
    ...made,
    billing: laterOf(today, billing),
    delivery: laterOf(today, delivery),
    production: production && laterOf(today, production),
  };
}
