import { demoId } from "../../base/demo.ts";
import { notFound } from "../../base/errors.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { previewed } from "../../kit/http/preview/previewed.ts";
import { settleReview } from "./actions/review.ts";
import { parseFilters } from "./filters.ts";
import { presentAttempt, presentCharged } from "./present.ts";
import { findAttempt, listAccountAttempts } from "./queries.ts";

const { AttemptQuery, SettleRequest } = deferred(() => import("./requests.ts"));
const { BillingAttemptList, BillingAttemptSettled } = deferred(() => import("./schemas.ts"));

const path = "/api/billing-attempts";
const common = { tag: "Billing", credentials: "either", resource: "billing" } as const;

/** The operations on all of an account's billing attempts, for staff. Those of one subscription are in routes.ts. */
export const attemptOperations = [
  operation({
    ...common,
    id: "listAllBillingAttempts",
    method: "get",
    path,
    summary: "List all billing attempts",
    description: "Newest first. `status=REVIEW` lists the attempts that people have to look at.",
    query: AttemptQuery,
    success: pageAnswer("A page of attempts.", BillingAttemptList),
    handler: ({ c, ctx, query }) =>
      answerList(
        { c, query },
        (page) => listAccountAttempts(ctx, page, parseFilters(query, ctx)),
        presentAttempt,
      ),
  }),
  operation({
    ...common,
    id: "settleBillingAttempt",
    method: "post",
    path: `${path}/{id}/settle`,
    summary: "End the review of a billing attempt",
    description:
      "Says what a person found at the store about an attempt under REVIEW. Charged: its order is recorded with the amount that was charged, and the schedule goes on. Not charged: the attempt is CANCELLED, nobody is in dunning by it, and the cycle is due again under the same key; if the payment method was changed meanwhile, it is tried with the new one at once.",
    destructive: true,
    params: pathId("billing attempt", demoId("billing_attempt", 1)),
    ...previewed,
    body: SettleRequest,
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 200, description: "The settled attempt.", schema: BillingAttemptSettled },
    handler: async ({ ctx, params, body }) => {
      const { settled, started } = await settleReview(ctx, { ...params, request: body });
      return { data: presentAttempt(settled), ...presentCharged(ctx, started) };
    },
    answerAgain: async ({ ctx, params, created }) => {
      const attempt = await findAttempt(ctx, params.id);
      if (!attempt) throw notFound("Billing attempt");
      const started = created.attempt === "" ? undefined : await findAttempt(ctx, created.attempt);
      return { data: presentAttempt(attempt), ...presentCharged(ctx, started) };
    },
  }),
];
