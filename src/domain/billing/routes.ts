import type { Context } from "hono";
import { demoId } from "../../base/demo.ts";
import { notFound } from "../../base/errors.ts";
import { type Created, type Ctx, isRehearsed } from "../../kit/context.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { pageAnswer } from "../../kit/http/list/list-answer.ts";
import { previewed } from "../../kit/http/preview/previewed.ts";
import { presentEpisode } from "../dunning/present.ts";
import { listEpisodes } from "../dunning/queries.ts";
import { conflictErrors, entryHeader, nameEntry } from "../subscriptions/change-operations.ts";
import { answerListWithin } from "../subscriptions/list-within.ts";
import { presentSubscription } from "../subscriptions/present.ts";
import { getSubscription } from "../subscriptions/queries.ts";
import { changePaymentMethod } from "./actions/payment-method.ts";
import { changeAllPaymentMethods } from "./actions/payment-method-of-all.ts";
import { retryPayment } from "./actions/retry-payment.ts";
import { shipNow } from "./actions/ship-now.ts";
import { presentAttempt, presentBilled, presentCharged, presentDryRun, presentSwitched } from "./present.ts";
import { findAttempt, getAttempt, listAttempts } from "./queries.ts";
import type { Billed } from "./tables.ts";

const { DunningEpisodeList } = deferred(() => import("../dunning/schemas.ts"));
const { NoFields } = deferred(() => import("../subscriptions/lifecycle-requests.ts"));
const { PaymentMethodChange } = deferred(() => import("../subscriptions/requests.ts"));
const { attemptPath, PagesQuery, ShipNowRequest } = deferred(() => import("./requests.ts"));
const { BillingAttemptData, BillingAttemptList, BillingStarted, PaymentMethodChanged } = deferred(
  () => import("./schemas.ts"),
);

const path = "/api/subscriptions/{id}";
const common = { tag: "Billing", credentials: "either", resource: "billing", customers: true } as const;
const params = pathId("subscription", demoId("subscription", 1));
const started = {
  status: 200,
  description: "The billing attempt, started now or before; for a dry run what would be billed.",
  schema: BillingStarted,
  headers: { Location: "The billing attempt." },
} as const;
const failure = { success: false } as const;

type Again = { c: Context<HonoEnv>; ctx: Ctx; params: { id: string }; created: Created };

function answer(c: Context<HonoEnv>, billed: Billed) {
  if (isRehearsed(c.get("ctx"))) return presentDryRun(billed);
  const { subscription_id, id } = billed.attempt;
  c.header("Location", `/api/subscriptions/${subscription_id}/billing-attempts/${id}`);
  return presentBilled(billed);
}

/** Answers a request that has already taken effect with the billing attempt that it started. */
async function answerAgain({ c, ctx, params, created }: Again) {
  const { row } = await getSubscription(ctx, params.id);
  const attempt = await findAttempt(ctx, created.attempt);
  if (attempt?.subscription_id !== row.id) throw notFound("Billing attempt");
  return answer(c, { attempt, isNew: true });
}

