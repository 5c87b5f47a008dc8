import type { Context } from "hono";
import { demoId } from "../demo.ts";
import { presentEpisode } from "../dunning/present.ts";
import { listEpisodes } from "../dunning/queries.ts";
import { DunningEpisodeList } from "../dunning/schemas.ts";
import type { HonoEnv } from "../http/hono-env.ts";
import { operation } from "../http/operation.ts";
import { linkHeader, pageMeta } from "../http/pagination.ts";
import { pathId } from "../http/params.ts";
import { acting, raced } from "../subscriptions/operations.ts";
import { getSubscription } from "../subscriptions/queries.ts";
import { DryRunQuery, NoFields, PaymentMethodChange } from "../subscriptions/requests.ts";
import { changePaymentMethod } from "./actions/payment-method.ts";
import { retryPayment } from "./actions/retry-payment.ts";
import { shipNow } from "./actions/ship-now.ts";
import { presentAttempt } from "./present.ts";
import { getAttempt, listAttempts } from "./queries.ts";
import { attemptPath, PagesQuery, ShipNowRequest } from "./requests.ts";
import { BillingAttemptData, BillingAttemptList, BillingStarted } from "./schemas.ts";
import type { BillingAttempt } from "./tables.ts";

const path = "/api/subscriptions/{id}";
const common = { tag: "Billing", credentials: "either", customers: true } as const;
const params = pathId(demoId("subscription", 1));
const started = {
  status: 200,
  description: "The billing attempt has started; none for a dry run.",
  schema: BillingStarted,
  headers: { Location: "The billing attempt." },
} as const;
const failure = { success: false } as const;
const newest = { sort: "created_at", order: "desc" } as const;

const answer = (c: Context<HonoEnv>, attempt: BillingAttempt | undefined, message: string) => {
  if (!attempt) return { success: true as const, message };
  c.header("Location", `/api/subscriptions/${attempt.subscription_id}/billing-attempts/${attempt.id}`);
  return { success: true as const, message, billing_attempt_id: attempt.id };
};

export const billingOperations = [
  operation({
    ...common,
    id: "shipNow",
    method: "post",
    path: `${path}/ship-now`,
    summary: "Bill and ship the current cycle now",
    destructive: true,
    description:
      "The answer confirms that the billing attempt has started; read the attempt for what came of it. The same request again answers the same attempt, while it is in progress and for ten minutes.",
    params,
    query: DryRunQuery,
    body: ShipNowRequest,
    errors: [...raced, "NOT_BILLABLE", "BILLING_IN_PROGRESS", "UNKNOWN_DELIVERY_SLOT"],
    failure,
    success: started,
    handler: async ({ c, ctx, params, query, body }) =>
      answer(
        c,
        await shipNow(ctx, params.id, query.dry_run ?? false, body),
        "The billing attempt has started",
      ),
  }),
  operation({
    ...common,
    id: "retryPayment",
    method: "post",
    path: `${path}/retry-payment`,
    summary: "Try a failed payment again now",
    destructive: true,
    params: pathId(demoId("subscription", 7)),
    query: DryRunQuery,
    body: NoFields,
    errors: [...raced, "NOT_BILLABLE"],
    failure,
    success: started,
    handler: async ({ c, ctx, params, query }) =>
      answer(
        c,
        await retryPayment(ctx, params.id, query.dry_run ?? false),
        "The billing attempt has started",
      ),
  }),
  acting(
    {
      id: "changePaymentMethod",
      method: "put",
      on: "payment-method",
      summary: "Switch the payment method",
      description: "Where payment is owed, it is tried with the new one at once.",
    },
    PaymentMethodChange,
    ["UNKNOWN_PAYMENT_METHOD"],
    changePaymentMethod,
  ),
  operation({
    ...common,
    id: "listBillingAttempts",
    method: "get",
    path: `${path}/billing-attempts`,
    summary: "List a subscription's billing attempts",
    description: "Newest first.",
    params,
    query: PagesQuery,
    success: {
      status: 200,
      description: "A page of attempts.",
      schema: BillingAttemptList,
      headers: linkHeader,
    },
    handler: async ({ c, ctx, params, query }) => {
      const { row } = await getSubscription(ctx, params.id);
      const scope = { account_id: ctx.account.id, subscription_id: row.id };
      const { rows, total } = await listAttempts(ctx.db, scope, {}, { ...query, ...newest });
      return { data: rows.map(presentAttempt), meta: pageMeta(c, query, total) };
    },
  }),
  operation({
    ...common,
    id: "getBillingAttempt",
    method: "get",
    path: `${path}/billing-attempts/{attemptId}`,
    summary: "Get a billing attempt",
    params: attemptPath,
    success: { status: 200, description: "The attempt.", schema: BillingAttemptData },
    handler: async ({ ctx, params }) => {
      const { row } = await getSubscription(ctx, params.id);
      return { data: presentAttempt(await getAttempt(ctx, row.id, params.attemptId)) };
    },
  }),
  operation({
    ...common,
    id: "listDunningEpisodes",
    method: "get",
    path: `${path}/dunning-episodes`,
    summary: "List what followed a subscription's failed payments",
    description: "Newest first.",
    params: pathId(demoId("subscription", 7)),
    query: PagesQuery,
    success: {
      status: 200,
      description: "A page of episodes.",
      schema: DunningEpisodeList,
      headers: linkHeader,
    },
    handler: async ({ c, ctx, params, query }) => {
      const { row } = await getSubscription(ctx, params.id);
      const scope = { account_id: ctx.account.id, subscription_id: row.id };
      const { rows, total } = await listEpisodes(ctx.db, scope, {}, { ...query, ...newest });
      return { data: rows.map(presentEpisode), meta: pageMeta(c, query, total) };
    },
  }),
];
