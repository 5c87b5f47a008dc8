import { commit } from "../../base/db/commit.ts";
import { DomainError } from "../../base/errors.ts";
import { type Doubling, doublingPause } from "../../base/lib/backoff.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import { isOutage } from "../../kit/on-its-own.ts";
import { StoreThrottledError, UnknownOutcomeError } from "../../stores/port.ts";
import { jobOutbox } from "./outbox.ts";
import { faultOfOurs } from "./row-fault.ts";
import { ended, stopped } from "./statuses.ts";
import { subjectOfJob } from "./subject.ts";
import type { MerchantJob } from "./tables.ts";

/**
 * Has a page tried again that could not be done; after its last try the job has failed, until somebody resumes it. An outage counts as no try,
 * however long it takes.
 */
export async function endFailedPage(ctx: Ctx, job: MerchantJob, cause: unknown): Promise<void> {
  if (isOutage(cause)) return waitForAnswer(ctx, job, { cause });
  ctx.log("merchant_job_page_failed", { alert: true, job_id: job.id, cause: String(cause) });
  if (job.tries >= triesMax)
    return failJob(ctx, job, cause instanceof DomainError ? cause.message : faultOfOurs);
  const at = later(ctx.realNow, doublingPause(pauses, job.tries) * 1000);
  await commit({ db: ctx.db }, [jobOutbox.later(job, at)]);
}

/** Ends a job that cannot go on. What it has done stays, and it can be resumed. */
async function failJob(ctx: Ctx, job: MerchantJob, error: string): Promise<void> {
  const metadata = { kind: job.kind, error };
  const after = { ...ended(ctx), ...stopped(job), status: "FAILED" as const, error };
  await change(ctx, { action: "job_failed", subject: subjectOfJob(job), metadata, changes: {}, after });
}

/** Whether every try at the page has ended the message that made it, as nothing was recorded of any. */
export function hasDiedTooOften({ tries }: MerchantJob): boolean {
  return tries > triesMax;
}

const triesMax = 10;
/** Between two tries at a page: 5, 10, 20 … seconds, ten minutes at most. */
const pauses: Doubling = { first: 5, longest: 600 };

/** An outage, and how far the page has got before it; undefined where it has got nowhere. */
type Outage = { cause: unknown; progress?: object | undefined };

/**
 * Waits for a store or a database that is out of reach: as long as it has waited already, from five seconds up to ten minutes, and so on. A
 * store that asks for a pause gets it.
 */
export async function waitForAnswer(ctx: Ctx, job: MerchantJob, { cause, progress }: Outage): Promise<void> {
  const isThrottled = cause instanceof StoreThrottledError;
  const waiting_since = (progress === undefined && job.waiting_since) || ctx.realNow;
  const waitedMs = msSince(ctx, waiting_since);
  const pauseMs = isThrottled ? cause.retryAfter * 1000 : Math.min(Math.max(waitedMs, 5_000), longMs);
  if (!isThrottled)
    ctx.log("merchant_job_waits", { alert: waitedMs >= longMs, job_id: job.id, cause: String(cause) });
  await commit({ db: ctx.db }, [
    jobOutbox.later(job, later(ctx.realNow, pauseMs), {
      ...(progress && { progress: JSON.stringify(progress) }),
      ...{ tries: job.tries - 1, waiting_since },
      error: isThrottled ? null : sentenceOf(cause),
    }),
  ]);
}

function sentenceOf(cause: unknown): string {
  const what = cause instanceof UnknownOutcomeError ? "store" : "database";
  return `The ${what} does not answer; the job goes on once it does`;
}

/** Whether a job has waited so long for an answer that its row may be at fault. A store that asks for pauses answers. */
export function mayBeOfRow(ctx: Ctx, { waiting_since }: MerchantJob, outage: unknown): boolean {
  const hasWaitedLong = waiting_since !== null && msSince(ctx, waiting_since) >= longMs;
  return hasWaitedLong && !(outage instanceof StoreThrottledError);
}

function msSince({ realNow }: Ctx, instant: Instant): number {
  return Date.parse(realNow) - Date.parse(instant);
}

const longMs = 10 * minuteMs;
