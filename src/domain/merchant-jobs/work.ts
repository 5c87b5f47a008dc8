import { getTableName, inArray } from "drizzle-orm";
import { insertRows } from "../../base/db/bulk.ts";
import { commit } from "../../base/db/commit.ts";
import { StaleError } from "../../base/db/decide.ts";
import type { Statement } from "../../base/db/port.ts";
import { DomainError } from "../../base/errors.ts";
import { workJob } from "../../base/job.ts";
import { type Doubling, doublingPause } from "../../base/lib/backoff.ts";
import { later } from "../../base/lib/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { change, changeEach } from "../../kit/journal/write.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import { StoreThrottledError } from "../../stores/port.ts";
import { findJob, getJob } from "./queries.ts";
import { openRoom, type Room } from "./room.ts";
import { giveRowUp, type RowWork, workOnRows } from "./rows-page.ts";
import { dueNow, ended, statusAfter } from "./statuses.ts";
import { subjectOfJob } from "./subject.ts";
import {
  type JobKind,
  type JobRow,
  jobRows,
  jobs,
  type MerchantJob,
  type WorkingStatus,
  workingStatuses,
} from "./tables.ts";

/**
 * A page that was done: its rows, the writes that belong to them, and where the next page begins; null after the last. `total` is how many
 * rows the job has as far as is known, `summary` what it has come to.
 */
export type JobPage = {
  rows: Omit<JobRow, "account_seq" | "job_id">[];
  writes: Statement[];
  progress: object | null;
  total: number;
  summary?: object;
};

/** Does a page of a job of one kind, and writes nothing. */
export type DoPage = (ctx: Ctx, job: MerchantJob) => Promise<JobPage>;

/**
 * The work of a kind in each status in which messages work on it: page by page, where a page makes rows; or row by row, where the rows are
 * there already, and each is a batch of its own.
 */
export type KindWork = Partial<Record<WorkingStatus, { page: DoPage } | RowWork>>;

type Kinds = Partial<Record<JobKind, KindWork | ((job: MerchantJob) => KindWork)>>;

/**
 * Does pages of a job, one after the other while they fit into one message, and has the next message go on. Each page has its own lease:
 * between two of them the job can be paused or cancelled, and a message that dies loses none.
 */
export async function workOnJob(ctx: Ctx, id: string, kinds: Kinds): Promise<void> {
  const room = openRoom(ctx);
  for (;;) {
    const job = await workOnPage(ctx, id, kinds, room);
    if (!job) return;
    if (job.kind === "FORECAST" || !room.fitsAnother()) return ctx.send([workJob(ctx.account.id, job)]);
  }
}

/**
 * Does a page of a job under a lease; the job where the next page is due at once. What is delivered twice, or dies, is done once: a page of
 * new rows is written together with the job's next revision, and rows that are there are guarded one by one. A page that fails is tried
 * again, ten times in all.
 */
export async function workOnPage(
  opened: Ctx,
  id: string,
  kinds: Kinds,
  room = openRoom(opened),
): Promise<MerchantJob | undefined> {
  const ctx = { ...opened, realNow: room.now() };
  const job = await takeJob(ctx, id);
  const kind = job && kinds[job.kind];
  const work = (typeof kind === "function" ? kind(job!) : kind)?.[job?.status as WorkingStatus];
  if (!job || !work) return undefined;
  try {
    const goesOn =
      "page" in work ? await doPage(ctx, job, { ...work, room }) : await doRows(ctx, job, { ...work, room });
    return goesOn ? job : undefined;
  } catch (error) {
    if (error instanceof StaleError) return undefined;
    await tryAgain(ctx, job, error).catch((cause) => {
      if (!(cause instanceof StaleError)) throw cause;
    });
    return undefined;
  }
}

const leaseMs = 120_000;
const triesMax = 10;
/** A row that has failed so often, by no outage, is given up, so that it does not hold up the others. */
const triesOfRow = 5;
/** Between two tries at a page: 5, 10, 20 … seconds, ten minutes at most. */
const pauses: Doubling = { first: 5, longest: 600 };

const outbox = defineOutbox({
  table: jobs,
  id: "id",
  due: "next_action_at",
  lease: "lease_until",
  open: inArray(jobs.status, [...workingStatuses]),
  fence: ["revision"],
});

/** Takes a job, so that nobody else does its page; undefined where somebody has it, or it is not to be worked on. */
async function takeJob(ctx: Ctx, id: string): Promise<MerchantJob | undefined> {
  const job = await findJob(ctx, id);
  if (!job?.next_action_at) return undefined;
  const lease_until = later(ctx.realNow, leaseMs);
  const [taken] = await commit({ db: ctx.db }, [
    outbox.takeDue(job, { lease_until, next_action_at: lease_until }, ctx.realNow),
  ]);
  return taken.rows[0];
}

