import { eq, sql } from "drizzle-orm";
import { idOfSeq } from "../../../base/db/account-seq.ts";
import { mayBeWritten } from "../../../base/db/at-rest.ts";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { commit } from "../../../base/db/commit.ts";
import { build, type Params, prepare, raw } from "../../../base/db/statement.ts";
import { type Job, longJobStatements } from "../../../base/job.ts";
import { type Instant, later, nextNight } from "../../../base/lib/time/dates.ts";
import { dayMs, hourMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { Sweep } from "../../../kit/outbox/sweep.ts";
import { isDisconnected } from "../../../stores/disconnected.ts";
import { markReported } from "../actions/confirmed-late.ts";
import { reconciliations } from "../tables.ts";
import { longestUnrecordedMs } from "../unrecorded.ts";
import { firstToAsk, reconcileChallenges } from "./challenges.ts";
import { nextLookAtDisputes } from "./disputes.ts";
import { type ChargeFinding, reconcilePage } from "./page.ts";
import { lookAtRefundsSince } from "./refunds.ts";

/**
 * Accounts whose charges are due for comparison, the longest due first. Each is postponed by a day at once, in case its message is
 * lost. So are those that their store has disconnected, which wait: left due they would be read again by each tick. Raw, because the
 * builder has no UPDATE with a limit.
 */
export const reconciliationSweep: Sweep<Due> = {
  pageOf: ({ realNow }) => raw(postponeDue, later(realNow, dayMs), realNow, perTick),
  jobOf: ({ account_id, since, is_disconnected }) =>
    is_disconnected === 1 ? undefined : { type: "reconcile", account_id, since, after: null },
};

type Due = { account_id: string; since: Instant; is_disconnected: 0 | 1 };

/**
 * Compares a page of charges, or after the last of them asks about a page of expired challenges, and logs each difference as an alert. After
 * the last page of both it schedules the account's next comparison.
 */
export async function reconcileNext(ctx: Ctx, job: ReconcileJob): Promise<void> {
  const begun = ctx.db.usage.db_statements;
  const { since, after, challenges } = job;
  if (challenges) return reconcileExpired(ctx, job, begun);
  const { findings, next, isCut } = await reconcilePage(ctx, { since, after });
  for (const finding of findings) report(ctx, finding);
  const isUnsettled = findings.some(({ problem }) => problem === "not_yet_recorded");
  const compared: ReconcileJob = isUnsettled ? { ...job, is_unsettled: true } : job;
  if (next === null && !isCut) return reconcileExpired(ctx, compared, begun);
  await ctx.send([{ ...compared, after: next }]);
}

/** Asks about a page of expired challenges, and after the last schedules the account's next comparison; a store's disputes and refunds are looked at by other jobs. */
async function reconcileExpired(ctx: Ctx, job: ReconcileJob, begun: number): Promise<void> {
  const isEnough = () => ctx.db.usage.db_statements - begun >= longJobStatements;
  const first = firstToAsk(ctx, later(job.since, overlapMs));
  const page = await reconcileChallenges(ctx, job.challenges ?? first, isEnough);
  for (const finding of page.findings) {
    report(ctx, finding);
    if (finding.problem !== "recorded" && finding.attempt_id)
      await markReported(ctx, { id: finding.attempt_id });
  }
  if (page.next === null) {
    const looks: Job[] = [];
    if (ctx.store.listDisputes) looks.push(await nextLookAtDisputes(ctx));
    if (ctx.store.listRefundsSince) looks.push(lookAtRefundsSince(ctx, job.since));
    await ctx.send(looks);
    return setNextNight(ctx, job);
  }
  await ctx.send([{ ...job, challenges: page.next }]);
}

const postponeDue = `UPDATE reconciliations SET next_at = ? WHERE account_seq IN (SELECT account_seq FROM reconciliations
    WHERE next_at <= ? AND ${mayBeWritten("account_seq")} ORDER BY next_at, account_seq LIMIT ?)
  RETURNING ${idOfSeq("account_seq")}, since, ${isDisconnected("reconciliations.account_seq")} AS is_disconnected`;

/** The most accounts whose comparison one tick starts; the next tick starts more: ten thousand within an hour. */
const perTick = 200;

type ReconcileJob = Extract<Job, { type: "reconcile" }>;

function report(ctx: Ctx, { problem, ...finding }: ChargeFinding): void {
  const alert = problem !== "recorded" && problem !== "not_yet_recorded";
  ctx.log("charge_not_reconciled", { alert, account_id: ctx.account.id, problem, ...finding });
}

const nightHour = 3;
/** A pending payment may take the store days; a charge is compared again until it is older than this. */
const overlapMs = 72 * hourMs;

/**
 * Charges that are still to be recorded here are compared again, from where this comparison began. A message from before a restore, which has
 * begun later than the account is to be compared from, leaves that as it is.
 */
async function setNextNight(
  { db, account, realNow }: Ctx,
  { since, is_unsettled }: ReconcileJob,
): Promise<void> {
  const next_at = nextNight(realNow, account.timezone, nightHour);
  const usual = later(realNow, -overlapMs);
  const longest = later(realNow, -longestUnrecordedMs);
  const unsettled = since < longest ? longest : since;
  const next = is_unsettled && unsettled < usual ? unsettled : usual;
  await commit({ db }, [updatePostponed({ account_seq: account.seq, next_at, since, next })]);
}

const { since: stored } = reconciliations;

/** The next comparison is from `next` on, unless the account is to be compared from before `since`. */
const updatePostponed = prepare(
  (p: Params<{ account_seq: AccountSeq; next_at: Instant; since: Instant; next: Instant }>) =>
    build
      .update(reconciliations)
      .set({
        next_at: sql`${p("next_at")}`,
        since: sql`CASE WHEN ${stored} < ${p("since")} THEN ${stored} ELSE ${p("next")} END`,
      })
      .where(eq(reconciliations.account_seq, p("account_seq"))),
);
