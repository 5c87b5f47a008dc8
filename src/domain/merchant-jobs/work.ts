import { getTableName } from "drizzle-orm";
import { isMakerLiving } from "../../base/accounts/key-life.ts";
import { insertRows } from "../../base/db/bulk.ts";
import type { Statement } from "../../base/db/port.ts";
import { StaleError } from "../../base/db/retry-on-conflict.ts";
import { workJob } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { change, changeEach } from "../../kit/journal/write.ts";
import { endFailedPage, hasDiedTooOften, waitForAnswer } from "./failed-page.ts";
import { takeJob } from "./outbox.ts";
import { getJob } from "./queries.ts";
import { openRoom, type Room } from "./room.ts";
import { giveRowUp, type RowWork, workOnRows } from "./rows-page.ts";
import { dueNow, paused, statusAfter } from "./statuses.ts";
import { subjectOfJob } from "./subject.ts";
import { type JobKind, type JobRow, jobRows, type MerchantJob, type WorkingStatus } from "./tables.ts";

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
type DoPage = (ctx: Ctx, job: MerchantJob) => Promise<JobPage>;

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
 * new rows is written together with the job's next revision, and rows that are there are guarded one by one.
 */
export async function workOnPage(
  opened: Ctx,
  id: string,
  kinds: Kinds,
  room = openRoom(opened),
): Promise<MerchantJob | undefined> {
  const ctx = { ...opened, realNow: room.now() };
  const job = await takeJob(ctx, id);
  if (!job) return undefined;
  try {
    const kind = kinds[job.kind];
    const work = (typeof kind === "function" ? kind(job) : kind)?.[job.status as WorkingStatus];
    if (!work || (await pauseWithoutKey(ctx, job))) return undefined;
    const goesOn = await ("page" in work
      ? doPage(ctx, job, { ...work, room })
      : doRows(ctx, job, { ...work, room }));
    return goesOn ? job : undefined;
  } catch (error) {
    if (error instanceof StaleError) return undefined;
    await endFailedPage(ctx, job, error).catch((cause) => {
      if (!(cause instanceof StaleError)) throw cause;
    });
    return undefined;
  }
}

/** Does a page that makes rows; says whether there is more to do. */
async function doPage(
  ctx: Ctx,
  job: MerchantJob,
  { page, room }: { page: DoPage; room: Room },
): Promise<boolean> {
  if (hasDiedTooOften(job)) throw new Error("The page has ended its message each time");
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

/**
 * Does a page of rows that are there already; says whether there is more to do now. A page that has ended its message is done row by row, so that
 * the row by which it does is known, and given up in the end.
 */
async function doRows(ctx: Ctx, job: MerchantJob, work: RowWork & { room: Room }): Promise<boolean> {
  const before = JSON.parse(job.progress);
  if (hasDiedTooOften(job)) {
    const progress = { ...before, after: await giveRowUp(ctx, job, work) };
    return recordPage(ctx, job, { progress, after: {}, writes: [] });
  }
  const done = await workOnRows(ctx, job, { ...work, isRowByRow: job.tries > wholePageTries });
  if (!done) return false;
  const { isFirst, after, isLast, outage } = done;
  const progress = { ...before, after };
  if (outage === undefined)
    return recordPage(ctx, job, { progress: isLast ? (work.next ?? null) : progress, after: {}, writes: [] });
  await waitForAnswer(ctx, job, { cause: outage, progress: isFirst ? undefined : progress });
  return false;
}

const wholePageTries = 3;

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

/**
 * Pauses a job whose key was revoked or is over, so that nothing goes on in the name of a key that may have leaked; what is done stays, and
 * another key resumes the job. Says whether it is so.
 */
async function pauseWithoutKey(ctx: Ctx, job: MerchantJob): Promise<boolean> {
  if (await isMakerLiving(ctx, { keyId: job.made_by_key, now: ctx.realNow })) return false;
  const metadata = { kind: job.kind, error: keyHasEnded };
  const after = { ...paused(job), error: keyHasEnded };
  const changes = { status: { from: job.status, to: after.status } };
  await change(ctx, { action: "job_paused", subject: subjectOfJob(job), metadata, changes, after });
  return true;
}

const keyHasEnded =
  "The API key that the job was started with was revoked or has expired; resume it with another key";
