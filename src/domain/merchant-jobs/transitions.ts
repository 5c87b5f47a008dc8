import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { DomainError } from "../../base/errors.ts";
import type { SystemAction } from "../../base/event-types.ts";
import { workJob } from "../../base/job.ts";
import { type Ctx, isRehearsed } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import { getJob } from "./queries.ts";
import { dueNow, ended, fromFirstRow, goingOn, paused } from "./statuses.ts";
import { subjectOfJob } from "./subject.ts";
import { type JobKind, type JobStatus, type MerchantJob, workingStatuses } from "./tables.ts";
import { requireTurn, takeTurn } from "./turn.ts";

export type JobOperation = "start" | "pause" | "resume" | "cancel" | "undo";

/** `commit` is whether a job that is started writes, or only checks its rows. */
type Request = {
  id: string;
  operation: JobOperation;
  commit?: boolean;
  /** Throws where the caller lacks a scope that the job's work needs. */
  authorize: (job: MerchantJob) => void;
};

/**
 * Moves a job to another status, and has its next page done where messages then work on it. A job that is there already stays as it is.
 * Throws INVALID_STATE where the operation is not possible, or another job changes the account's subscriptions.
 */
export async function moveJob(
  ctx: Ctx,
  { id, operation, commit = false, authorize }: Request,
): Promise<MerchantJob> {
  const moved = await retryOnConflict(async () => {
    const job = await getJob(ctx, id);
    authorize(job);
    const { isThere, from, move } = transitions[operation];
    if (isThere(job, commit)) return job;
    if (!from(job).includes(job.status)) throw newNotPossibleError(operation, job);
    const { action, after: moved } = move(ctx, job, commit);
    const after = { ...moved, ...(moved.next_action_at && { made_by_key: ctx.keyId ?? null }) };
    if (after.is_changing && !job.is_changing && isRehearsed(ctx)) await requireTurn(ctx);
    const changes = { status: { from: job.status, to: after.status } };
    const entry = { action, subject: subjectOfJob(job), metadata: { kind: job.kind }, changes, after };
    await takeTurn(ctx, () => change(ctx, entry));
    return { ...job, ...after, revision: job.revision + 1, updated_at: ctx.now };
  });
  if (moved.next_action_at) await ctx.send([workJob(ctx.account.id, moved)]);
  return moved;
}

type Move = { action: SystemAction; after: Partial<MerchantJob> & { status: JobStatus } };

type Transition = {
  /** Whether nothing is to be done, as the job is where the operation leads. */
  isThere: (job: MerchantJob, commit: boolean) => boolean;
  from: (job: MerchantJob) => readonly JobStatus[];
  move: (ctx: Ctx, job: MerchantJob, commit: boolean) => Move;
};

/** The states in which a job of each kind can be started. An import may be checked as often as its parts change; a bulk begins by itself. */
const startsFrom: Record<JobKind, JobStatus[]> = {
  FORECAST: ["READY"],
  IMPORT: ["STAGING", "READY"],
  BULK: [],
};

const transitions: Record<JobOperation, Transition> = {
  start: {
    isThere: ({ status, is_changing }, commit) =>
      status === "RUNNING" || (status === "CHECKING" && (!commit || is_changing === 1)),
    from: ({ kind }) => [...startsFrom[kind], ...(kind === "IMPORT" ? (["CHECKING"] as const) : [])],
    move: startJobWith,
  },
  pause: {
    isThere: ({ status }) => status === "PAUSED",
    from: () => ["CHECKING", "RUNNING", "UNDOING"],
    move: (_, job) => ({ action: "job_paused", after: paused(job) }),
  },
  resume: {
    isThere: ({ status, next_action_at }) =>
      (workingStatuses as readonly string[]).includes(status) && next_action_at !== null,
    from: () => ["PAUSED", "FAILED"],
    move: resumeJob,
  },
  cancel: {
    isThere: ({ status }) => status === "CANCELLED",
    from: () => ["STAGING", "CHECKING", "READY", "RUNNING", "PAUSED"],
    move: (ctx) => ({ action: "job_cancelled", after: { status: "CANCELLED", ...ended(ctx) } }),
  },
  undo: {
    isThere: (job) => canBeUndone(job) && (job.status === "UNDOING" || job.status === "UNDONE"),
    from: (job) => (canBeUndone(job) ? ["DONE", "CANCELLED", "FAILED"] : []),
    move: (ctx, job) => ({ action: "job_undo_started", after: fromFirstRow(ctx, job, "UNDOING") }),
  },
};

/** Rows that are not checked yet are checked first; an import that is to write then goes on by itself. */
function startJobWith(ctx: Ctx, job: MerchantJob, commit: boolean): Move {
  const isChecked = job.status === "READY" && commit;
  if (job.kind === "FORECAST") return { action: "job_started", after: { status: "RUNNING", ...dueNow(ctx) } };
  if (isChecked) return { action: "job_started", after: fromFirstRow(ctx, job, "RUNNING") };
  const progress = job.status === "CHECKING" ? job.progress : "{}";
  const is_changing = commit ? 1 : 0;
  return {
    action: "job_check_started",
    after: { status: "CHECKING", ...dueNow(ctx), progress, is_changing },
  };
}

function resumeJob(ctx: Ctx, job: MerchantJob): Move {
  return { action: "job_resumed", after: goingOn(ctx, job) };
}

/** Whether the job has changed anything that could be taken back. */
function canBeUndone({ kind, is_dry_run }: MerchantJob): boolean {
  return kind !== "FORECAST" && !is_dry_run;
}

function newNotPossibleError(operation: JobOperation, { kind, status }: MerchantJob): DomainError {
  return new DomainError("INVALID_STATE", `Cannot ${operation} a job of kind ${kind} that is ${status}`);
}
