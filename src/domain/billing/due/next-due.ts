import { first, raw } from "../../../base/db/statement.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import { isUnlinked } from "../../subscriptions/unlinked.ts";
import { anniversaryGroups, nextAnniversary } from "./anniversaries.ts";
import { isChargedBeforeEnd } from "./charged-before-end.ts";

/** When something of an account next falls due: a calendar date, an instant, each null if nothing will. */
export type NextDue = { date: CalendarDate | null; instant: Instant | null };

/**
 * When an account's cron would next find something. Where it would find something now, though all was done that can be, and
 * where the store is still to be asked, that is now.
 */
export async function findNextDue(ctx: Ctx): Promise<NextDue> {
  const days = ctx.account.payment_reminder_days_before;
  const next = await first(ctx.db, selectNextDue(ctx));
  if (!next) return { date: null, instant: null };
  const reminder = days === null || next.remind_of === null ? null : addDays(next.remind_of, -days);
  return {
    date: earliest(next.schedule, next.ending, reminder, next.remind_on, next.expiry, next.annual_notice),
    instant: earliest(next.dunning, next.waiting, next.is_open ? ctx.now : null),
  };
}

type NextOfKinds = {
  schedule: CalendarDate | null;
  ending: CalendarDate | null;
  dunning: Instant | null;
  waiting: Instant | null;
  remind_of: CalendarDate | null;
  remind_on: CalendarDate | null;
  expiry: CalendarDate | null;
  annual_notice: CalendarDate | null;
  is_open: 0 | 1;
};

/** A look into each of the indexes by which cron finds what is due. The builder has no select without a table, so this is SQL. */
function selectNextDue(ctx: Ctx) {
  const { seq } = ctx.account;
  return raw<NextOfKinds>(
    `SELECT (SELECT MIN(due_on) FROM subscriptions WHERE account_seq = ? AND due_on IS NOT NULL) AS schedule,
      (SELECT MIN(ends_on) FROM subscriptions WHERE account_seq = ? AND ends_on IS NOT NULL) AS ending,
      (SELECT MIN(due_at) FROM dunning_episodes WHERE account_seq = ? AND due_at IS NOT NULL) AS dunning,
      (SELECT MIN(retry_due_at) FROM subscriptions
        WHERE account_seq = ? AND retry_due_at IS NOT NULL) AS waiting,
      (SELECT MIN(remind_of) FROM subscriptions
        WHERE account_seq = ? AND remind_of IS NOT NULL AND remind_of > ? AND ${isChargedBeforeEnd("subscriptions")}) AS remind_of,
      (SELECT MIN(remind_on) FROM subscriptions
        WHERE account_seq = ? AND remind_on IS NOT NULL AND charge_on > ? AND ${isChargedBeforeEnd("subscriptions")}) AS remind_on,
      (SELECT MIN(expiry_due_on) FROM payment_methods
        WHERE account_seq = ? AND expiry_due_on IS NOT NULL) AS expiry,
      ${nextAnniversary} AS annual_notice,
      EXISTS (SELECT 1 FROM billing_attempts WHERE account_seq = ?
        AND settled_at IS NULL AND status <> 'REVIEW'
        AND next_action_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ? AND ${isUnlinked}) AS is_open`,
    ...[seq, seq, seq, seq, seq, todayOf(ctx), seq, todayOf(ctx), seq, anniversaryGroups, seq, seq, seq],
  );
}

function earliest(...moments: (string | null)[]): string | null {
  return moments.filter((moment) => moment !== null).sort()[0] ?? null;
}
