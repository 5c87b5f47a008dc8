import type { NewDispute } from "./disputes.ts";
import { decline, type Failure, type Outcome, outcomes } from "./outcomes.ts";
import type { Card, PaymentMethod, PaymentMethodType } from "./records.ts";

/** How a payment method behaves when it is used. */
export type Behaviour = {
  /** The outcome of a charge, once the customer has authenticated where that is asked. */
  outcome: Outcome;
  /** When the customer has to authenticate (docs.stripe.com/testing#regulatory-cards). */
  authentication: "never" | "always" | "unless set up" | "on session";
  /** With what it is refused as soon as it is attached, or set up. */
  refusal?: Failure;
  /** A charge that succeeds is disputed at once (docs.stripe.com/testing#disputes). */
  dispute?: NewDispute;
};

type TestMethod = Behaviour & {
  type: PaymentMethodType;
  brand?: string;
  last4: string;
  funding?: Card["funding"];
};

const visa = { type: "card", brand: "visa", outcome: outcomes.success, authentication: "never" } as const;

/** Cards that cannot be attached to a customer, because that asks the bank too (docs.stripe.com/testing#declined-payments). */
function declined(last4: string, outcome: Outcome): TestMethod {
  const refusal = outcome.is === "decline" ? { refusal: outcome.failure } : {};
  return { ...visa, last4, outcome, ...refusal };
}

const debit = { type: "us_bank_account", authentication: "never" } as const;

/** The code with which a debit fails, once it was processing (docs.stripe.com/payments/ach-direct-debit/blocked-bank-accounts: guess). */
function returned(last4: string, code: string): TestMethod {
  return { ...debit, last4, outcome: outcomes.processing(outcomes.failure(code)) };
}

/**
 * The test tokens of docs.stripe.com/testing, docs.stripe.com/testing#regulatory-cards, and docs.stripe.com/payments/ach-direct-debit/accept-a-payment
 * ("Test your integration"). Two spellings of a token are the documentation's old and new one.
 */
export const testMethods: Record<string, TestMethod> = {
  pm_card_visa: { ...visa, last4: "4242" },
  pm_card_visa_debit: { ...visa, last4: "5556", funding: "debit" },
  pm_card_mastercard: { ...visa, brand: "mastercard", last4: "4444" },
  pm_card_mastercard_debit: { ...visa, brand: "mastercard", last4: "8210", funding: "debit" },
  pm_card_amex: { ...visa, brand: "amex", last4: "8431" },

  pm_card_chargeDeclined: declined("0002", decline("generic_decline")),
  pm_card_visa_chargeDeclined: declined("0002", decline("generic_decline")),
  pm_card_chargeDeclinedInsufficientFunds: declined("9995", decline("insufficient_funds")),
  pm_card_visa_chargeDeclinedInsufficientFunds: declined("9995", decline("insufficient_funds")),
  pm_card_visa_chargeDeclinedLostCard: declined("9987", decline("lost_card")),
  pm_card_visa_chargeDeclinedStolenCard: declined("9979", decline("stolen_card")),
  pm_card_chargeDeclinedExpiredCard: declined("0069", decline("expired_card")),
  pm_card_chargeDeclinedIncorrectCvc: declined("0127", decline("incorrect_cvc")),
  pm_card_chargeDeclinedProcessingError: declined("0119", decline("processing_error")),
  pm_card_visa_chargeDeclinedVelocityLimitExceeded: declined("6975", decline("card_velocity_exceeded")),
  /** "Decline after attaching": attaching succeeds, charges do not. */
  pm_card_chargeCustomerFail: { ...visa, last4: "0341", outcome: decline("generic_decline") },

  pm_card_authenticationRequiredOnSetup: { ...visa, last4: "3155", authentication: "unless set up" },
  pm_card_authenticationRequired: { ...visa, last4: "3184", authentication: "always" },
  pm_card_authenticationRequiredSetupForOffSession: { ...visa, last4: "0446", authentication: "on session" },
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: {
    ...visa,
    last4: "3178",
    authentication: "always",
    outcome: decline("insufficient_funds"),
  },
  pm_card_threeDSecure2Required: { ...visa, last4: "3220", authentication: "always" },

  pm_card_createDispute: { ...visa, last4: "0259", dispute: { reason: "fraudulent" } },
  pm_card_createDisputeProductNotReceived: {
    ...visa,
    last4: "2685",
    dispute: { reason: "product_not_received" },
  },
  pm_card_createDisputeInquiry: {
    ...visa,
    last4: "1976",
    dispute: { reason: "fraudulent", isInquiry: true },
  },

  pm_usBankAccount_success: { ...debit, last4: "6789", outcome: outcomes.processing() },
  pm_usBankAccount_accountClosed: returned("1113", "account_closed"),
  pm_usBankAccount_noAccount: returned("1116", "no_account"),
  pm_usBankAccount_insufficientFunds: returned("2227", "insufficient_funds"),
  pm_usBankAccount_debitNotAuthorized: returned("3335", "debit_not_authorized"),
  /** A token of the fake's own: Stripe's are named by country and bank. */
  pm_sepaDebit_success: {
    type: "sepa_debit",
    authentication: "never",
    last4: "3000",
    outcome: outcomes.processing(),
  },
};

/** The card or account that a payment method shows. */
export function instrumentOf({ type, brand = "visa", last4, funding = "credit" }: TestMethod) {
  if (type === "sepa_debit")
    return { sepa_debit: { bank_code: "37040044", country: "DE", fingerprint: `fp${last4}`, last4 } };
  if (type === "us_bank_account")
    return {
      us_bank_account: {
        account_holder_type: "individual",
        account_type: "checking",
        bank_name: "STRIPE TEST BANK",
        last4,
        routing_number: "110000000",
      },
    };
  const card: Card = {
    brand,
    display_brand: brand,
    country: "US",
    exp_month: 12,
    exp_year: 2034,
    fingerprint: `fp${last4}`,
    funding,
    last4,
    networks: { available: [brand], preferred: null },
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
  return { card } satisfies Partial<PaymentMethod>;
}
