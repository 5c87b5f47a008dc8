import { makeCharge, settleCharge } from "./charges.ts";
import { openDispute } from "./disputes.ts";
import { StripeError } from "./errors.ts";
import { emit } from "./events.ts";
import { errorOf } from "./intents.ts";
import { type Failure, failureBy, type Outcome, outcomes } from "./outcomes.ts";
import { findMethod } from "./payment-methods.ts";
import type { IntentError, PaymentIntent, PaymentMethod } from "./records.ts";
import type { FakeAccount } from "./store.ts";

export type Confirmation = {
  offSession: boolean;
  /** An intent that would wait for its customer is declined instead (docs.stripe.com/api/payment_intents/confirm). */
  errorOnRequiresAction?: boolean;
  returnUrl?: string | undefined;
};

/**
 * Tries to pay an intent with its payment method. A decline throws what the API answers: 402 with the intent in it, which has lost its
 * payment method and waits for another (docs.stripe.com/payments/paymentintents/lifecycle).
 */
export function confirmIntent(account: FakeAccount, intent: PaymentIntent, how: Confirmation): void {
  const method = findMethod(account, intent.payment_method ?? "");
  intent.last_payment_error = null;
  intent.next_action = null;
  const outcome = account.script.shift() ?? outcomeOf(account, method, intent, how);
  follow(account, intent, method, outcome, how);
}

/** The outcome of a confirmation, by the way its payment method behaves. */
function outcomeOf(
  account: FakeAccount,
  method: PaymentMethod,
  intent: PaymentIntent,
  { offSession }: Confirmation,
): Outcome {
  const { outcome, authentication } = account.behaviours.get(method.id) ?? usual;
  const isSetUp = account.setUp.has(method.id);
  const isAsked = {
    never: false,
    always: true,
    /** "After you set it up, off-session payments no longer require authentication" (docs.stripe.com/testing#regulatory-cards). */
    "unless set up": !offSession || !isSetUp,
    "on session": !offSession,
  }[authentication];
  if (intent.setup_future_usage === "off_session") account.setUp.add(method.id);
  return isAsked ? outcomes.challenge(outcome) : outcome;
}

const usual = { outcome: outcomes.success, authentication: "never" } as const;

function follow(
  account: FakeAccount,
  intent: PaymentIntent,
  method: PaymentMethod,
  outcome: Outcome,
  how: Confirmation,
): void {
  switch (outcome.is) {
    case "success":
      succeed(account, intent, method);
      return;
    case "decline":
      declineIntent(account, intent, method, outcome.failure);
      throw declinedError(intent);
    case "processing":
      account.pendingOutcomes.set(intent.id, outcome.outcome);
      intent.status = "processing";
      makeCharge(account, intent, method, "pending");
      emit(account, "payment_intent.processing", intent);
      return;
    case "challenge":
      if (how.errorOnRequiresAction || (how.offSession && !outcome.evenOffSession)) {
        declineIntent(account, intent, method, authenticationRequired);
        throw declinedError(intent);
      }
      account.pendingOutcomes.set(intent.id, outcome.outcome);
      intent.status = "requires_action";
      intent.next_action = nextAction(account, intent.id, how.returnUrl);
      emit(account, "payment_intent.requires_action", intent);
  }
}

/**
 * docs.stripe.com/declines/codes, `authentication_required`: an off-session payment is declined with it. That its code and its decline
 * code are the same: guess; that the intent waits for a
 * payment method then: github.com/stripe-archive/stripe-payments-demo, issue 43.
 */
const authenticationRequired = failureBy("authentication_required");

/** With a `return_url` the customer is sent to the bank's page, else Stripe.js shows it (docs.stripe.com/api/payment_intents/object). */
export function nextAction(
  account: FakeAccount,
  id: string,
  returnUrl: string | undefined,
): PaymentIntent["next_action"] {
  const page = `${account.settings.pagesAt}/3ds/${id}`;
  if (returnUrl === undefined)
    return { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: page } };
  return { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl, url: page } };
}

function succeed(account: FakeAccount, intent: PaymentIntent, method: PaymentMethod): void {
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  const charge = makeCharge(account, intent, method, "succeeded");
  emit(account, "payment_intent.succeeded", intent);
  const dispute = account.behaviours.get(method.id)?.dispute;
  if (dispute) openDispute(account, charge, dispute);
}

function declineIntent(
  account: FakeAccount,
  intent: PaymentIntent,
  method: PaymentMethod,
  failure: Failure,
): void {
  const charge = makeCharge(account, intent, method, "failed", failure);
  waitForMethod(account, intent, { ...errorOf(method, failure), charge: charge.id });
}

/** The intent waits for another payment method. */
function waitForMethod(account: FakeAccount, intent: PaymentIntent, error: IntentError): void {
  intent.status = "requires_payment_method";
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_payment_error = error;
  emit(account, "payment_intent.payment_failed", intent);
}

function declinedError(intent: PaymentIntent): StripeError {
  const error = intent.last_payment_error!;
  return new StripeError(402, { ...error, type: "card_error", payment_intent: structuredClone(intent) });
}

/** The customer has authenticated: the payment goes on. A decline is not thrown, as nobody waits for the answer. */
export function completeChallenge(account: FakeAccount, intent: PaymentIntent): void {
  const outcome = account.pendingOutcomes.get(intent.id) ?? outcomes.success;
  account.pendingOutcomes.delete(intent.id);
  intent.next_action = null;
  try {
    follow(account, intent, findMethod(account, intent.payment_method ?? ""), outcome, { offSession: false });
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
  }
}

/** The customer has not authenticated (docs.stripe.com/error-codes, `payment_intent_authentication_failure`). No charge is made of it. */
export function failChallenge(account: FakeAccount, intent: PaymentIntent): void {
  account.pendingOutcomes.delete(intent.id);
  const method = findMethod(account, intent.payment_method ?? "");
  waitForMethod(account, intent, {
    ...errorOf(method, {
      code: "payment_intent_authentication_failure",
      message:
        "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.",
    }),
    type: "invalid_request_error",
  });
}

/** A debit has arrived, or was returned (docs.stripe.com/payments/ach-direct-debit, "it can take up to 4 business days"). */
export function settleDebit(account: FakeAccount, intent: PaymentIntent, chosen?: Outcome): void {
  const outcome = chosen ?? account.pendingOutcomes.get(intent.id) ?? outcomes.success;
  account.pendingOutcomes.delete(intent.id);
  const charge = account.charges.get(intent.latest_charge ?? "");
  if (!charge) throw new Error(`The intent ${intent.id} has no charge`);
  if (outcome.is === "success") {
    intent.status = "succeeded";
    intent.amount_received = intent.amount;
    settleCharge(account, charge);
    emit(account, "payment_intent.succeeded", intent);
    return;
  }
  if (outcome.is !== "decline") throw new Error("A debit succeeds or is declined");
  settleCharge(account, charge, outcome.failure);
  const method = findMethod(account, charge.payment_method);
  waitForMethod(account, intent, { ...errorOf(method, outcome.failure), charge: charge.id });
}
