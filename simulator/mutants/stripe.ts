import { edit, type Mutant } from "./edits.ts";

const charges = "src/stores/stripe/charges.ts";
const intents = "src/stores/stripe/intents.ts";
const declines = "src/stores/stripe/declines.ts";
const request = "src/stores/stripe/request.ts";

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
        'const is_pending = status === "processing" || isChallenge(intent);',
        'const is_pending = status === "" && isChallenge(intent);',
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
];

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
    edits: [edit(charges, "const longestLostMs = 35 * dayMs;", "const longestLostMs = -35 * dayMs;")],
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
].map(atStripe);
