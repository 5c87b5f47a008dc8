import { isZeroDecimal } from "./amounts.ts";
import { emit } from "./events.ts";
import { listPage, listParams } from "./lists.ts";
import type { Failure } from "./outcomes.ts";
import { text } from "./parameters.ts";
import type { Charge, PaymentIntent, PaymentMethod } from "./records.ts";
import type { Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";

/** docs.stripe.com/api/charges */
export const chargeRoutes: Route[] = [
  {
    operation: "charges.retrieve",
    method: "GET",
    path: "/v1/charges/*",
    params: [],
    run: ({ account, ids: [id = ""] }) => findRecord(account.charges, "charge", id),
  },
  {
    operation: "charges.list",
    method: "GET",
    path: "/v1/charges",
    params: [...listParams, "customer", "payment_intent"],
    run: ({ account, params }) => {
      const customer = text(params, "customer");
      const intent = text(params, "payment_intent");
      const found = [...account.charges.values()].filter(
        (one) => (!customer || one.customer === customer) && (!intent || one.payment_intent === intent),
      );
      return listPage("/v1/charges", found, params);
    },
  },
];

/** The charge of an attempt to pay an intent: each attempt makes one (docs.stripe.com/payments/payment-intents, "latest_charge"). */
export function makeCharge(
  account: FakeAccount,
  intent: PaymentIntent,
  method: PaymentMethod,
  status: Charge["status"],
  failure?: Failure,
): Charge {
  const isPaid = status === "succeeded";
  const charge: Charge = {
    ...newRecord(account, "charge", method.type === "card" ? "ch" : "py"),
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: isPaid ? account.id("txn") : null,
    billing_details: structuredClone(method.billing_details),
    captured: isPaid,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    metadata: { ...intent.metadata },
    outcome: outcomeOf(failure),
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: structuredClone(method[method.type]) },
    refunded: false,
    status,
  };
  if (failure) failCharge(charge, failure);
  account.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  emit(account, `charge.${status}`, charge);
  return charge;
}

/** A pending charge of a debit that has arrived, or has been returned. */
export function settleCharge(account: FakeAccount, charge: Charge, failure?: Failure): void {
  if (failure) failCharge(charge, failure);
  else
    Object.assign(charge, {
      status: "succeeded",
      paid: true,
      captured: true,
      amount_captured: charge.amount,
      balance_transaction: account.id("txn"),
    });
  emit(account, `charge.${charge.status}`, charge);
}

function failCharge(charge: Charge, failure: Failure): void {
  const { code, message } = failure;
  Object.assign(charge, {
    status: "failed",
    failure_code: code,
    failure_message: message,
    outcome: outcomeOf(failure),
  });
}

/** docs.stripe.com/api/charges/object, `outcome`; docs.stripe.com/declines. */
function outcomeOf(failure: Failure | undefined): Charge["outcome"] {
  if (!failure)
    return {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: "approved_by_network",
      reason: null,
      seller_message: "Payment complete.",
      type: "authorized",
    };
  return {
    advice_code: failure.advice_code ?? null,
    network_advice_code: null,
    network_decline_code: failure.network_decline_code ?? null,
    network_status: "declined_by_network",
    reason: failure.decline_code ?? failure.code,
    seller_message: `The bank returned the decline code \`${failure.decline_code ?? failure.code}\`.`,
    type: "issuer_declined",
  };
}

/** An amount as Stripe's messages write it. */
export function written(amount: number, currency: string): string {
  return `${isZeroDecimal(currency) ? amount : (amount / 100).toFixed(2)} ${currency}`;
}
