import type { z } from "@hono/zod-openapi";
import { notFound } from "../../base/errors.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { type Ctx, isRehearsed } from "../../kit/context.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pageAnswer } from "../../kit/http/list/list-answer.ts";
import { changeOperation, common, conflictErrors, one, path } from "../subscriptions/change-operations.ts";
import { answerListWithin } from "../subscriptions/list-within.ts";
import { getSubscriptionAnd } from "../subscriptions/queries.ts";
import { acceptOffer } from "./actions/accept.ts";
import { confirmCancellation } from "./actions/confirm.ts";
import { openCancellation } from "./actions/open.ts";
import type { CaseBody } from "./case-schemas.ts";
import { statusAt } from "./cases.ts";
import { frozenOffersOf } from "./offers.ts";
import { listCases, selectCase } from "./queries.ts";
import type { CancellationCase } from "./tables.ts";

const { CaseAccept, CaseData, CaseList, CaseOpen, casePath, CaseQuery } = deferred(
  () => import("./case-schemas.ts"),
);
const { NoFields } = deferred(() => import("../subscriptions/lifecycle-requests.ts"));

const cases = `${path}/{id}/cancellations`;
const tag = "Cancellation";
const { query: _, previews: __, ...unqueried } = common;
const oneCase = { ...unqueried, tag, params: casePath, customers: true } as const;

/** The operations between the wish to cancel and the cancellation, which stays possible in one step. */
export const cancellationOperations = [
  operation({
    ...one,
    tag,
    id: "listCancellations",
    previews: false,
    method: "get",
    path: cases,
    query: CaseQuery,
    summary: "List cancellation cases",
    description: "Newest first: whoever was about to cancel, and what came of it.",
    customers: true,
    success: pageAnswer("A page of cases.", CaseList),
    handler: (input) => answerListWithin(input, listCases, (row) => presentCase(row, input.ctx.now)),
  }),
  operation({
    ...one,
    tag,
    id: "openCancellation",
    method: "post",
    path: cases,
    summary: "Open a cancellation case",
    description:
      "The customer is about to cancel: the answer has the offers of the account's cancellation flow that the subscription can have, with what each would do. A case is open for 24 hours; while one is, it is answered as it is, unless its offers are for other contents: a new one then replaces it. Without a flow, and where enough offers were accepted, it has no offers. To cancel without it use cancelSubscription.",
    customers: true,
    body: CaseOpen,
    errors: [...conflictErrors, "UNKNOWN_CANCELLATION_REASON"],
    success: { status: 201, description: "The new case.", schema: CaseData },
    alsoAnswers: {
      200: {
        description: "The case that is open already; for a dry run the case as it would be.",
        schema: CaseData,
        isNotOnlyDry: true,
      },
    },
    handler: async ({ c, ctx, params, body }) => {
      const { opened, isNew } = await openCancellation(ctx, {
        ...params,
        request: body,
      });
      const shown = { data: presentCase(opened, ctx.now) };
      return isNew && !isRehearsed(ctx) ? shown : c.json(shown, 200);
    },
    answerAgain: async ({ ctx, params: { id }, created }) => {
      const [, { found }] = await getSubscriptionAnd(ctx, id, {
        found: selectCase(ctx, id, created.leavingCase),
      });
      return shownOf(ctx, found);
    },
  }),
  operation({
    ...oneCase,
    id: "getCancellation",
    method: "get",
    path: `${cases}/{caseId}`,
    summary: "Get a cancellation case",
    description: "One case, with its offers as they were when it was opened.",
    success: { status: 200, description: "The case.", schema: CaseData },
    handler: async ({ ctx, params: { id, caseId } }) => {
      const [, { found }] = await getSubscriptionAnd(ctx, id, { found: selectCase(ctx, id, caseId) });
      return shownOf(ctx, found);
    },
  }),
  changeOperation({
    ...oneCase,
    id: "acceptCancellationOffer",
    method: "post",
    path: `${cases}/{caseId}/accept`,
    summary: "Accept an offer",
    description:
      "Does what the offer says, and closes the case: both happen, or neither. Refused where the case is not open, the subscription cannot have the offer any more, it contains other lines or discounts than were shown, or as many offers as the flow allows were accepted within its cooldown.",
    body: CaseAccept,
    errors: ["BILLING_IN_PROGRESS", "FREQUENCY_NOT_OFFERED"],
    act: acceptOffer,
  }),
  changeOperation({
    ...oneCase,
    id: "confirmCancellation",
    method: "post",
    path: `${cases}/{caseId}/confirm`,
    summary: "Cancel nevertheless",
    description:
      "Cancels the subscription for the case's reason, as cancelSubscription does, and closes the case.",
    destructive: true,
    body: NoFields,
    act: confirmCancellation,
  }),
];

function shownOf(ctx: Ctx, [found]: CancellationCase[]) {
  if (!found) throw notFound("Case");
  return { data: presentCase(found, ctx.now) };
}

function presentCase(row: CancellationCase, now: Instant): z.input<typeof CaseBody> {
  return {
    id: row.id,
    subscription_id: row.subscription_id,
    status: statusAt(row, now),
    cancellation_reason_id: row.cancellation_reason_id,
    note: row.note,
    offers: frozenOffersOf(row).map(({ line_id: _, ...offer }) => offer),
    accepted_offer_id: row.accepted_offer_id,
    outcome: row.outcome,
    expires_at: row.expires_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
