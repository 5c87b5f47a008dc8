import type { Context } from "hono";
import { parseScopes } from "../../base/accounts/scopes.ts";
import { notFound } from "../../base/errors.ts";
import { mediaTypeOf } from "../../kit/http/body.ts";
import { asStaff, requireScopes } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { previewed } from "../../kit/http/preview/previewed.ts";
import { presentJob } from "../merchant-jobs/present.ts";
import { getJob } from "../merchant-jobs/queries.ts";
import { answerJob, retryAfterHeader } from "../merchant-jobs/routes.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import { createImport, scopesOf } from "./create.ts";
import { releaseImport } from "./release.ts";
import { getImport, putPart } from "./stage.ts";

const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));
const { JobData } = deferred(() => import("../merchant-jobs/schemas.ts"));
const { CsvPart, ImportCreate, importParams, ImportRelease, JsonLinesPart, partParams } = deferred(
  () => import("./schemas.ts"),
);

const path = "/api/imports";
const common = { tag: "Jobs", credentials: "apiKey", resource: "jobs" } as const;

export const importOperations = [
  operation({
    ...common,
    alsoNeeds: ["subscriptions:write", "profiles:write"],
    id: "createImport",
    method: "post",
    path,
    summary: "Begin an import",
    description:
      "Begins to move subscriptions in from another system. Then put the parts of its files, and start the job: once to check, and once to write. Nothing of it is charged, and no customer hears of it, until it is released. One of past orders needs the scope orders:write besides.",
    query: DryRunQuery,
    body: ImportCreate,
    success: {
      status: 202,
      description: "The job of the import.",
      schema: JobData,
      headers: { Location: { optional: "The address of the job; none in a dry run." } },
    },
    alsoAnswers: { 200: { description: "The job as it would begin.", schema: JobData } },
    handler: async ({ c, ctx, query: { dry_run: dryRun = false }, body }) => {
      requireScopes(c, scopesOf(body));
      const job = await createImport(asStaff(c, ctx), body, dryRun);
      return dryRun ? c.json({ data: presentJob(job) }, 200) : answerCreated(c, job);
    },
    answerAgain: async ({ c, ctx, created }) => answerCreated(c, await getJob(ctx, created.job)),
  }),
  operation({
    ...common,
    id: "putImportPart",
    method: "put",
    path: `${path}/{id}/parts/{n}`,
    summary: "Put a part of an import",
    description:
      "A part of the import's files, at most 8 MiB: CSV or JSON lines, as its format says. A column that the format does not have is refused, and so is CSV without one that `mapping` names. `Content-Digest` (RFC 9530), if it is sent, has to be that of the body. At most 200,000 rows in all parts.",
    params: partParams,
    query: DryRunQuery,
    rawMedia: { "text/csv": CsvPart, "application/x-ndjson": JsonLinesPart },
    bodyLimit: 8 * 1024 * 1024,
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 200, description: "The job as it now is.", schema: JobData },
    handler: async ({ c, ctx, params: { id, n }, query: { dry_run: dryRun = false } }) => {
      const part = partNumber(n);
      const mediaType = mediaTypeOf(c.req.header("content-type")) ?? "";
      const authorize = ({ scopes }: MerchantJob) => requireScopes(c, parseScopes(scopes));
      const sent = { authorize, id, part, bytes: c.get("body"), mediaType, dryRun };
      return { data: presentJob(await putPart(ctx, { ...sent, digest: c.req.header("content-digest") })) };
    },
  }),
  operation({
    ...common,
    id: "releaseImport",
    method: "post",
    path: `${path}/{id}/release`,
    summary: "Release an import",
    description:
      "Ends the hold of what an import has made, or taken over from one that failed: from then on it is charged on its dates, its customers are reminded, and the connected store has its contract. With `subscription_refs` these alone, at once; without, all of them, which the job does and which is 409 while it or another job changes subscriptions. Releasing twice changes nothing. What has no payment method stays held, unless `allow_without_card` says otherwise: its row says so, and of named refs it is 409.",
    params: importParams,
    ...previewed,
    body: ImportRelease,
    destructive: true,
    errors: ["UNKNOWN_SUBSCRIPTION", "INVALID_STATE", "VERSION_CONFLICT"],
    success: {
      status: 200,
      description: "The job as it now is.",
      schema: JobData,
      headers: retryAfterHeader,
    },
    handler: async ({ c, ctx, params: { id }, body }) => {
      const { scopes } = await getImport(ctx, id);
      requireScopes(c, parseScopes(scopes));
      return answerJob(
        c,
        await releaseImport(asStaff(c, ctx), {
          ...{ id, refs: body.subscription_refs, allowsWithoutCard: body.allow_without_card },
        }),
      );
    },
    answerAgain: async ({ c, ctx, params: { id } }) => answerJob(c, await getImport(ctx, id)),
  }),
];

/** A part with any other number does not exist. */
function partNumber(text: string): number {
  const n = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (n < 1 || n > mostParts) throw notFound("Part");
  return n;
}

const mostParts = 250;

function answerCreated(c: Context<HonoEnv>, job: MerchantJob) {
  c.header("Location", `/api/jobs/${job.id}`);
  return { data: presentJob(job) };
}
