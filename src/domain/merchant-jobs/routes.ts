import type { Context } from "hono";
import type { Ctx } from "../../kit/context.ts";
import { conditional, notModified } from "../../kit/http/conditional.ts";
import { askedPage } from "../../kit/http/cursor.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { linkHeader, listAnswer } from "../../kit/http/list-answer.ts";
import { type HonoEnv, operation } from "../../kit/http/operation.ts";
import { presentJob, presentJobRow } from "./present.ts";
import { getJob, listJobRows, listJobs } from "./queries.ts";
import type { MerchantJob } from "./tables.ts";
import { type JobOperation, moveJob } from "./transitions.ts";

const { DryRunQuery } = deferred(() => import("../subscriptions/requests.ts"));
const { JobData, JobList, jobParams, JobQuery, JobRowList, JobRowQuery } = deferred(
  () => import("./schemas.ts"),
);

const path = "/api/jobs";
const common = { tag: "Jobs", credentials: "apiKey", resource: "jobs" } as const;
const one = { ...common, path: `${path}/{id}`, params: jobParams } as const;

export const retryAfterHeader = {
  "Retry-After": { optional: "Seconds after which to ask again: 2 while the job runs." },
};

/** The answer about a job, which says to ask again while it runs. */
export function answerJob(c: Context<HonoEnv>, job: MerchantJob) {
  if (job.status === "RUNNING") c.header("Retry-After", "2");
  return { data: presentJob(job) };
}

export const jobOperations = [
  operation({
    ...common,
    id: "listJobs",
    method: "get",
    path,
    summary: "List jobs",
    description: "Newest first. A job is deleted 30 days after its end.",
    query: JobQuery,
    success: { status: 200, description: "A page of jobs.", schema: JobList, headers: linkHeader },
    handler: async ({ c, ctx, query }) => {
      const asked = askedPage(c, query);
      const { kind, status } = query;
      const filters = { kind, status: status && JSON.stringify(status) };
      const newest = { ...asked, sort: "created_at", order: "desc" } as const;
      const listed = await listJobs(ctx.db, { account_seq: ctx.account.seq }, filters, newest);
      return listAnswer(c, asked, listed, presentJob);
    },
  }),
  operation({
    ...one,
    id: "getJob",
    method: "get",
    summary: "Get a job",
    description: "One job by id: how far it has got, and what came of it.",
    middleware: [conditional],
    alsoAnswers: notModified,
    success: {
      status: 200,
      description: "The job.",
      schema: JobData,
      headers: { ETag: "Names this state of the job.", ...retryAfterHeader },
    },
    handler: async ({ c, ctx, params }) => answerJob(c, await getJob(ctx, params.id)),
  }),
  operation({
    ...one,
    id: "listJobRows",
    method: "get",
    path: `${path}/{id}/rows`,
    summary: "List the rows of a job",
    description: "What became of each row, in their order.",
    query: JobRowQuery,
    success: { status: 200, description: "A page of rows.", schema: JobRowList, headers: linkHeader },
    handler: async ({ c, ctx, params, query }) => {
      const { id } = await getJob(ctx, params.id);
      const asked = askedPage(c, query);
      const filters = { status: query.status && JSON.stringify(query.status) };
      const inOrder = { ...asked, sort: "created_at", order: "asc" } as const;
      const listed = await listJobRows(
        ctx.db,
        { account_seq: ctx.account.seq, job_id: id },
        filters,
        inOrder,
      );
      return listAnswer(c, asked, listed, presentJobRow);
    },
  }),
  moving("start", {
    summary: "Start a job",
    description:
      "Begins a job that is READY. A forecast begins by itself, so that this is refused for one that has ended.",
  }),
  moving("pause", {
    summary: "Pause a job",
    description: "The job stops after the page that is under way; what is done stays.",
  }),
  moving("resume", { summary: "Resume a job", description: "A paused job goes on where it stopped." }),
  moving("cancel", {
    summary: "Cancel a job",
    description: "Ends a job for good. What is done stays.",
    destructive: true,
  }),
  moving("undo", {
    summary: "Undo a job",
    description: "Takes back what a job has changed. A forecast changes nothing, so that this is refused.",
    destructive: true,
    idempotent: false,
  }),
];

type Texts = { summary: string; description: string; destructive?: boolean; idempotent?: boolean };

function moving(verb: JobOperation, texts: Texts) {
  return operation({
    ...one,
    ...texts,
    id: `${verb}Job`,
    method: "post",
    path: `${path}/{id}/${verb}`,
    query: DryRunQuery,
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: {
      status: 200,
      description: "The job as it now is.",
      schema: JobData,
      headers: retryAfterHeader,
    },
    handler: ({ c, ctx, params: { id }, query: { dry_run: dryRun = false } }) =>
      answerMoved(c, ctx, { id, operation: verb, dryRun }),
    answerAgain: async ({ c, ctx, params }) => answerJob(c, await getJob(ctx, params.id)),
  });
}

async function answerMoved(c: Context<HonoEnv>, ctx: Ctx, request: Parameters<typeof moveJob>[1]) {
  return answerJob(c, await moveJob(ctx, request));
}
