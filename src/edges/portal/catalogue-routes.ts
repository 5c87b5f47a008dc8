import { replaceCatalogue } from "../../domain/catalogue/actions.ts";
import { presentCatalogueItem } from "../../domain/catalogue/present.ts";
import { listCatalogue } from "../../domain/catalogue/queries.ts";
import type { CatalogueItem } from "../../domain/catalogue/tables.ts";
import type { Ctx } from "../../kit/context.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";

const { CatalogueData, CatalogueUpdate } = deferred(() => import("../../domain/catalogue/schemas.ts"));
const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));

const path = "/api/account/portal/catalogue";
const common = { tag: "Portal", credentials: "either", resource: "portal", path } as const;

export const catalogueOperations = [
  operation({
    ...common,
    id: "getCatalogue",
    method: "get",
    summary: "Get the catalogue of the customer portal",
    description: "What customers may put into their subscriptions, and at what price.",
    success: { status: 200, description: "The catalogue.", schema: CatalogueData },
    handler: async ({ ctx }) => answer(ctx, await listCatalogue(ctx)),
  }),
  operation({
    ...common,
    id: "updateCatalogue",
    method: "put",
    summary: "Replace the catalogue of the customer portal",
    description:
      "The catalogue is afterwards exactly what the body lists, in its order. Lines that customers have keep their prices. What they may do with it, can_add, can_swap and the other settings of the portal say.",
    query: DryRunQuery,
    body: CatalogueUpdate,
    errors: ["UNKNOWN_SELLING_PLAN"],
    success: { status: 200, description: "The catalogue as it now is.", schema: CatalogueData },
    handler: async ({ ctx, query: { dry_run: dryRun = false }, body }) =>
      answer(ctx, await replaceCatalogue(ctx, { request: body, dryRun })),
  }),
];

function answer(ctx: Ctx, items: CatalogueItem[]) {
  return { data: { items: items.map((item) => presentCatalogueItem(item, ctx)) } };
}
