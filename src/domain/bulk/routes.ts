import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { DomainError, invalid } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { asStaff, requireScopes } from "../../kit/http/credentials.ts";
import { deferred, type Loaded } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { expectedPreview } from "../../kit/http/preview/if-preview.ts";
import { getJob } from "../merchant-jobs/queries.ts";
import { answerJob, retryAfterHeader } from "../merchant-jobs/routes.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import { createBulk, type NewBulk } from "./create.ts";
import { previewOfJob } from "./previews.ts";
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
    previews: true,
    dryRunsByJob: true,
    errors: [
      "NOT_FOUND",
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
      const expected = expectedPreview(c, { previews: true });
      if (expected !== undefined && body.preview_job_id === undefined)
        throw invalid([{ path: "preview_job_id", message: "is required with If-Preview" }]);
      if (!isDryRun) requireSeen(ctx, body.action, expected);
      const asked = { ...(await parseBulk(ctx, body)), expected, preview_job_id: body.preview_job_id };
      const job = await createBulk(asStaff(c, ctx), asked, isDryRun);
      const preview = isDryRun ? await previewOfJob(ctx, job) : undefined;
      if (preview !== undefined) c.set("preview", preview);
      return answerCreated(c, job);
    },
    answerAgain: async ({ c, ctx, created }) => answerCreated(c, await getJob(ctx, created.job)),
  }),
];

/** Throws unless the credential's limits allow the job: unseen, or a payment that nobody has shown. */
function requireSeen({ limits }: Ctx, action: Body["action"], expected: string | undefined): void {
  if (expected !== undefined) return;
  if (limits?.requires_preview)
    throw new DomainError(
      "PREVIEW_REQUIRED",
      "This credential does only what it has previewed: make a dry run first, then send its Preview as If-Preview with its id as preview_job_id",
    );
  if (limits && action === "retry_payment")
    throw new DomainError(
      "AMOUNT_ABOVE_LIMIT",
      "This credential has a limit of what it charges: make a dry run first, and retry by its preview",
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
