import { z } from "zod";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { type ChargeAnswer, challengeMs } from "../port.ts";
import { minorOf } from "./amounts.ts";
import { asksForCustomer, classifyFailure, type StripeFailure } from "./declines.ts";
import { instantIn, referenceSchema, timeSchema } from "./responses.ts";

/** Why this service cancels an intent, as Stripe names reasons: https://docs.stripe.com/api/payment_intents/cancel */
export const cancellations = {
  /** Its customer has not confirmed it in time. */
  abandoned: "abandoned",
  /** Its customer pays in another way. */
  withdrawn: "requested_by_customer",
  /** It was never confirmed, or nobody here waits for it: another one takes its place under the same key. */
  replaced: "duplicate",
} as const;
export type Cancellation = (typeof cancellations)[keyof typeof cancellations];

/**
 * The state of an intent as an answer; undefined for one that was not confirmed, which asks nobody for money. What each state means:
 * https://docs.stripe.com/payments/paymentintents/lifecycle
 */
export function interpretIntent(intent: Intent, confirmationUrl: string): ChargeAnswer | undefined {
  const { id: reference, status } = intent;
  switch (status) {
    case "requires_confirmation":
      return undefined;
    case "succeeded":
      return successOf(intent);
    case "processing":
      return { outcome: "pending", reference, takesDays: true };
    case "requires_action":
      return { outcome: "action_required", reference, url: confirmationUrl };
    case "requires_payment_method":
      return isChallenge(intent)
        ? { outcome: "action_required", reference, url: confirmationUrl }
        : { outcome: "declined", reference, ...classifyFailure(failureOf(intent) ?? noMethod, false) };
    case "canceled":
      return { outcome: "declined", reference, ...classifyCanceled(intent) };
    default:
      return { outcome: "pending", reference };
  }
}

/**
 * Whether the intent waits for its customer. Where an issuer asks for them although they are not there, the intent has failed, and they
 * can confirm it on a page: https://docs.stripe.com/payments/save-and-reuse#charge-saved-payment-method
 */
export function isChallenge({ status, last_payment_error: error }: Intent): boolean {
  return (
    status === "requires_action" ||
    (status === "requires_payment_method" && error !== null && asksForCustomer(error))
  );
}

/** Whether its customer can still pay it: it was confirmed, and waits for them or for another payment method. */
export function isPayable({ status }: Intent): boolean {
  return status === "requires_action" || status === "requires_payment_method";
}

/** Whether the customer's time to confirm it is over. */
export function isLate({ created }: Intent, realNow: Instant): boolean {
  return later(instantIn(created), challengeMs) <= realNow;
}

/** Whether another intent takes its place under the same key. */
export function isReplaced({ status, cancellation_reason }: Intent): boolean {
  return status === "canceled" && cancellation_reason === cancellations.replaced;
}

const text = z.string().nullish();

const failureSchema = z.object({ code: text, decline_code: text, advice_code: text, message: text });

/** The last try to charge, as it is expanded: it keeps the reason why it failed. */
const chargeSchema = z.object({
  id: z.string(),
  failure_code: text,
  failure_message: text,
  outcome: z.object({ reason: text, advice_code: text }).nullish(),
});

/** A PaymentIntent: https://docs.stripe.com/api/payment_intents/object */
export const intentSchema = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.int(),
  amount_received: z.int(),
  currency: z.string(),
  created: timeSchema,
  customer: referenceSchema,
  payment_method: referenceSchema,
  cancellation_reason: text,
  metadata: z.record(z.string(), z.string()),
  last_payment_error: failureSchema.nullable(),
  latest_charge: z.union([z.string(), chargeSchema]).nullable(),
});
export type Intent = z.output<typeof intentSchema>;

function successOf({ id, amount_received, currency }: Intent): ChargeAnswer {
  const currency_code = currency.toUpperCase();
  return {
    outcome: "succeeded",
    reference: id,
    store_order_id: id,
    store_order_number: null,
    amount: minorOf(amount_received, currency_code),
    tax_amount: 0,
    fees_amount: 0,
    currency_code,
  };
}

/** Why its last try has failed. A change of the intent may clear its own error, and the charge keeps it. */
function failureOf({ last_payment_error, latest_charge: charge }: Intent): StripeFailure | undefined {
  if (last_payment_error) return last_payment_error;
  if (charge === null || typeof charge === "string" || !charge.failure_code) return undefined;
  const { failure_code: code, failure_message: message, outcome } = charge;
  return { code, message, advice_code: outcome?.advice_code, decline_code: declineCodeIn(charge) };
}

/** The issuer's reason is that of the outcome where the charge was declined: https://docs.stripe.com/api/charges/object#charge_object-outcome */
function declineCodeIn({ failure_code, outcome }: z.output<typeof chargeSchema>) {
  return failure_code === "card_declined" ? outcome?.reason : undefined;
}

/** The payment method is gone. */
const noMethod: StripeFailure = {
  code: "resource_missing",
  message: "The payment has no payment method any more",
};

/** The reasons that this service gives come first, since a challenge has an error, too. */
function classifyCanceled(intent: Intent) {
  const { cancellation_reason: reason } = intent;
  if (reason === cancellations.abandoned) return challengeExpired;
  if (reason === cancellations.withdrawn) return withdrawn;
  return classifyFailure(failureOf(intent) ?? canceledAtStripe, false);
}

const challengeExpired = {
  failure: "customer",
  code: "authentication_expired",
  message: "The customer did not confirm the payment in time",
  isFinal: true,
  isRefused: false,
} as const;

const withdrawn = {
  failure: "customer",
  code: "withdrawn",
  message: "The payment was withdrawn for another payment method",
  isFinal: false,
  isRefused: false,
} as const;

const canceledAtStripe: StripeFailure = {
  code: "payment_canceled",
  message: "The payment was canceled at Stripe",
};
