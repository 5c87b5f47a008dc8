import type { ErrorDetail } from "../../../../base/errors.ts";
import { addMonths, dayOfMonth, toDate, toDay } from "../../../../base/lib/time/calendar.ts";
import { memberAt, textOf } from "../columns.ts";
import type { AddedFields } from "../members.ts";

type Json = Record<string, unknown>;

/** Stripe's instants are seconds since 1970. */
export function instantOf(seconds: unknown): string | undefined {
  const ms = typeof seconds === "number" ? seconds * 1000 : Number.NaN;
  return Math.abs(ms) <= latestMs ? new Date(ms).toISOString() : undefined;
}

/** Only what is counted from 1970 in seconds, up to the year 9999. */
const latestMs = Date.UTC(9999, 0, 1);

/** The end of the period, of the subscription or, in newer versions of the API, of its items. */
export function nextCharge(object: Json): number | undefined {
  const [item] = itemsOf(object);
  const next = object.current_period_end ?? memberAt(item, "current_period_end");
  return typeof next === "number" ? next : undefined;
}

/**
 * The anchor, where its day may be the end of a month in some time zone, so that the next charge alone does not say how the schedule goes on.
 * On other days it would say no more, and in summer an hour can lie on another day than in winter. It is left out where it has not come yet.
 */
export function anchorOf(object: Json): Anchor | undefined {
  const [anchor, next] = [instantOf(object.billing_cycle_anchor), instantOf(nextCharge(object))];
  if (anchor === undefined || next === undefined || anchor > next) return undefined;
  const day = dayOfMonth(anchor.slice(0, 10));
  return day === 1 || day > 27 ? { date: anchor, day: keptDay(object, anchor) ?? null } : undefined;
}

/** An anchor, and the day of the month that its schedule keeps beside it; null for its own. */
type Anchor = { date: string; day: number | null };

/** The day of the month that was asked for, which the anchor stands for at the end of a month that is too short for it. */
function keptDay({ billing_cycle_anchor_config: config }: Json, anchor: string): number | undefined {
  const day = memberAt(config, "day_of_month");
  if (typeof day !== "number") return undefined;
  const date = anchor.slice(0, 10);
  const isShort = day > dayOfMonth(date) && toDate(addMonths(toDay(date), 0, day)) === date;
  return isShort ? day : undefined;
}

/** Dunning, pauses and the end of a period. */
export function statusOf(object: Json) {
  const { status, pause_collection: pause } = object;
  if (status === "canceled" || status === "incomplete_expired" || endsBeforeNextCharge(object))
    return {
      status: "CANCELLED",
      cancelled_at: instantOf(object.ended_at ?? object.canceled_at),
      cancellation_reason: memberAt(object, "cancellation_details", "reason"),
    };
  if (pause !== undefined && pause !== null)
    return { status: "PAUSED", pause_until: instantOf(memberAt(pause, "resumes_at")) };
  if (status === "past_due" || status === "unpaid") return { status: "PAST_DUE" };
  if (status === "active" || status === "trialing") return { status: "ACTIVE" };
  return { status: status === "paused" ? "PAUSED" : textOf(status) };
}

function endsBeforeNextCharge(object: Json): boolean {
  const { cancel_at: end, cancel_at_period_end } = object;
  const next = nextCharge(object);
  return cancel_at_period_end === true || (typeof end === "number" && next !== undefined && end <= next);
}

/** Dates of a subscription besides its next charge that a row cannot say. */
export function dateFaults(object: Json, added: AddedFields): ErrorDetail[] {
  const { cancel_at: end, trial_end: trialEnd } = object;
  const next = nextCharge(object);
  const ends = itemsOf(object).map((item) => memberAt(item, "current_period_end"));
  const faults: [path: string, message: string, isThere: boolean][] = [
    [
      "cancel_at",
      `is ${instantOf(end)?.slice(0, 10)}, after further charges: add max_cycles`,
      typeof end === "number" && statusOf(object).status !== "CANCELLED" && added.max_cycles === undefined,
    ],
    [
      "trial_end",
      "is after the next charge, which would be free until then",
      typeof trialEnd === "number" && next !== undefined && trialEnd > next,
    ],
    ["items.current_period_end", "differs between the items of one subscription", new Set(ends).size > 1],
    [
      "billing_cycle_anchor_config.day_of_month",
      "is neither the day of billing_cycle_anchor nor one that its month is too short for",
      isOtherDay(object),
    ],
  ];
  return faults.flatMap(([path, message, isThere]) => (isThere ? [{ path, message }] : []));
}

/** The anchor lies on the day that was asked for, or on the last of a month that is too short for it. Days that all months have need no anchor. */
function isOtherDay(object: Json): boolean {
  const day = memberAt(object.billing_cycle_anchor_config, "day_of_month");
  if (typeof day !== "number" || day <= 28) return false;
  const anchor = instantOf(object.billing_cycle_anchor);
  return anchor === undefined || (keptDay(object, anchor) ?? dayOfMonth(anchor.slice(0, 10))) !== day;
}

function itemsOf(object: Json): unknown[] {
  const items = memberAt(object, "items", "data");
  return Array.isArray(items) ? items : [];
}
