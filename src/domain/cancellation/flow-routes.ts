import type { z } from "@hono/zod-openapi";
import { deferred, type Loaded } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { changeFlow, planFlow } from "./flow-actions.ts";
import { previewFlow } from "./flow-preview.ts";
import { findFlow } from "./flow-queries.ts";
import { emptyFlow, offersOf } from "./offers.ts";
import type { CancellationFlow } from "./tables.ts";

const { FlowChanged, FlowData, FlowUpdate } = deferred(() => import("./flow-schemas.ts"));
const { DryRunQuery } = deferred(() => import("../../kit/http/preview/dry-run-query.ts"));

const path = "/api/account/cancellation-flow";
const common = { tag: "Cancellation", credentials: "either", resource: "portal", path } as const;

export const flowOperations = [
  operation({
    ...common,
    id: "getCancellationFlow",
    method: "get",
    summary: "Get the cancellation flow",
    description: "What is offered to customers who are about to cancel, and how often.",
    success: { status: 200, description: "The flow.", schema: FlowData },
    handler: async ({ ctx }) => ({ data: presentFlow((await findFlow(ctx)) ?? emptyFlow) }),
  }),
  operation({
    ...common,
    id: "updateCancellationFlow",
    method: "put",
    summary: "Change the cancellation flow",
    description:
      "Changes the fields that are named. Cases that are open keep the offers that they were opened with. A dry run says for how many of the cancellations of the last 90 days the flow would have had an offer.",
    query: DryRunQuery,
    body: FlowUpdate,
    errors: ["UNKNOWN_CANCELLATION_REASON", "UNKNOWN_SELLING_PLAN", "VERSION_CONFLICT"],
    success: {
      status: 200,
      description: "The flow as it now is; for a dry run what it would have offered.",
      schema: FlowChanged,
    },
    handler: async ({ ctx, query: { dry_run: dryRun = false }, body }) => {
      if (!dryRun) return { data: presentFlow(await changeFlow(ctx, body)) };
      const { after } = await planFlow(ctx, body);
      return { data: await previewFlow(ctx, after) };
    },
  }),
];

function presentFlow(
  flow: Omit<CancellationFlow, "account_seq" | "created_at">,
): z.input<Loaded<typeof FlowData>>["data"] {
  const { is_enabled, cooldown_days, max_accepted, per, show_at_most } = flow;
  return {
    is_enabled: is_enabled === 1,
    offers: offersOf(flow),
    ...{ cooldown_days, max_accepted, per, show_at_most },
  };
}