export const billingOperations = [
  operation({
    ...common,
    id: "shipNow",
    method: "post",
    path: `${path}/ship-now`,
    summary: "Bill and ship the current cycle now",
    destructive: true,
    description:
      "Charges the current cycle and delivers as soon as possible, or on the day that is named; the cycles after it are counted from that delivery, so that the whole rhythm moves (`following_delivery_date` of the dry run). The answer confirms that the billing attempt has started; read the attempt for its outcome. For ten minutes after any attempt of the subscription, and while one is in progress, no other is started: the request answers that attempt, whatever its Idempotency-Key. `allow_repeat` bills the next cycle all the same. At most 5 new attempts an hour, with those of retry-payment and of switches of the payment method.",
    params,
    ...previewed,
    body: ShipNowRequest,
    errors: [...conflictErrors, "NOT_BILLABLE", "BILLING_IN_PROGRESS", "UNKNOWN_DELIVERY_SLOT"],
    failure,
    success: started,
    handler: async ({ c, ctx, params, body }) => answer(c, await shipNow(ctx, { ...params, request: body })),
    answerAgain,
  }),
  operation({
    ...common,
    id: "retryPayment",
    method: "post",
    path: `${path}/retry-payment`,
    summary: "Try a failed payment again now",
    description:
      "Charges what is owed, or what billing waits with; the answer confirms that the attempt has started. An attempt that is in progress answers instead. At most 5 new attempts an hour, with those of ship-now and of switches of the payment method; 409 where nothing is owed.",
    destructive: true,
    params: pathId("subscription", demoId("subscription", 7)),
    ...previewed,
    body: NoFields,
    errors: [...conflictErrors, "NOT_BILLABLE"],
    failure,
    success: started,
    handler: async ({ c, ctx, params }) => answer(c, await retryPayment(ctx, params)),
    answerAgain,
  }),
  operation({
    ...common,
    id: "changePaymentMethod",
    tag: "Subscriptions",
    resource: "subscriptions",
    method: "put",
    path: `${path}/payment-method`,
    summary: "Switch the payment method",
    description:
      "A payment that is owed is tried with the new one at once; while an attempt with the old one is in progress, as soon as that has failed. `billing_attempt_id` names the attempt, and `dry_run` says before what it would charge. Once ship-now, retry-payment and switches have started 5 attempts within an hour, a switch charges nothing, and dunning makes the next try. With `update_all` every living subscription of the customer is switched so, all or none, and the answer names these and their attempts.",
    destructive: true,
    params,
    ...previewed,
    body: PaymentMethodChange,
    errors: [...conflictErrors, "UNKNOWN_PAYMENT_METHOD"],
    success: {
      status: 200,
      description: "The changed subscription, or the ids of those of the customer.",
      schema: PaymentMethodChanged,
      headers: entryHeader,
    },
    handler: async ({ c, ctx, params, body }) => {
      const command = { ...params, request: body };
      if (body.update_all) return presentSwitched(ctx, await changeAllPaymentMethods(ctx, command));
      const { result, ...view } = await changePaymentMethod(ctx, command);
      nameEntry(c, view);
      return { data: presentSubscription(view), ...presentCharged(ctx, result) };
    },
  }),
  operation({
    ...common,
    id: "listBillingAttempts",
    method: "get",
    path: `${path}/billing-attempts`,
    summary: "List a subscription's billing attempts",
    description: "Newest first.",
    params,
    query: PagesQuery,
    success: pageAnswer("A page of attempts.", BillingAttemptList),
    handler: (input) => answerListWithin(input, listAttempts, presentAttempt),
  }),
  operation({
    ...common,
    id: "getBillingAttempt",
    method: "get",
    path: `${path}/billing-attempts/{attemptId}`,
    summary: "Get a billing attempt",
    description: "One attempt to charge a cycle: what was to be charged, and what came of it.",
    params: attemptPath,
    success: { status: 200, description: "The attempt.", schema: BillingAttemptData },
    handler: async ({ ctx, params }) => {
      const [attempt] = await Promise.all([
        getAttempt(ctx, params.id, params.attemptId),
        getSubscription(ctx, params.id),
      ]);
      return { data: presentAttempt(attempt) };
    },
  }),
  operation({
    ...common,
    id: "listDunningEpisodes",
    method: "get",
    path: `${path}/dunning-episodes`,
    summary: "List a subscription's dunning episodes",
    description: "What followed each failed payment: retries, or a wait for the customer. Newest first.",
    params: pathId("subscription", demoId("subscription", 7)),
    query: PagesQuery,
    success: pageAnswer("A page of episodes.", DunningEpisodeList),
    handler: (input) => answerListWithin(input, listEpisodes, presentEpisode),
  }),
];
