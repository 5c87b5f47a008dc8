import type { Failure } from "./outcomes.ts";
import type { IntentError, PaymentMethod } from "./records.ts";
import type { FakeAccount } from "./store.ts";

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
