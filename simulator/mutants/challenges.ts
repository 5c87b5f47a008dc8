import { billing, edit, type Mutant } from "./edits.ts";

const waits = "a challenge waits for its customer";
const twice = "never charged twice for a cycle";

/** Bugs about payments that a customer confirms after they were given up, and about charges of nothing. */
export const challengeMutants: Mutant[] = [
  {
    name: "no challenge is asked about",
    what: "the next charge is made whether or not the customer has confirmed an earlier one",
    edits: [edit(`${billing}/charge.ts`, "findConfirmed(ctx, challenges)", "findConfirmed(ctx, [])")],
    rule: twice,
  },
  {
    name: "nights ask about no challenge",
    what: "a payment that is confirmed late is never seen if its webhook is lost",
    edits: [
      edit(
        "src/domain/billing/reconcile/nightly.ts",
        "await reconcileChallenges(ctx, job.challenges ?? first, isEnough);",
        "await reconcileChallenges(ctx, job.challenges ?? first, () => isEnough || true).then((page) => ({ ...page, next: null }));",
      ),
    ],
    rule: "an order for every charge",
  },
  {
    name: "a second confirmation is not reported",
    what: "a customer who confirms two challenges of a cycle has paid twice, and nobody is told",
    edits: [
      edit(
        `${billing}/confirmed-late.ts`,
        'if (!isStillUnpaid(row, confirmed.expired)) return { result: "unmatched" };',
        'if (!isStillUnpaid(row, confirmed.expired)) return { result: "recorded" };',
      ),
    ],
    rule: "an order for every charge",
  },
  {
    name: "dunning over nothing",
    what: "a store that declines a charge of 0 opens an episode",
    edits: [
      edit(
        `${billing}/consequences.ts`,
        'failure.failure === "customer" && attempt.amount > 0 && ',
        'failure.failure === "customer" && ',
      ),
    ],
    platform: "shopify",
    rule: "no episode without an amount",
  },
  {
    name: "a challenge ends after a day",
    what: "a customer who confirms a payment on the second day is told that they are too late",
    edits: [
      edit(
        "src/domain/billing/challenge.ts",
        "later(challengedAt, challengeMs)",
        "later(challengedAt, challengeMs / 3)",
      ),
    ],
    rule: waits,
  },
  {
    name: "a challenge is told with each look",
    what: "a customer is written to whenever the store is asked about the payment",
    edits: [
      edit(
        `${billing}/wait.ts`,
        'attempt.status !== "REVIEW" && attempt.challenged_at === null',
        'attempt.status !== "REVIEW"',
      ),
    ],
    rule: waits,
  },
  {
    name: "a challenge gives way to itself",
    what: "the next look withdraws a payment that its customer is about to confirm",
    edits: [
      edit(
        `${billing}/charge.ts`,
        "methodDiffers(row, attempt) && isBelowHourlyLimit(recent)",
        "row.id !== null && isBelowHourlyLimit(recent)",
      ),
    ],
    rule: waits,
  },
];
