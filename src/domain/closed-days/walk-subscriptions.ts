import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { raw, rows } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { followClosedDaysJob } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { isOutage, onItsOwn } from "../../kit/on-its-own.ts";
import { type ClosedDayRow, closedDays } from "../delivery/tables.ts";
import { changeSubscription } from "../subscriptions/actions/change-subscription.ts";
import { changeSubscriptions } from "../subscriptions/actions/change-subscriptions.ts";
import { followClosedDays } from "./follow.ts";
import { lostAt } from "./outbox.ts";
import { findClosedDay } from "./queries.ts";
import { nextRound, type Step, stepOf, type Walk, walkOf } from "./walk.ts";

/**
 * Works the next dates of a page of subscriptions out anew, after closed days have changed, then records how far it is and has the next
 * page done. A page that is done again changes nothing, as its dates are right by then. The sweep begins the second round, a minute
 * after the first.
 */
export async function walkClosedDays(ctx: Ctx, closedDayId: string): Promise<void> {
  const closedDay = await findClosedDay(ctx, closedDayId);
  const walk = closedDay && walkOf(closedDay);
  if (!closedDay || !walk) return;
  const { ids, next } = await pageAfter(ctx, closedDay, walk);
  await moveDates(ctx, closedDay, ids);
  if (!(await recordProgress(ctx, closedDay, next ?? nextRound(walk)))) return;
  if (next) await ctx.send([followClosedDaysJob(ctx.account.id, closedDayId)]);
}

/** Few enough for the batch of one message. */
const pageSize = 25;

type Found = { id: string; date: string; seq: number };

/** The first subscriptions from a position on, and where to go on; steps without any are passed over. */
async function pageAfter(
  ctx: Ctx,
  closedDay: ClosedDayRow,
  walk: Walk,
): Promise<{ ids: string[]; next: Walk | undefined }> {
  let at = walk;
  for (let step = stepOf(at, closedDay); step; step = stepOf(at, closedDay)) {
    const page = await rows(ctx.db, selectPage(ctx, closedDay, { step, at }));
    const last = page.at(-1);
    const isDone = page.length < pageSize || !last;
    at = isDone ? { ...at, step: at.step + 1, date: "", seq: 0 } : { ...at, date: last.date, seq: last.seq };
    if (last) return { ids: page.map(({ id }) => id), next: stepOf(at, closedDay) && at };
  }
  return { ids: [], next: undefined };
}

/** By the index of each kind of date, so that only rows of the page are read. Raw, as the column differs. */
function selectPage(
  { account }: Ctx,
  { from_date, to_date }: ClosedDayRow,
  { step, at }: { step: Step; at: Walk },
) {
  const [column, where, values] =
    step === "moved"
      ? ["scheduled_delivery_date", "scheduled_delivery_date IS NOT NULL", []]
      : [step.date, `status = ? AND ${step.date} BETWEEN ? AND ?`, [step.status, from_date, to_date]];
  return raw<Found>(
    `SELECT id, ${column} AS date, seq FROM subscriptions WHERE account_seq = ? AND ${where}
      AND (${column}, seq) > (?, ?) ORDER BY ${column}, seq LIMIT ?`,
    ...[account.seq, ...values, at.date, at.seq, pageSize],
  );
}

/**
 * In one batch; where one of them has changed meanwhile, or cannot be worked out, each by itself, so that it holds up no other. Billing looks at
 * the calendar, too.
 */
async function moveDates(ctx: Ctx, { id: closedDayId, label }: ClosedDayRow, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const cause = { id: closedDayId, label };
  const areMoved = await changeSubscriptions(ctx, ids, {}, (view) => followClosedDays(ctx, view, cause));
  if (areMoved) return;
  for (const id of ids)
    await onItsOwn(ctx, { task: "follow_closed_days", subscription_id: id, closed_day_id: closedDayId }, () =>
      changeSubscription(ctx, id, {}, (view) => followClosedDays(ctx, view, cause)).catch((error) => {
        if (!(error instanceof DomainError) || isOutage(error)) throw error;
      }),
    );
}

/** False where the closed days have changed meanwhile, or another message has gone on. */
async function recordProgress(ctx: Ctx, closedDay: ClosedDayRow, next: Walk | undefined): Promise<boolean> {
  const { account_seq, id, walk } = closedDay;
  const progress = next
    ? { walk: JSON.stringify(next), next_action_at: lostAt(ctx.realNow) }
    : { walk: null, next_action_at: null };
  return commit({ db: ctx.db }, [
    guard(
      "NOT EXISTS (SELECT 1 FROM closed_days WHERE account_seq = ? AND id = ? AND walk = ? AND next_action_at = ?)",
      [account_seq, id, walk, closedDay.next_action_at],
    ),
    updateRow(closedDays, { account_seq, id }, progress),
  ]).then(
    () => true,
    (error) => {
      if (!isGuard(error)) throw error;
      return false;
    },
  );
}
