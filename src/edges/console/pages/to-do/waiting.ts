import type { z } from "@hono/zod-openapi";
import type { EndpointBody } from "../../../../domain/webhook-endpoints/schemas.ts";

/** The calls whose lists say how much waits for a person. Each reads one row besides its total; the inbox asks for more rows of each. */
export const countingCalls = {
  waitingPayments: {
    id: "listAllDunningEpisodes",
    query: { status: "OPEN,AWAITING_CUSTOMER", limit: "1" },
  },
  waitingBilling: {
    id: "listSubscriptions",
    query: { billing_blocked: "true", sort_by: "created_at", sort_order: "asc", limit: "1" },
  },
  waitingDeclarations: { id: "listDeclarations", query: { status: "TO_DO", limit: "1" } },
  waitingEndpoints: { id: "listWebhookEndpoints", query: { limit: "20" } },
} as const;

export type Waiting = { total: number; isAtLeast: boolean };

type Counted = { [Name in keyof typeof countingCalls]?: unknown };
type List = { data: unknown[]; meta: { total: number; total_is_estimate: boolean } };
type Endpoint = z.output<typeof EndpointBody>;

/** Whether events do not reach an endpoint, and nobody has switched it off. */
export function isFailing({ failing_since, disabled_reason }: Endpoint): boolean {
  return failing_since !== null || disabled_reason === "gone" || disabled_reason === "failing";
}

/** Adds up what waits. A charge under review is among the billing that stands still. */
export function countWaiting({ waitingEndpoints, ...counted }: Counted): Waiting {
  const lists = [counted.waitingPayments, counted.waitingBilling, counted.waitingDeclarations].filter(
    (list): list is List => list !== undefined,
  );
  const endpoints = ((waitingEndpoints as List | undefined)?.data ?? []) as Endpoint[];
  return {
    total: lists.reduce((sum, { meta }) => sum + meta.total, endpoints.filter(isFailing).length),
    isAtLeast: lists.some(({ meta }) => meta.total_is_estimate),
  };
}
