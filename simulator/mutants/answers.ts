import { billing, edit, type Mutant } from "./edits.ts";

const declines = "src/stores/shopify/declines.ts";
const lease = "src/stores/shopify/contracts/contract-lease.ts";
const failures = "test/shopify/failures.test.ts";
const ordersOfCharges = "test/webhooks/orders-of-charges.test.ts";
const storeAnswers = "test/billing/store-answers.test.ts";
const leases = "test/shopify/contract-lease.test.ts";

/** Bugs in what an answer of the store means. */
export const answerMutants: Mutant[] = [
  {
    name: "a success without its order is a decline",
    what: "a charge whose order the store does not show yet counts as declined, and is made again under a new number",
    edits: [
      edit(
        "src/stores/shopify/attempts.ts",
        '{ outcome: "succeeded_without_order", reference: id, paid: null };',
        '{ outcome: "declined", reference: id, ...classifyFailure("CARD_DECLINED", undefined, false) };',
      ),
    ],
    platform: "shopify",
    caughtBy: "simulator",
    rule: "never charged twice for a cycle",
  },
  {
    name: "other currencies are accepted",
    what: "a charge in another currency is recorded as the attempt's",
    edits: [
      edit(
        `${billing}/record-success.ts`,
        "if (success.currency_code !== attempt.currency_code)",
        "if (success.currency_code === '')",
      ),
    ],
    caughtBy: { file: storeAnswers, test: "a store that charged another currency" },
  },
  {
    name: "any order is accepted",
    what: "the order of another charge or subscription is taken over",
    edits: [
      edit("src/domain/billing/order.ts", "return isTaken ? undefined : claimOrder(", "return claimOrder("),
    ],
    caughtBy: { file: ordersOfCharges, test: "another charge's order is not claimed" },
  },
  {
    name: "the order of an earlier charge is accepted",
    what: "one order is recorded for two charges of a subscription",
    edits: [edit("src/domain/billing/order.ts", "    known.row.billing_attempt_id !== null ||\n", "")],
    caughtBy: {
      file: ordersOfCharges,
      test: "the order of an earlier charge of the subscription is not claimed again",
    },
  },
  {
    name: "insufficient funds are final",
    what: "a decline that may pass is not tried again",
    edits: [edit(declines, 'INSUFFICIENT_FUNDS: "retry"', 'INSUFFICIENT_FUNDS: "hard"')],
    caughtBy: { file: failures, test: "(payment) with INSUFFICIENT_FUNDS:" },
  },
  {
    name: "throttled is a decline",
    what: "a store that takes no requests has declined the charge",
    edits: [edit(declines, 'THROTTLED: "throttled"', 'THROTTLED: "retry"')],
    caughtBy: { file: failures, test: "THROTTLED leaves the attempt open, and the request is repeated" },
  },
  {
    name: "a contract that changes meanwhile is a refusal",
    what: "where somebody else changes the contract before a charge, the store has refused the charge",
    edits: [edit("src/stores/shopify/request.ts", '["STALE_CONTRACT", "THROTTLED"', '["THROTTLED"')],
    caughtBy: { file: failures, test: "STALE_CONTRACT while the contract is changed for the charge" },
  },
  {
    name: "withdrawn is a decline",
    what: "a challenge that was withdrawn for another payment method opens dunning",
    edits: [edit("src/domain/retries/policy.ts", '[notCharged.code, "withdrawn"]', "[notCharged.code]")],
    caughtBy: { file: storeAnswers, test: "withdrawn for another payment method, it is no refusal" },
  },
  {
    name: "withdrawn is a refusal",
    what: "a charge that was withdrawn at the store gives its number and key back",
    edits: [edit("src/stores/sandbox/charges.ts", "isRefused: false", 'isRefused: code === "withdrawn"')],
    caughtBy: { file: storeAnswers, test: "withdrawn for another payment method, it is no refusal" },
  },
  {
    name: "a lease of a second",
    what: "a contract is changed while a request of its holder is under way",
    edits: [edit(lease, "const leaseMs = 120_000;", "const leaseMs = 1_000;")],
    caughtBy: { file: leases, test: "a holder that stops without an end keeps the lease for two minutes" },
  },
  {
    name: "another's lease is released",
    what: "a holder whose lease has ended releases that of the next",
    edits: [edit(lease, "subscription_id, lease_until };", "subscription_id };")],
    caughtBy: {
      file: leases,
      test: "a holder that ends after its lease does not release that of the next",
    },
  },
];
