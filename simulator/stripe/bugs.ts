import { newId } from "../../src/base/lib/ids.ts";
import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { reconciliationSweep } from "../../src/domain/billing/reconcile/nightly.ts";
import { addDelivery, deliverySweep } from "../../src/edges/webhooks/deliveries.ts";
import { makeCharge } from "../../src/stores/stripe/charges.ts";
import { asksForCustomer } from "../../src/stores/stripe/declines.ts";
import { findIntent } from "../../src/stores/stripe/find-intent.ts";
import { cancelIntent } from "../../src/stores/stripe/intent-requests.ts";
import { isLate } from "../../src/stores/stripe/intents.ts";
import { listRefunds, makeRefund } from "../../src/stores/stripe/refunds.ts";
import { createOnce } from "../../src/stores/stripe/request.ts";
import { stripeWebhooks } from "../../src/stores/stripe/webhooks/webhooks.ts";
import { replace, type SeededBug, sweepNothing } from "../seeded-bug.ts";

/** Bugs in how a charge goes at Stripe, and in what its webhooks bring. */
export const stripeBugs: SeededBug[] = [
  bug({
    name: "confirmed without the note",
    what: "an intent is confirmed before its id is noted with its attempt",
    rule: "an intent is noted before it is confirmed",
    replaces: [
      replace(
        makeCharge,
        (original) => (to, charge) => original(to, { ...charge, noteReference: async () => {} }),
      ),
    ],
  }),
  bug({
    name: "another key for each creation",
    what: "an intent whose creation had no answer is created again",
    rule: "an attempt has one intent",
    replaces: [
      replace(findIntent, (original) => async (to, charge, findCustomer) => {
        return charge.reference === null ? undefined : original(to, charge, findCustomer);
      }),
      replace(createOnce, (original) => (ask, request) => {
        return original(ask, { ...request, key: `${request.key}:${newId()}` });
      }),
    ],
  }),
  bug({
    name: "a payment method of no form",
    what: "the id of a payment method is asked for as Stripe does not spell it",
    rule: "the store accepts every request",
    replaces: [
      replace(makeCharge, (original) => (to, charge) => {
        return original(to, { ...charge, store_payment_method_id: `${charge.store_payment_method_id}/` });
      }),
    ],
  }),
  bug({
    name: "a challenge is a decline",
    what: "a payment for which the issuer asks its customer has failed",
    rule: "a challenge waits for its customer",
    replaces: [replace(asksForCustomer, () => () => false)],
  }),
  bug({
    name: "no intent is looked for",
    what: "what a restored database has forgotten is not looked for at Stripe, and is charged again",
    rule: "never charged twice for a cycle",
    replaces: [
      replace(findIntent, (original) => async (to, charge, findCustomer) => {
        return charge.reference === null ? undefined : original(to, charge, findCustomer);
      }),
    ],
    times: 10,
  }),
  bug({
    name: "a declined intent stays open",
    what: "the intent of an attempt that has failed can still be paid",
    rule: "what has failed can no longer be paid",
    replaces: [
      replace(cancelIntent, (original) => async (ask, intent, reason) => {
        return reason ? original(ask, intent, reason) : { ...intent, status: "canceled" };
      }),
    ],
  }),
  bug({
    name: "a challenge is never over",
    what: "a payment that its customer has not confirmed in time can still be confirmed",
    rule: "what has failed can no longer be paid",
    replaces: [replace(isLate, () => () => false)],
  }),
  bug({
    name: "no night compares intents",
    what: "a payment whose attempt a restore has undone is never known",
    rule: "what was paid has not failed",
    replaces: [sweepNothing(reconciliationSweep)],
  }),
  bug({
    name: "a webhook that comes again is refused",
    what: "an event that Stripe sends twice fails, and is sent again and again",
    rule: "no unexpected error",
    replaces: [
      replace(addDelivery, (original) => async (ctx, webhook) => {
        if (await original(ctx, webhook)) return true;
        throw new Error("This webhook was stored before");
      }),
    ],
  }),
  bug({
    name: "the work of a webhook is nobody's whose message is lost",
    what: "what a webhook has asked for is not done where the queue has lost it",
    rule: "what a webhook asks for is done",
    replaces: [sweepNothing(deliverySweep)],
  }),
  bug({
    name: "only the webhook of this second counts",
    what: "an event that took a moment is refused as one that somebody has recorded",
    rule: "a webhook that Stripe has signed is taken",
    replaces: [
      replace(stripeWebhooks, (original) => ({
        ...original,
        findSender: (input) => {
          const realNow = new Date(input.realNow.getTime() + 5 * minuteMs);
          return original.findSender({ ...input, realNow });
        },
      })),
    ],
  }),
  bug({
    name: "a refund that pends is paid",
    what: "a refund that comes back after hours is told as paid",
    rule: "a refund that was paid is recorded once",
    replaces: [
      replace(makeRefund, (original) => async (...asked) => ({
        ...(await original(...asked)),
        status: "SUCCEEDED",
      })),
      replace(listRefunds, (original) => async (...asked) => {
        return (await original(...asked)).map((refund) => ({ ...refund, status: "SUCCEEDED" }));
      }),
    ],
    beside: "refunds",
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, platform: "stripe" };
}
