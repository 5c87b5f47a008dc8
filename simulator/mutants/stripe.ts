import { edit, type Mutant } from "./edits.ts";

const charges = "src/stores/stripe/charges.ts";
const finding = "src/stores/stripe/find-intent.ts";
const intents = "src/stores/stripe/intents.ts";
const declines = "src/stores/stripe/declines.ts";
const request = "src/stores/stripe/request.ts";
const page = "src/domain/billing/reconcile/page.ts";

function atStripe(mutant: Omit<Mutant, "platform">): Mutant {
  return { ...mutant, platform: "stripe" };
}

/** Bugs in how a charge is paid back at Stripe. */
export const stripeRefundMutants: Mutant[] = [
  {
    name: "a refund that pends is paid",
    what: "a refund that comes back after hours is told as paid",
    edits: [
      edit(
        "src/stores/stripe/refunds.ts",
        'statuses.get(status) ?? "PENDING"',
        'statuses.get(status) ?? "SUCCEEDED"',
      ),
    ],
    beside: "refunds" as const,
  },
].map(atStripe);

const webhooks = "src/stores/stripe/webhooks/webhooks.ts";
const deliveries = "src/edges/webhooks/deliveries.ts";

/** Bugs about webhooks that come late, twice, in any order, or whose messages are lost. */
export const stripeWebhookMutants: Mutant[] = [
  {
    name: "a webhook that comes again is refused",
    what: "an event that Stripe sends twice fails, and is sent again and again",
    edits: [edit(deliveries, "    .onConflictDoNothing()\n", "")],
    rule: "no unexpected error",
  },
  {
    name: "the work of a webhook is nobody's whose message is lost",
    what: "what a webhook has asked for is not done where the queue has lost it",
    edits: [edit("src/runtime/jobs/tick.ts", "  webhooks: [deliverySweep],\n", "")],
    rule: "what a webhook asks for is done",
  },
  {
    name: "only the webhook of this second counts",
    what: "an event that took a moment is refused as one that somebody has recorded",
    edits: [edit(webhooks, "const toleranceMs = 5 * minuteMs;", "const toleranceMs = 0 * minuteMs;")],
    rule: "a webhook that Stripe has signed is taken",
  },
].map(atStripe);

/** Bugs in how a charge goes at Stripe. */
export const stripeMutants: Mutant[] = [
  {
    name: "confirmed without the note",
    what: "an intent is confirmed before its id is noted with its attempt",
    edits: [
      edit(charges, "  if (intent.id !== charge.reference) await charge.noteReference(intent.id);\n", ""),
    ],
    rule: "an intent is noted before it is confirmed",
  },
  {
    name: "another key for each creation",
    what: "an intent whose creation had no answer is created again",
    edits: [edit(request, "return create(key).catch(", "return create(`${key}:${newId()}`).catch(")],
    rule: "an attempt has one intent",
  },
  {
    name: "a challenge is a decline",
    what: "a payment for which the issuer asks its customer has failed",
    edits: [
      edit(
        declines,
        'return code === "authentication_required" || decline_code === "authentication_required";',
        'return code === "" || decline_code === "";',
      ),
    ],
    rule: "a challenge waits for its customer",
  },
  {
    name: "no intent is looked for",
    what: "what a restored database has forgotten is not looked for at Stripe, and is charged again",
    edits: [edit(finding, "const longestLostMs = 35 * dayMs;", "const longestLostMs = -35 * dayMs;")],
    rule: "never charged twice for a cycle",
    times: 10,
  },
  {
    name: "a declined intent stays open",
    what: "the intent of an attempt that has failed can still be paid",
    edits: [
      edit(
        charges,
        'if (answer?.outcome !== "declined" || intent.status === "canceled") return answer;',
        'if (answer?.outcome !== "declined" || intent.status !== "") return answer;',
      ),
    ],
    rule: "what has failed can no longer be paid",
  },
  {
    name: "a challenge is never over",
    what: "a payment that its customer has not confirmed in time can still be confirmed",
    edits: [
      edit(intents, "return later(instantIn(created), challengeMs) <= realNow;", 'return realNow === "";'),
    ],
    rule: "what has failed can no longer be paid",
  },
  {
    name: "a night ends what an attempt waits for",
    what: "a challenge that its attempt waits for is canceled in the night",
    edits: [
      edit(page, "  return isOfAttempt && (isOpen(attempt)", "  return !isOfAttempt && (isOpen(attempt)"),
    ],
    rule: "a challenge waits for its customer",
  },
].map(atStripe);
