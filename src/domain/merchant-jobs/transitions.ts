import { decide } from "../../base/db/decide.ts";
import { DomainError } from "../../base/errors.ts";
import { workJob } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import { getJob } from "./queries.ts";
import { subjectOfJob } from "./subject.ts";
import type { JobStatus, MerchantJob } from "./tables.ts";
import { ended } from "./work.ts";

export type JobOperation = "start" | "pause" | "resume" | "cancel" | "undo";

/**
 * The statuses from which each operation is possible, where it leads, and its entry. A forecast runs from the beginning, and changes nothing
 * that could be undone.
 */
const transitions = {
  start: { from: ["READY"], to: "RUNNING", action: "job_started" },
  pause: { from: ["RUNNING"], to: "PAUSED", action: "job_paused" },
  resume: { from: ["PAUSED"], to: "RUNNING", action: "job_resumed" },
  cancel: { from: ["RUNNING", "PAUSED"], to: "CANCELLED", action: "job_cancelled" },
  undo: { from: [], to: "UNDONE", action: undefined },
} as const satisfies Record<JobOperation, { from: JobStatus[]; to: JobStatus; action: unknown }>;

type Request = { id: string; operation: JobOperation; dryRun: boolean };

/**
 * Moves a job to another status, and has its next page done where it then runs. A job that is there already stays as it is. Throws
 * INVALID_STATE where the operation is not possible.
 */
export async function moveJob(ctx: Ctx, { id, operation, dryRun }: Request): Promise<MerchantJob> {
  const moved = await decide(async () => {
    const job = await getJob(ctx, id);
    const { from, to, action } = transitions[operation];
    if (job.status === to) return job;
    if (action === undefined || !(from as readonly JobStatus[]).includes(job.status))
      throw newNotPossibleError(operation, job);
    const after = { status: to, ...columnsIn(ctx, to) };
    const changes = { status: { from: job.status, to } };
    const entry = { action, subject: subjectOfJob(job), metadata: { kind: job.kind }, changes, after };
    if (!dryRun) await change(ctx, entry);
    return { ...job, ...after, revision: job.revision + 1, updated_at: ctx.now };
  });
  if (!dryRun && moved.status === "RUNNING") await ctx.send([workJob(ctx.account.id, id)]);
  return moved;
}

function columnsIn(ctx: Ctx, status: JobStatus): Partial<MerchantJob> {
  if (status === "RUNNING") return { next_action_at: ctx.realNow, lease_until: null, tries: 0 };
  if (status === "PAUSED") return { next_action_at: null, lease_until: null };
  return ended(ctx);
}

function newNotPossibleError(operation: JobOperation, { kind, status }: MerchantJob): DomainError {
  return new DomainError("INVALID_STATE", `Cannot ${operation} a job of kind ${kind} that is ${status}`);
}
