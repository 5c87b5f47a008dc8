import { and, eq, isNotNull, lt } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import { StaleError } from "../../base/db/decide.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { DomainError } from "../../base/errors.ts";
import { type Job, workJob } from "../../base/job.ts";
import { type Doubling, doublingPause } from "../../base/lib/backoff.ts";
import { type Instant, later } from "../../base/lib/dates.ts";
import { dayMs } from "../../base/lib/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { change, changeEach } from "../../kit/journal/write.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { prune } from "../../kit/outbox/prune.ts";
import { sweep } from "../../kit/outbox/sweep.ts";
import { findJob } from "./queries.ts";
import { subjectOfJob } from "./subject.ts";
import { type JobKind, type JobRow, jobRows, jobs, type MerchantJob } from "./tables.ts";

/** A page that was done: its rows, the writes that belong to them, and where the next page begins; null after the last. */
export type JobPage = {
  rows: Omit<JobRow, "account_seq" | "job_id">[];
  writes: Statement[];
  progress: object | null;
};

/** Does a page of a job of one kind, and writes nothing. */
export type DoPage = (ctx: Ctx, job: MerchantJob) => Promise<JobPage>;

/**
 * Does a page of a job that runs, under a lease, and writes it together with the job's next revision: whatever is delivered twice, or dies,
 * a page is done once. Then the next message does the next page. A page that fails is tried again, ten times in all.
 */
export async function workOnJob(
  ctx: Ctx,
  id: string,
  kinds: Partial<Record<JobKind, DoPage>>,
): Promise<void> {
  const job = await takeJob(ctx, id);
  const doPage = job && kinds[job.kind];
  if (!doPage) return;
  try {
    const page = await doPage(ctx, job);
    await recordPage(ctx, job, page);
    if (page.progress) await ctx.send([workJob(ctx.account.id, id)]);
  } catch (error) {
    if (error instanceof StaleError) return;
    ctx.log("merchant_job_page_failed", { alert: true, job_id: id, cause: String(error) });
    await tryAgain(ctx, job, error).catch((cause) => {
      if (!(cause instanceof StaleError)) throw cause;
    });
  }
}

/** Jobs that run without a lease: their message was lost, or who had them died. */
export async function sweepJobs(db: Db, realNow: Instant): Promise<Job[]> {
  const due = await sweep(db, { table: jobs, id: "id", size: 100 }, realNow);
  return due.map(({ account_id, id }) => workJob(account_id, id));
}

/** Deletes jobs that ended 30 days ago, with their rows. */
export async function pruneJobs(db: Db, now: Date): Promise<void> {
  const where = and(isNotNull(jobs.prune_at), lt(jobs.prune_at, now.toISOString()));
  await prune(db, jobs, { where, oldestBy: jobs.prune_at, size: 20 });
}

/** The columns of a job that has ended. */
export function ended({ now, realNow }: Ctx) {
  return { finished_at: now, prune_at: later(realNow, keptMs), lease_until: null, next_action_at: null };
}

const keptMs = 30 * dayMs;
const leaseMs = 120_000;
const triesMax = 10;
/** Between two tries at a page: 5, 10, 20 … seconds, ten minutes at most. */
const pauses: Doubling = { first: 5, longest: 600 };

const outbox = defineOutbox({
  table: jobs,
  id: "id",
  due: "next_action_at",
  lease: "lease_until",
  open: eq(jobs.status, "RUNNING"),
  fence: ["revision"],
});

/** Takes a job that runs, so that nobody else does its page; undefined where somebody has it, or it does not run. */
async function takeJob(ctx: Ctx, id: string): Promise<MerchantJob | undefined> {
  const job = await findJob(ctx, id);
  if (job?.status !== "RUNNING") return undefined;
  const lease_until = later(ctx.realNow, leaseMs);
  const isToTake = and(outbox.isDue(ctx.realNow), outbox.isFree(ctx.realNow));
  const [taken] = await commit({ db: ctx.db }, [
    outbox.take(job, { lease_until, next_action_at: lease_until }, isToTake),
  ]);
  return taken.rows[0];
}

async function recordPage(ctx: Ctx, job: MerchantJob, { rows, writes, progress }: JobPage): Promise<void> {
  const subject = subjectOfJob(job);
  const counted = countsAfter(job, rows);
  const its = { account_seq: ctx.account.seq, job_id: job.id };
  const all = [...rows.map((row) => insertRow(jobRows, { ...its, ...row })), ...writes];
  if (progress) {
    const after = {
      ...counted,
      total: Math.max(job.total, counted.done + counted.failed + counted.skipped + 1),
      progress: JSON.stringify(progress),
      ...{ tries: 0, lease_until: null, next_action_at: ctx.realNow },
    };
    await changeEach(ctx, [], all, [{ subject, after }]);
    return;
  }
  const total = counted.done + counted.failed + counted.skipped;
  const after = { ...counted, total, status: "DONE", ...ended(ctx) };
  const metadata = { kind: job.kind, counts: { total, ...counted } };
  await change(ctx, { action: "job_done", subject, metadata, changes: {}, after }, { writes: all });
}

function countsAfter(job: MerchantJob, rows: Pick<JobRow, "status">[]) {
  const of = (status: JobRow["status"]) => rows.filter((row) => row.status === status).length;
  return {
    done: job.done + of("OK"),
    failed: job.failed + of("FAILED"),
    skipped: job.skipped + of("SKIPPED"),
  };
}

async function tryAgain(ctx: Ctx, job: MerchantJob, cause: unknown): Promise<void> {
  const tries = job.tries + 1;
  if (tries < triesMax) {
    const at = later(ctx.realNow, doublingPause(pauses, tries) * 1000);
    await commit({ db: ctx.db }, [outbox.later(job, at, { tries })]);
    return;
  }
  const error = cause instanceof DomainError ? cause.message : "Something went wrong on our side";
  const metadata = { kind: job.kind, error };
  const after = { status: "FAILED", error, tries, ...ended(ctx) };
  await change(ctx, { action: "job_failed", subject: subjectOfJob(job), metadata, changes: {}, after });
}
