import { edit, type Mutant } from "./edits.ts";

const charges = "src/stores/stripe/charges.ts";
const finding = "src/stores/stripe/find-intent.ts";
const intents = "src/stores/stripe/intents.ts";
const declines = "src/stores/stripe/declines.ts";
const request = "src/stores/stripe/request.ts";
const page = "src/domain/billing/reconcile/page.ts";
const stranded = "test/stripe/stranded.test.ts";

function atStripe(mutant: Omit<Mutant, "platform" | "caughtBy">): Mutant {
  return { ...mutant, platform: "stripe", caughtBy: "simulator" };
}

const comparing = "test/stripe/reconcile.test.ts";

/** Bugs about charges at Stripe that a restore has undone, which random schedules hardly reach. */
export const stripeRestoreMutants: Mutant[] = [
  {
    name: "a charge under way is forgotten",
    what: "a debit whose attempt a restore has undone is neither recorded nor reported when it arrives",
    edits: [
      edit(
        "src/stores/stripe/charges-made.ts",
        'const is_pending = status === "processing" || isPayable(intent);',
        'const is_pending = status === "" && isPayable(intent);',
      ),
    ],
    caughtBy: { file: comparing, test: "is kept in mind though its attempt was withdrawn" },
  },
  {
    name: "a challenge that nobody waits for stays",
    what: "a payment whose attempt a restore has undone can be confirmed for ever",
    edits: [
      edit(
        "src/domain/billing/reconcile/page.ts",
        "  if (charge.is_pending && (await hasEnded(ctx, charge))) return undefined;\n",
        "",
      ),
    ],
    caughtBy: { file: comparing, test: "and waits for a customer who never comes" },
  },
  {
    name: "a decline that nobody waits for stays",
    what: "a payment that was declined, and whose attempt a restore has undone, can be paid with another card for ever",
    edits: [
      edit(
        "src/stores/stripe/charges-made.ts",
        'status === "processing" || isPayable(intent);',
        'status === "processing" || (status === "requires_action" && isPayable(intent));',
      ),
    ],
    caughtBy: {
      file: stranded,
      test: "that was declined is closed in the night, also where the subscription was cancelled",
    },
  },
  {
    name: "a charge beside the attempt's stays",
    what: "a payment under the key of an attempt that has another charge can be confirmed for ever",
    edits: [
      edit(
        page,
        "const isOfAttempt = [null, reference].includes(knownChargeOf(attempt).reference);",
        'const isOfAttempt = reference !== "" && knownChargeOf(attempt).key !== "";',
      ),
    ],
    caughtBy: { file: stranded, test: "is ended where the attempt of its key has another charge" },
  },
  {
    name: "a life that was undone is to be refunded",
    what: "people are told to refund a charge that pays for the subscription once it is reactivated",
    edits: [
      edit(
        "src/domain/billing/reconcile/record-missing.ts",
        "const mayBegin = profile.deleted_at === null;",
        'const mayBegin = profile.deleted_at === "";',
      ),
    ],
    caughtBy: { file: comparing, test: "is told as that, and pays for that life once it begins again" },
  },
  {
    name: "a free charge looks for no intent",
    what: "what was paid for a cycle, or could still be, is not looked for where it costs nothing after a restore",
    edits: [edit(charges, "(found && (await answerEarlier(to, found, charge)))", "undefined")],
    caughtBy: {
      file: stranded,
      test: "records what its customer has paid for it before the database was restored",
    },
  },
  {
    name: "an ended challenge keeps its key",
    what: "the try of a challenge that was ended in the night is declined, instead of charged",
    edits: [
      edit(
        charges,
        "return intent && cancelCharge(to, intent, charge, cancellations.replaced);",
        "return intent && cancelCharge(to, intent, charge, cancellations.withdrawn);",
      ),
    ],
    caughtBy: {
      file: stranded,
      test: "leaves its key to the try that is still to come, which is charged once",
    },
  },
  {
    name: "the note of a restore counts",
    what: "an intent that was replaced after the point to which the database was restored hides the one that was paid",
    edits: [edit(finding, "if (noted && !isReplaced(noted)) return noted;", "if (noted) return noted;")],
    caughtBy: {
      file: stranded,
      test: "is not replaced again where its attempt is still to be sent, and the one in its place was paid",
    },
  },
  {
    name: "a replaced intent is a decline",
    what: "an attempt whose intent was replaced has failed, and the next number is charged while its key is free",
    edits: [
      edit(
        charges,
        "return intent && isReplaced(intent) ? undefined : intent;",
        'return intent && isReplaced(intent) && intent.id === "" ? undefined : intent;',
      ),
    ],
    caughtBy: {
      file: stranded,
      test: "is no decline where none is in its place: its key is left to the next attempt",
    },
  },
];

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
