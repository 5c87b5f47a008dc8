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

/** The subscription that has waited longest for a person, and since when. */
type OldestWaiting = { id: string; number: string; since: string };
export type Waiting = { total: number; isAtLeast: boolean; oldest: OldestWaiting | undefined };

type Rows<Row> = { data: Row[] };
type FailedPayment = { subscription_id: string; subscription_number: string; opened_at: string };
type Blocked = { id: string; number: string; next_billing_date: string | null; created_at: string };

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
    oldest: oldestOf(counted.waitingPayments, counted.waitingBilling),
  };
}

/** The money that has waited longest, of the first payment that failed and the first subscription whose billing stands still. */
function oldestOf(payments: unknown, billing: unknown): OldestWaiting | undefined {
  const [failed] = (payments as Rows<FailedPayment> | undefined)?.data ?? [];
  const [blocked] = (billing as Rows<Blocked> | undefined)?.data ?? [];
  const found = [
    failed && {
      id: failed.subscription_id,
      number: failed.subscription_number,
      since: failed.opened_at,
    },
    blocked && {
      id: blocked.id,
      number: blocked.number,
      since: blocked.next_billing_date ?? blocked.created_at,
    },
  ];
  return found
    .filter((one) => one !== undefined)
    .toSorted((one, other) => one.since.localeCompare(other.since))[0];
}
