import { billing, edit, type Mutant } from "./edits.ts";

const earlier = `${billing}/earlier-challenge.ts`;
const waits = "a challenge waits for its customer";
const twice = "never charged twice for a cycle";

/** Bugs about payments that a customer confirms after they were given up, and about charges of nothing. */
export const challengeMutants: Mutant[] = [
  {
    name: "only the last challenge is asked about",
    what: "of several expired challenges of a cycle one is asked about before the next charge",
    edits: [edit(earlier, "of challenges) {", "of challenges.slice(0, 1)) {")],
    caughtBy: {
      file: "test/webhooks/several-challenges.test.ts",
      test: "challenge 0 is confirmed: the next try finds it, and is not sent",
    },
  },
  {
    name: "no challenge is asked about",
    what: "the next charge is made whether or not the customer has confirmed an earlier one",
    edits: [edit(`${billing}/charge.ts`, "findConfirmed(ctx, challenges)", "findConfirmed(ctx, [])")],
    caughtBy: "simulator",
    rule: twice,
  },
  {
    name: "its own request is forgotten",
    what: "a challenge that was confirmed pays the cycle while a request of the next attempt may still be charged",
    edits: [
      edit(
        `${billing}/charge.ts`,
        "const own = await findOwn(ctx, claimed);",
        "const own = attempt.id === '' && (await findOwn(ctx, attempt));",
      ),
      edit(
        `${billing}/charge.ts`,
        'return isQuiet(ctx, claimed.attempt) ? { outcome: "paid_earlier"',
        'return attempt ? { outcome: "paid_earlier"',
      ),
    ],
    caughtBy: {
      file: "test/webhooks/several-challenges.test.ts",
      test: "it has arrived: it is the charge, and the challenge confirmed meanwhile is reported",
    },
  },
  {
    name: "an undone request is forgotten",
    what: "a challenge that was confirmed pays the cycle, and nobody learns that the next attempt was charged before a restore",
    edits: [
      edit(
        `${billing}/charge.ts`,
        "const own = await findOwn(ctx, claimed);",
        "const own = attempt.last_sent_at && (await findOwn(ctx, attempt));",
      ),
    ],
    caughtBy: {
      file: "test/webhooks/undone-requests.test.ts",
      test: "its customer confirms it too: that is reported once",
    },
  },
  {
    name: "a charge that is found is another attempt's",
    what: "an attempt whose sending a restore has undone is not marked as sent when its charge is found, and is taken for one that carries the charge of an earlier attempt",
    edits: [
      edit(
        `${billing}/charge.ts`,
        "if (!found || !isUnsent(attempt)) return found;",
        "if (!found || attempt) return found;",
      ),
    ],
    caughtBy: {
      file: "test/webhooks/undone-requests.test.ts",
      test: "only the earlier one is reported, once",
    },
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
    caughtBy: "simulator",
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
    caughtBy: "simulator",
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
    caughtBy: "simulator",
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
    caughtBy: "simulator",
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
    caughtBy: "simulator",
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
    caughtBy: "simulator",
    rule: waits,
  },
  {
    name: "a late challenge at today's figures",
    what: "an order has the lines and the prices of today, and not those that its customer has confirmed and paid",
    edits: [
      edit(`${billing}/start-confirmed.ts`, "isChargedAsNow(view.row, { expired, charge }) ?", "charge ?"),
    ],
    caughtBy: {
      file: "test/webhooks/several-challenges.test.ts",
      test: "the store charges what was confirmed: that pays, without a review",
    },
  },
  {
    name: "a late challenge always at its own figures",
    what: "an order has the prices of then, where the store has charged those that its contract has now",
    edits: [
      edit(`${billing}/start-confirmed.ts`, "isChargedAsNow(view.row, { expired, charge }) ?", "!charge ?"),
    ],
    caughtBy: {
      file: "test/webhooks/several-challenges.test.ts",
      test: "the store charges what its contract has become: that pays, without a review",
    },
  },
];
