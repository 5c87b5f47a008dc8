import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { asStaff, requireScopes } from "../../kit/http/credentials.ts";
import { deferred, type Loaded } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { getJob } from "../merchant-jobs/queries.ts";
import { answerJob, retryAfterHeader } from "../merchant-jobs/routes.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import { createBulk, type NewBulk } from "./create.ts";
import { scopeOfAction } from "./row-actions.ts";

const { JobData } = deferred(() => import("../merchant-jobs/schemas.ts"));
const { BulkQuery, BulkRequest } = deferred(() => import("./schemas.ts"));

export const bulkOperations = [
  operation({
    id: "changeManySubscriptions",
    method: "post",
    path: "/api/bulk",
    tag: "Jobs",
    credentials: "apiKey",
    resource: "jobs",
    summary: "Change many subscriptions",
    description:
      "Does one action to each subscription of a list, as the API's own operation would, by a job. The list is that of a filter or of ids, as it is now. What the state of a subscription forbids is SKIPPED, with its sentence. It needs the scope `subscriptions:write` besides, or for retry_payment `billing:write`. One job of an account changes subscriptions at a time.",
    query: BulkQuery,
    body: BulkRequest,
    destructive: true,
    agentsRunDry: true,
    dryRunsByJob: true,
    errors: [
      "INVALID_STATE",
      "VERSION_CONFLICT",
      "UNKNOWN_DELIVERY_SLOT",
      "PREVIEW_REQUIRED",
      "AMOUNT_ABOVE_LIMIT",
    ],
    success: {
      status: 202,
      description: "The job that does it.",
      schema: JobData,
      headers: { Location: "The address of the job.", ...retryAfterHeader },
    },
    handler: async ({ c, ctx, query: { dry_run: isDryRun = false }, body }) => {
      requireScopes(c, [scopeOfAction(body.action)]);
      if (!isDryRun) requireUnlimited(ctx, body.action);
      return answerCreated(c, await createBulk(asStaff(c, ctx), await parseBulk(ctx, body), isDryRun));
    },
    answerAgain: async ({ c, ctx, created }) => answerCreated(c, await getJob(ctx, created.job)),
  }),
];

/** Nothing is shown that a job of many would be held to: a credential with limits may have it show its rows, and no more. */
function requireUnlimited({ limits }: Ctx, action: Body["action"]): void {
  if (limits?.requires_preview)
    throw new DomainError(
      "PREVIEW_REQUIRED",
      "This credential does nothing unseen, and a job of many has no preview: change one after the other",
    );
  if (limits && action === "retry_payment")
    throw new DomainError(
      "AMOUNT_ABOVE_LIMIT",
      "This credential has a limit of what it charges: retry one payment after the other",
    );
}

type Body = z.output<Loaded<typeof BulkRequest>>;

/** The request with its input and filter as their own schemas make them. Throws VALIDATION_FAILED with the paths of their faults. */
async function parseBulk(ctx: Ctx, { action, input = {}, filter, ids, notice_days }: Body): Promise<NewBulk> {
  const { BulkFilter, bulkInputs } = await import("./schemas.ts");
  const { acceptAt } = await import("../../kit/http/validate.ts");
  const parsed = acceptAt("input", bulkInputs[action], input) as NewBulk["input"];
  if (filter === undefined) return { action, input: parsed, ids, notice_days };
  const { parseFilters } = await import("../subscriptions/list/filters.ts");
  const query = acceptAt("filter", BulkFilter, Object.fromEntries(Object.entries(filter).map(asQueryText)));
  const filters = parseFilters(query as Parameters<typeof parseFilters>[0], ctx);
  return { action, input: parsed, notice_days, filters };
}

/** A value of the filter as the query of the list has it. */
function asQueryText([name, value]: [string, unknown]): [string, unknown] {
  if (Array.isArray(value)) return [name, value.join(",")];
  return [name, typeof value === "number" || typeof value === "boolean" ? String(value) : value];
}

function answerCreated(c: Context<HonoEnv>, job: MerchantJob) {
  c.header("Location", `/api/jobs/${job.id}`);
  return answerJob(c, job);
}
