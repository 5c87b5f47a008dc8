import type { Context } from "hono";
import { parseScopes, type Scope } from "../../base/accounts/scopes.ts";
import type { ErrorCode } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { conditional, notModified } from "../../kit/http/conditional.ts";
import { asStaff, requireScopes } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { presentJob, presentJobRow } from "./present.ts";
import { getJob, listJobRows, listJobs } from "./queries.ts";
import { type MerchantJob, workingStatuses } from "./tables.ts";
import { moveJob } from "./transitions.ts";

const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));
const { JobData, JobList, jobParams, JobQuery, JobRowList, JobRowQuery, JobStart } = deferred(
  () => import("./schemas.ts"),
);

const path = "/api/jobs";
const common = { tag: "Jobs", credentials: "apiKey", resource: "jobs" } as const;
const one = { ...common, path: `${path}/{id}`, params: jobParams } as const;

export const retryAfterHeader = {
  "Retry-After": { optional: "Seconds after which to ask again: 2 while the job runs." },
};

/** The answer about a job, which says to ask again while messages work on it. */
export function answerJob(c: Context<HonoEnv>, job: MerchantJob) {
  if ((workingStatuses as readonly string[]).includes(job.status) && job.next_action_at)
    c.header("Retry-After", "2");
  return { data: presentJob(job) };
}

/** The declaration of the operations that move a job to another status. */
const moving = {
  ...one,
  method: "post",
  query: DryRunQuery,
  errors: ["INVALID_STATE", "VERSION_CONFLICT"] as ErrorCode[],
  success: {
    status: 200,
    description: "The job as it now is.",
    schema: JobData,
    headers: retryAfterHeader,
  },
  answerAgain: async ({ c, ctx, params }: { c: Context<HonoEnv>; ctx: Ctx; params: { id: string } }) =>
    answerJob(c, await getJob(ctx, params.id)),
} as const;

export const jobOperations = [
  operation({
    ...common,
    id: "listJobs",
    method: "get",
    path,
    summary: "List jobs",
    description: "Newest first. A job is deleted 30 days after its end.",
    query: JobQuery,
    success: pageAnswer("A page of jobs.", JobList),
    handler: ({ c, ctx, query }) => {
      const filters = { kind: query.kind, status: query.status && JSON.stringify(query.status) };
      return answerList({ c, query }, (page) => listJobs(ctx, page, filters), presentJob);
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
    success: pageAnswer("A page of rows.", JobRowList),
    handler: async ({ c, ctx, params, query }) => {
      const { id, scopes } = await getJob(ctx, params.id);
      requireScopes(c, parseScopes(scopes).map(readScope));
      const filters = { status: query.status && JSON.stringify(query.status) };
      return answerList(
        { c, query },
        (page) => listJobRows(ctx, { ...page, order: "asc" }, filters, { job_id: id }),
        presentJobRow,
      );
    },
  }),
  operation({
    ...moving,
    id: "startJob",
    previews: true,
    path: `${path}/{id}/start`,
    summary: "Start a job",
    description:
      "Begins a job that is prepared. An import is checked, or, with `commit`, checked and then written. Forecasts and bulk jobs begin by themselves, so that this is refused for them.",
    body: JobStart,
    handler: ({ c, ctx, params, body: { commit } }) =>
      answerMoved(c, ctx, { ...params, operation: "start", ...(commit && { commit }) }),
  }),
  operation({
    ...moving,
    id: "pauseJob",
    path: `${path}/{id}/pause`,
    summary: "Pause a job",
    description:
      "The job stops after the row, or the page of a forecast, that is under way; what is done stays.",
    handler: ({ c, ctx, params }) => answerMoved(c, ctx, { ...params, operation: "pause" }),
  }),
  operation({
    ...moving,
    id: "resumeJob",
    path: `${path}/{id}/resume`,
    summary: "Resume a job",
    description: "A job that was paused, or has FAILED, goes on where it stopped.",
    handler: ({ c, ctx, params }) => answerMoved(c, ctx, { ...params, operation: "resume" }),
  }),
  operation({
    ...moving,
    id: "cancelJob",
    path: `${path}/{id}/cancel`,
    summary: "Cancel a job",
    description: "Ends a job for good. What is done stays, and can be undone.",
    destructive: true,
    handler: ({ c, ctx, params }) => answerMoved(c, ctx, { ...params, operation: "cancel" }),
  }),
  operation({
    ...moving,
    id: "undoJob",
    previews: true,
    path: `${path}/{id}/undo`,
    summary: "Undo a job",
    description:
      "Takes back what a job has changed, row by row, where nothing has changed it since; a row that cannot be taken back stays OK, and its errors say why. A forecast and a dry run change nothing, so that this is refused.",
    destructive: true,
    handler: ({ c, ctx, params }) => answerMoved(c, ctx, { ...params, operation: "undo" }),
  }),
];

type MoveRequest = Pick<Parameters<typeof moveJob>[1], "id" | "operation" | "commit">;

/** Moves a job. Besides jobs:write its caller needs the scopes of what the job does. */
async function answerMoved(c: Context<HonoEnv>, ctx: Ctx, request: MoveRequest) {
  const authorize = ({ scopes }: MerchantJob) => requireScopes(c, parseScopes(scopes));
  return answerJob(c, await moveJob(asStaff(c, ctx), { ...request, authorize }));
}

/** The scope that reads what another scope changes. */
function readScope(scope: Scope): Scope {
  return scope.replace(":write", ":read") as Scope;
}
