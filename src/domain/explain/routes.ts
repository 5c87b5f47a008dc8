import { demoId } from "../../base/demo.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { explainAttempt } from "./explain-attempt.ts";
import { explainSubscription } from "./explain-subscription.ts";
import { openVoice, readAttemptRows, readSubscriptionRows } from "./queries.ts";

const { AttemptExplanation, SubscriptionExplanation } = deferred(() => import("./schemas.ts"));

const common = { method: "get", credentials: "either" } as const;
const inWords =
  "The sentences are in the language of `Accept-Language`, else in the customer's: English, German, French or Spanish.";

/** The operations that say in words what has happened, and why. */
export const explainOperations = [
  operation({
    ...common,
    id: "explainSubscription",
    customers: true,
    tag: "Subscriptions",
    resource: "subscriptions",
    path: "/api/subscriptions/{id}/explain",
    summary: "Explain a subscription",
    description: `Why it is in its state, what happens next if nobody acts, and what stands in the way of billing, in sentences. Each names the event that proves it, where one does. ${inWords}`,
    params: pathId("subscription", demoId("subscription", 7)),
    success: { status: 200, description: "The explanation.", schema: SubscriptionExplanation },
    handler: async ({ c, ctx, params }) => {
      const rows = await readSubscriptionRows(ctx, params.id);
      const voice = openVoice(ctx, rows.prospect.view, c.req.header("accept-language"));
      return { data: explainSubscription(rows, voice) };
    },
  }),
  operation({
    ...common,
    id: "explainBillingAttempt",
    tag: "Billing",
    resource: "billing",
    path: "/api/billing-attempts/{id}/explain",
    summary: "Explain a billing attempt",
    description: `What its amount is made of, to the minor unit, why it was made at that time, which mails the customer was sent about it, and what has come of it, in sentences. ${inWords}`,
    params: pathId("billing attempt", demoId("billing_attempt", 1)),
    success: { status: 200, description: "The explanation.", schema: AttemptExplanation },
    handler: async ({ c, ctx, params }) => {
      const { view, ...rows } = await readAttemptRows(ctx, params.id);
      return { data: explainAttempt(rows, openVoice(ctx, view, c.req.header("accept-language"))) };
    },
  }),
];
