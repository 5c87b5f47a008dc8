import type { Context } from "hono";
import type { Ctx } from "../../kit/context.ts";
import { asStaff, requireBesides } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { addressOf } from "./address.ts";
import type { Export, ExportOf } from "./create.ts";
import { type ExportPart, reachOf } from "./resources.ts";

const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));
const { ExportData, ExportRequest } = deferred(() => import("./schemas.ts"));

/** Each resource needs the scope that reading it needs, in every credential. */
const scopesBesides = Object.entries(reachOf)
  .map(
    ([resource, { scope }]) =>
      `One of ${resource.replaceAll("_", " ")} needs the scope \`${scope}\` besides.`,
  )
  .join(" ");

export const exportOperations = [
  operation({
    id: "createExport",
    method: "post",
    path: "/api/exports",
    tag: "Exports",
    credentials: "apiKey",
    resource: "jobs",
    summary: "Export records",
    description: `Answers an address for each 50,000 records, which is good for an hour and needs no credentials; the same address gives the same range again. The last line of a part has the count of its lines and their SHA-256. An export of profiles or orders also needs Authorization: Bearer. ${scopesBesides}`,
    query: DryRunQuery,
    body: ExportRequest,
    secretAnswer: true,
    success: { status: 201, description: "The export.", schema: ExportData },
    alsoAnswers: {
      200: { description: "The export as it would be, without addresses.", schema: ExportData },
    },
    handler: async ({ c, ctx, query: { dry_run: dryRun = false }, body }) => {
      requireBesides(c, reachOf[body.resource].credentials, reachOf[body.resource].scope);
      const { createExport } = await import("./create.ts");
      const answer = await presentExport(c, ctx, body, await createExport(asStaff(c, ctx), body, dryRun));
      return dryRun ? c.json(answer, 200) : answer;
    },
    answerAgain: async ({ c, ctx, body, created }) => {
      const { readExport } = await import("./create.ts");
      return presentExport(c, ctx, body, await readExport(ctx, body, created.entry));
    },
  }),
];

async function presentExport(c: Context<HonoEnv>, ctx: Ctx, request: ExportOf, made: Export) {
  const { filtersOf } = await import("./create.ts");
  const { id, as_of_sequence, expires_at, ranges } = made;
  const { resource, format, fields } = request;
  const filters = filtersOf(ctx, request);
  const parts = ranges.map(async ({ rows_at_most, ...range }, index) => {
    const n = index + 1;
    if (id === null) return { n, url: null, rows_at_most };
    const url = await addressOf(ctx.env, {
      ...{ export_id: id, account_id: ctx.account.id, ...madeBy(c), n },
      ...{ resource, format, fields: fields ? [...new Set(fields)] : null, filters, ...range, expires_at },
    });
    return { n, url, rows_at_most };
  });
  return { data: { id, as_of_sequence, parts: await Promise.all(parts), expires_at } };
}

/** The credential whose end is that of the addresses too. */
function madeBy(c: Context<HonoEnv>): Pick<ExportPart, "key_id" | "session_id"> {
  const { key, claims } = c.get("proven") ?? {};
  if (key) return { key_id: key.id };
  if (!claims?.staff || !claims.token_id) throw new Error("An export was made by nobody");
  return { key_id: null, session_id: claims.token_id };
}
