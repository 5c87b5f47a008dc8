import { confirmIntent } from "./confirmation.ts";
import { invalid } from "./errors.ts";
import type { Params } from "./form.ts";
import { findIntent, unexpectedState } from "./intents.ts";
import { takeMethod } from "./method-choice.ts";
import { flag, text, unsettable } from "./parameters.ts";
import { findMethod } from "./payment-methods.ts";
import type { PaymentIntent } from "./records.ts";
import type { Call } from "./routes.ts";
import type { FakeAccount } from "./store.ts";

/** The parameters of a confirmation, which a creation that confirms takes, too. */
export const confirmParams = [
  "payment_method",
  "off_session",
  "error_on_requires_action",
  "return_url",
  "mandate",
  "mandate_data",
  "payment_method_options",
  "setup_future_usage",
  "receipt_email",
  "shipping",
  "use_stripe_sdk",
] as const;

export function confirm({ account, ids: [id = ""], params }: Call): PaymentIntent {
  const intent = findIntent(account, id, params);
  // The texts: logs of public apps; the code: docs.stripe.com/error-codes.
  if (intent.status === "succeeded")
    throw unexpectedState(
      intent,
      "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.",
    );
  if (!["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status))
    throw unexpectedState(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
    );
  takeMethod(account, intent, params);
  tryToConfirm(account, intent, params);
  return intent;
}

/** An intent without a payment method cannot be confirmed; one whose types may redirect needs a `return_url`. */
export function tryToConfirm(account: FakeAccount, intent: PaymentIntent, params: Params): void {
  if (intent.payment_method === null)
    throw unexpectedState(
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  const returnUrl = text(params, "return_url");
  const isServer = params.client_secret === undefined;
  if (isServer && intent.automatic_payment_methods?.allow_redirects === "always" && returnUrl === undefined)
    throw invalid(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
      { param: "return_url" },
    );
  const method = findMethod(account, intent.payment_method);
  if (params.mandate_data !== undefined) account.setUp.add(method.id);
  // docs.stripe.com/payments/ach-direct-debit: a debit needs a mandate; its code: docs.stripe.com/error-codes.
  if (method.type !== "card" && !account.setUp.has(method.id))
    throw invalid("This PaymentIntent requires a mandate, but no existing mandate was found.", {
      code: "payment_intent_mandate_invalid",
      param: "payment_method",
    });
  if (params.setup_future_usage !== undefined)
    intent.setup_future_usage = unsettable(params, "setup_future_usage") ?? null;
  confirmIntent(account, intent, {
    offSession: params.off_session !== undefined && params.off_session !== "false",
    errorOnRequiresAction: flag(params, "error_on_requires_action") ?? false,
    returnUrl,
  });
}