/** Does a page that makes rows; says whether there is more to do. */
async function doPage(
  ctx: Ctx,
  job: MerchantJob,
  { page, room }: { page: DoPage; room: Room },
): Promise<boolean> {
  const { rows, writes, progress, total, summary } = await page(ctx, job);
  room.addStoreRequests(rows.length);
  const its = { account_seq: ctx.account.seq, job_id: job.id };
  const inserts = insertRows(
    getTableName(jobRows),
    rows.map((row) => ({ ...its, ...row })),
  );
  const after = { ...countsAfter(job, rows), total, ...summaryText(summary) };
  return recordPage(ctx, job, { progress, after, writes: [...inserts, ...writes] });
}

/** Does a page of rows that are there already; says whether there is more to do now. */
async function doRows(ctx: Ctx, job: MerchantJob, work: RowWork & { room: Room }): Promise<boolean> {
  const done = await workOnRows(ctx, job, work);
  if (!done) return false;
  const { isFirst, after, isLast, fault } = done;
  const progress = { ...JSON.parse(job.progress), after };
  if (fault === undefined)
    return recordPage(ctx, job, { progress: isLast ? (work.next ?? null) : progress, after: {}, writes: [] });
  const soFar = { progress: JSON.stringify(progress) };
  const tries = isFirst ? job.tries : 0;
  if (isOutage(fault) || tries + 1 < triesOfRow) {
    await tryAgain(ctx, { ...job, tries }, fault, soFar);
    return false;
  }
  const behind = JSON.stringify({ ...progress, after: await giveRowUp(ctx, job, work, after) });
  await commit({ db: ctx.db }, [outbox.later(job, ctx.realNow, { ...soFar, progress: behind, tries: 0 })]);
  return true;
}

type Recorded = { progress: object | null; after: Partial<MerchantJob>; writes: Statement[] };

/** Ends a page: the next one is due, or the job goes on to what follows. Says whether messages work on it any more. */
async function recordPage(
  ctx: Ctx,
  job: MerchantJob,
  { progress, after, writes }: Recorded,
): Promise<boolean> {
  const subject = subjectOfJob(job);
  if (progress) {
    const next = { ...after, progress: JSON.stringify(progress), ...dueNow(ctx) };
    await changeEach(ctx, [], writes, [{ subject, after: next }]);
    return true;
  }
  const { action, columns } = statusAfter(ctx, job);
  const counted = { ...(await getJob(ctx, job.id)), ...after };
  const metadata = { kind: job.kind, ...(action !== "job_started" && { counts: countsOf(counted) }) };
  await change(ctx, { action, subject, metadata, changes: {}, after: { ...after, ...columns } }, { writes });
  return columns.next_action_at !== null;
}

function countsOf({ kind, total, done, failed, skipped, undone }: MerchantJob) {
  return { total, done, failed, skipped, ...(kind === "FORECAST" ? {} : { undone }) };
}

function countsAfter(job: MerchantJob, rows: Pick<JobRow, "status">[]) {
  const of = (status: JobRow["status"]) => rows.filter((row) => row.status === status).length;
  return {
    done: job.done + of("OK"),
    failed: job.failed + of("FAILED"),
    skipped: job.skipped + of("SKIPPED"),
  };
}

function summaryText(summary: object | undefined): { summary?: string } {
  return summary ? { summary: JSON.stringify(summary) } : {};
}

async function tryAgain(
  ctx: Ctx,
  job: MerchantJob,
  cause: unknown,
  soFar: Partial<MerchantJob> = {},
): Promise<void> {
  if (cause instanceof StoreThrottledError) return waitForStore(ctx, job, cause, soFar);
  ctx.log("merchant_job_page_failed", { alert: true, job_id: job.id, cause: String(cause) });
  const tries = job.tries + 1;
  if (tries < triesMax) {
    const at = later(ctx.realNow, doublingPause(pauses, tries) * 1000);
    await commit({ db: ctx.db }, [outbox.later(job, at, { ...soFar, tries })]);
    return;
  }
  const error = cause instanceof DomainError ? cause.message : "Something went wrong on our side";
  const metadata = { kind: job.kind, error };
  const after = { status: "FAILED", error, tries, ...ended(ctx) };
  await change(ctx, { action: "job_failed", subject: subjectOfJob(job), metadata, changes: {}, after });
}

/** A store that asks for a pause has not failed: the page goes on when it says, however often it asks. */
async function waitForStore(
  ctx: Ctx,
  job: MerchantJob,
  { retryAfter }: StoreThrottledError,
  soFar: Partial<MerchantJob>,
): Promise<void> {
  const at = later(ctx.realNow, retryAfter * 1000);
  await commit({ db: ctx.db }, [outbox.later(job, at, { ...soFar, tries: job.tries })]);
}

/** Whether the database or the store was out of reach, which says nothing of the row. */
function isOutage(fault: unknown): boolean {
  return (
    fault instanceof StoreThrottledError || (fault instanceof DomainError && fault.code === "UNAVAILABLE")
  );
}

/** Jobs that run without a lease: their message was lost, or who had them died. */
export const jobSweep = defineSweep<typeof jobs, "id" | "kind">(
  { table: jobs, id: "id", size: 100, also: ["kind"] },
  ({ account_id, ...job }) => workJob(account_id, job),
);
