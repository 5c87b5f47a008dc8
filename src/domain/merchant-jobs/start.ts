import type { Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { workJob } from "../../base/job.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { createRecord, type Entry } from "../../kit/journal/write.ts";
import { dueNow, ended, idle } from "./statuses.ts";
import { subjectOfJob } from "./subject.ts";
import { type JobKind, jobs, type MerchantJob } from "./tables.ts";
import { takeTurn } from "./turn.ts";

/** The kind of a new job, and its beginning as JSON values. `scopes` are those that its work needs. */
type NewJob = {
  kind: JobKind;
  input: object;
  progress: object;
  summary: object;
  total: number;
  scopes?: string[];
  isDryRun?: boolean;
  /** RUNNING by default. In STAGING its list of rows is made first: by messages, or, where `isStagedByHand`, by whoever asked for it. */
  status?: "RUNNING" | "STAGING";
  isStagedByHand?: boolean;
};

/** A job that begins now. A bulk or an import that runs changes subscriptions, and so needs the account's turn. */
export function newJob(ctx: Ctx, job: NewJob): MerchantJob {
  const { account, actor, now } = ctx;
  const {
    kind,
    input,
    progress,
    summary,
    total,
    scopes = [],
    isDryRun = false,
    isStagedByHand = false,
  } = job;
  const { status = "RUNNING" } = job;
  return {
    id: ctx.newId(),
    account_seq: account.seq,
    revision: 1,
    kind,
    status,
    input: JSON.stringify(input),
    progress: JSON.stringify(progress),
    summary: JSON.stringify(summary),
    total,
    ...{ done: 0, failed: 0, skipped: 0, undone: 0 },
    created_by: actor.name,
    created_by_type: actor.type,
    made_by_key: ctx.keyId ?? null,
    scopes: scopes.join(" "),
    is_dry_run: isDryRun ? 1 : 0,
    is_changing: kind === "FORECAST" || isDryRun || isStagedByHand ? 0 : 1,
    resumes_as: null,
    created_at: now,
    updated_at: now,
    started_at: status === "RUNNING" ? now : null,
    finished_at: null,
    ...dueNow(ctx),
    ...(isStagedByHand && idle),
    prune_at: null,
  };
}

/** The job as one that has nothing to do. */
export function asDone(ctx: Ctx, job: MerchantJob): MerchantJob {
  return { ...job, status: "DONE", ...ended(ctx) };
}

/**
 * Inserts a job with its entry, and further writes in one batch, and has its first page done. `rows` are the statements that
 * make its rows.
 */
export async function startJob(
  ctx: Ctx,
  job: MerchantJob,
  writes: Statement[] = [],
  rows: Statement[] = [],
): Promise<void> {
  const { total, done, failed, skipped, undone } = job;
  const isDone = job.status === "DONE";
  const action = isDone ? "job_done" : job.status === "RUNNING" ? "job_started" : "job_created";
  const counts = isDone ? { counts: { total, done, failed, skipped, undone } } : {};
  const entry: Entry = { action, subject: subjectOfJob(job), metadata: { kind: job.kind, ...counts } };
  keepCreated(ctx, { job: job.id });
  await takeTurn(ctx, () => createRecord(ctx, [entry], [...writes, insertRow(jobs, job), ...rows]));
  if (job.next_action_at) await ctx.send([workJob(ctx.account.id, job)]);
}
