import { idOfSeq } from "../../../base/db/account-seq.ts";
import { mayBeWritten } from "../../../base/db/at-rest.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import { raw } from "../../../base/db/statement.ts";
import { type Job, longJobStatements } from "../../../base/job.ts";
import { dateIn, type Instant, later, startOfDay } from "../../../base/lib/dates.ts";
import { dayMs, hourMs } from "../../../base/lib/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { addDays } from "../../subscriptions/cadence.ts";
import { markReported } from "../actions/confirmed-late.ts";
import { reconciliations } from "../tables.ts";
import { reconcileChallenges } from "./challenges.ts";
import { type Finding, reconcilePage } from "./page.ts";

/**
 * Accounts whose charges are due for comparison, except those that their store has disconnected. Each is postponed by a day at once,
 * in case its message is lost. Raw, because the builder has no UPDATE with a limit.
 */
export async function findReconciliations(db: Db, realNow: Instant): Promise<Job[]> {
  const [due] = await commit({ db }, [
    raw<{ account_id: string; since: Instant }>(
      `UPDATE reconciliations SET next_at = ? WHERE account_seq IN (SELECT account_seq FROM reconciliations AS r
        WHERE next_at <= ? AND NOT EXISTS (SELECT 1 FROM shopify_connections AS c
          WHERE c.account_seq = r.account_seq AND c.disconnected_at IS NOT NULL)
          AND ${mayBeWritten("account_seq")}
        ORDER BY next_at, account_seq LIMIT ?) RETURNING ${idOfSeq("account_seq")}, since`,
      later(realNow, dayMs),
      realNow,
      perTick,
    ),
  ]);
  return due.rows.map(({ account_id, since }) => ({ type: "reconcile", account_id, since, after: null }));
}

/**
 * Compares a page of charges, or after the last of them asks about a page of expired challenges, and logs each difference as an alert. After
 * the last page of both it schedules the account's next comparison.
 */
export async function reconcileNext(ctx: Ctx, job: ReconcileJob): Promise<void> {
  const { usage } = ctx.db;
  const begun = usage.db_statements;
  const { since, after, challenges } = job;
  if (!challenges) {
    const { findings, next, isCut } = await reconcilePage(ctx, { since, after });
    for (const finding of findings) report(ctx, finding);
    if (next !== null || isCut) return ctx.send([{ ...job, after: next }]);
  }
  const isEnough = () => usage.db_statements - begun >= longJobStatements;
  const page = await reconcileChallenges(ctx, challenges, isEnough);
  for (const finding of page.findings) {
    report(ctx, finding);
    if (finding.problem !== "recorded" && finding.attempt_id)
      await markReported(ctx, { id: finding.attempt_id });
  }
  if (page.next === null) return setNextNight(ctx);
  await ctx.send([{ ...job, challenges: page.next }]);
}

/** The most accounts whose comparison one tick starts; the next tick starts more. */
const perTick = 50;

type ReconcileJob = Extract<Job, { type: "reconcile" }>;

function report(ctx: Ctx, { problem, ...finding }: Finding): void {
  const alert = problem !== "recorded";
  ctx.log("charge_not_reconciled", { alert, account_id: ctx.account.id, problem, ...finding });
}

const nightHour = 3;
/** A pending payment may take the store days; a charge is compared again until it is older than this. */
const overlapMs = 72 * hourMs;

async function setNextNight({ db, account, realNow }: Ctx): Promise<void> {
  const tomorrow = addDays(dateIn(realNow, account.timezone), 1);
  const next_at = later(startOfDay(tomorrow, account.timezone), nightHour * hourMs);
  const since = later(realNow, -overlapMs);
  await commit({ db }, [updateRow(reconciliations, { account_seq: account.seq }, { next_at, since })]);
}
