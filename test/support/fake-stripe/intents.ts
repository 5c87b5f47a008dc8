import { invalid } from "./errors.ts";
import type { Params } from "./form.ts";
import type { Failure } from "./outcomes.ts";
import type { IntentError, PaymentIntent, PaymentMethod } from "./records.ts";
import { type FakeAccount, findRecord } from "./store.ts";

/** The secret that a browser shows for an intent. */
export function intentSecret(account: FakeAccount, id: string): string {
  return `${id}_secret_${account.secret(25)}`;
}

/** The error that an intent shows after its payment method was declined. */
export function errorOf(method: PaymentMethod, failure: Failure): IntentError {
  return {
    type: method.type === "card" ? "card_error" : "invalid_request_error",
    doc_url: `https://docs.stripe.com/error-codes#${failure.code.replaceAll("_", "-")}`,
    ...failure,
    payment_method: structuredClone(method),
  };
}

/** An intent, whose secret a browser has to show. */
export function findIntent(account: FakeAccount, id: string, params: Params): PaymentIntent {
  const intent = findRecord(account.intents, "payment_intent", id);
  if (params.client_secret !== undefined && params.client_secret !== intent.client_secret)
    throw invalid(
      "The client_secret provided does not match the client_secret associated with this PaymentIntent.",
      {
        param: "client_secret",
      },
    );
  return intent;
}

export function unexpectedState(intent: PaymentIntent, message: string) {
  const error = invalid(message, { code: "payment_intent_unexpected_state" });
  error.fields.payment_intent = structuredClone(intent);
  return error;
}
