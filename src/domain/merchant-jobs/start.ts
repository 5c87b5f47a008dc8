import type { Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { workJob } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { createRecord } from "../../kit/journal/write.ts";
import { subjectOfJob } from "./subject.ts";
import { type JobKind, jobs, type MerchantJob } from "./tables.ts";

/** The kind of a new job, and its beginning as JSON values. */
export type NewJob = { kind: JobKind; input: object; progress: object; summary: object; total: number };

/** A job that runs from now on. */
export function newRunningJob(ctx: Ctx, { kind, input, progress, summary, total }: NewJob): MerchantJob {
  const { account, actor, now, realNow } = ctx;
  return {
    id: ctx.newId(),
    account_seq: account.seq,
    revision: 1,
    kind,
    status: "RUNNING",
    input: JSON.stringify(input),
    progress: JSON.stringify(progress),
    summary: JSON.stringify(summary),
    total,
    ...{ done: 0, failed: 0, skipped: 0, undone: 0, tries: 0 },
    error: null,
    created_by: actor.name,
    created_at: now,
    updated_at: now,
    started_at: now,
    finished_at: null,
    lease_until: null,
    next_action_at: realNow,
    prune_at: null,
  };
}

/** Inserts a running job with its entry and further writes in one batch, and has its first page done. */
export async function startJob(ctx: Ctx, job: MerchantJob, writes: Statement[] = []): Promise<void> {
  const entry = { action: "job_started", subject: subjectOfJob(job), metadata: { kind: job.kind } } as const;
  await createRecord(ctx, [entry], [...writes, insertRow(jobs, job)]);
  await ctx.send([workJob(ctx.account.id, job.id)]);
}
