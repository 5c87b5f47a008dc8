import type { SystemAction } from "../../base/event-types.ts";
import { later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { JobStatus, MerchantJob } from "./tables.ts";

/** Jobs are deleted so long after their end. */
const keptMs = 30 * dayMs;

/** The columns of a job that has ended. */
export function ended({ now, realNow }: Ctx) {
  return { finished_at: now, prune_at: later(realNow, keptMs), ...idle, is_changing: 0 } as const;
}

/** The columns of a job whose next page is due. */
export function dueNow({ realNow }: Ctx) {
  return { next_action_at: realNow, lease_until: null, waiting_since: null, tries: 0, error: null };
}

/** The columns of a job that no message works on. */
export const idle = { next_action_at: null, lease_until: null, waiting_since: null, error: null };

/**
 * The columns of a job that stands still until it is resumed, and lets others change subscriptions meanwhile. A check that the writing was to
 * follow keeps that in mind.
 */
export function stopped({ status, progress, is_changing }: MerchantJob) {
  const isToWrite = status === "CHECKING" && is_changing === 1;
  return {
    ...idle,
    resumes_as: status,
    is_changing: 0,
    ...(isToWrite && { progress: JSON.stringify({ ...JSON.parse(progress), is_to_write: true }) }),
  } as const;
}

/** The columns of a job that goes on where it stood still, and whether it changes subscriptions. */
export function goingOn(ctx: Ctx, { kind, is_dry_run, resumes_as, progress }: MerchantJob) {
  const status = resumes_as ?? "RUNNING";
  const { is_to_write = false, ...place } = JSON.parse(progress);
  const changes = status === "CHECKING" ? is_to_write : kind !== "FORECAST" && !is_dry_run;
  const is_changing: 0 | 1 = changes ? 1 : 0;
  return {
    ...dueNow(ctx),
    ...{ status, is_changing, progress: JSON.stringify(place) },
    ...{ resumes_as: null, finished_at: null, prune_at: null },
  } as const;
}

/** The columns of a paused job. */
export function paused(job: MerchantJob) {
  return { ...stopped(job), status: "PAUSED" } as const;
}

/** The columns of a job whose rows are worked on from the first one on. */
export function fromFirstRow(
  ctx: Ctx,
  { started_at, is_dry_run }: MerchantJob,
  status: "RUNNING" | "UNDOING",
) {
  const is_changing: 0 | 1 = is_dry_run ? 0 : 1;
  return {
    ...dueNow(ctx),
    ...{ status, is_changing, progress: JSON.stringify({ after: 0 }) },
    ...{ started_at: started_at ?? ctx.now, finished_at: null, prune_at: null, resumes_as: null },
  } as const;
}

/** Whether the job goes through rows that are written already, to release what they have made. */
export function isReleasing({ status, progress }: MerchantJob): boolean {
  return status === "RUNNING" && "release" in JSON.parse(progress);
}

type Following = { action: SystemAction; columns: Partial<MerchantJob> };

/**
 * The status that follows once the last page of a status is done, and its entry. A list of rows that is complete is worked on at once, and so
 * are rows that were checked where the job was started to write them.
 */
export function statusAfter(ctx: Ctx, job: MerchantJob): Following {
  if (job.status === "STAGING" || (job.status === "CHECKING" && job.is_changing))
    return { action: "job_started", columns: fromFirstRow(ctx, job, "RUNNING") };
  if (job.status === "CHECKING") return { action: "job_checked", columns: { status: "READY", ...idle } };
  const status: JobStatus = job.status === "UNDOING" ? "UNDONE" : "DONE";
  return { action: job.status === "UNDOING" ? "job_undone" : "job_done", columns: { status, ...ended(ctx) } };
}
