import { refuseAmount } from "./amounts.ts";
import { confirm, confirmParams, tryToConfirm } from "./confirm-request.ts";
import { wrongParameter } from "./errors.ts";
import { emit } from "./events.ts";
import { findIntent, intentSecret, unexpectedState } from "./intents.ts";
import { listPage, listParams } from "./lists.ts";
import { takeMethod, typesOf } from "./method-choice.ts";
import { changedMetadata, flag, integer, nested, oneOf, required, text, unsettable } from "./parameters.ts";
import type { PaymentIntent } from "./records.ts";
import type { Call, Route } from "./routes.ts";
import { findRecord, newRecord } from "./store.ts";

/** docs.stripe.com/api/payment_intents */
export const paymentIntentRoutes: Route[] = [
  {
    operation: "payment_intents.create",
    method: "POST",
    path: "/v1/payment_intents",
    params: [
      ...confirmParams,
      "amount",
      "currency",
      "customer",
      "confirm",
      "automatic_payment_methods",
      "allowed_payment_method_types",
      "excluded_payment_method_types",
      "payment_method_types",
      "description",
      "metadata",
      "statement_descriptor_suffix",
    ],
    run: createIntent,
  },
  {
    operation: "payment_intents.list",
    method: "GET",
    path: "/v1/payment_intents",
    params: [...listParams, "customer"],
    run: ({ account, params }) => {
      const customer = text(params, "customer");
      const found = [...account.intents.values()].filter((one) => !customer || one.customer === customer);
      return listPage("/v1/payment_intents", found, params);
    },
  },
  {
    operation: "payment_intents.retrieve",
    method: "GET",
    path: "/v1/payment_intents/*",
    params: [],
    isPublic: true,
    run: ({ account, ids: [id = ""], params }) => findIntent(account, id, params),
  },
  {
    operation: "payment_intents.update",
    method: "POST",
    path: "/v1/payment_intents/*",
    params: ["description", "metadata", "receipt_email", "payment_method", "shipping"],
    run: updateIntent,
  },
  {
    operation: "payment_intents.confirm",
    method: "POST",
    path: "/v1/payment_intents/*/confirm",
    params: confirmParams,
    isPublic: true,
    run: confirm,
  },
  {
    operation: "payment_intents.cancel",
    method: "POST",
    path: "/v1/payment_intents/*/cancel",
    params: ["cancellation_reason"],
    run: cancelIntent,
  },
];

function createIntent({ account, params, version }: Call): PaymentIntent {
  const amount = integer(params, "amount");
  if (amount === undefined)
    throw wrongParameter("amount", "parameter_missing", "Missing required param: amount.");
  const currency = required(params, "currency").toLowerCase();
  if (!/^[a-z]{3}$/.test(currency))
    throw wrongParameter("currency", "parameter_invalid_string", `Invalid currency: ${currency}.`);
  const confirms = flag(params, "confirm") ?? false;
  // docs.stripe.com/api/payment_intents/create: these "can only be used with confirm=true"; the text: logs of public apps.
  for (const name of ["off_session", "return_url", "error_on_requires_action", "mandate_data"])
    if (!confirms && params[name] !== undefined)
      throw wrongParameter(name, "parameter_unknown", `${name} can only be used with confirm=true`);
  refuseAmount(amount, currency);
  const customer = text(params, "customer") ?? null;
  if (customer !== null) findRecord(account.customers, "customer", customer, "customer");
  const intent: PaymentIntent = {
    ...newRecord(account, "payment_intent", "pi"),
    amount,
    amount_capturable: 0,
    amount_received: 0,
    ...typesOf(account, params, version),
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: "",
    confirmation_method: "automatic",
    currency,
    customer,
    description: unsettable(params, "description") ?? null,
    last_payment_error: null,
    latest_charge: null,
    metadata: changedMetadata(params),
    next_action: null,
    payment_method: null,
    receipt_email: unsettable(params, "receipt_email") ?? null,
    setup_future_usage: unsettable(params, "setup_future_usage") ?? null,
    shipping: nested(params, "shipping") ?? null,
    statement_descriptor_suffix: text(params, "statement_descriptor_suffix") ?? null,
    status: "requires_payment_method",
  };
  intent.client_secret = intentSecret(account, intent.id);
  takeMethod(account, intent, params);
  account.intents.set(intent.id, intent);
  emit(account, "payment_intent.created", intent);
  if (confirms) tryToConfirm(account, intent, params);
  return intent;
}

function updateIntent({ account, ids: [id = ""], params }: Call): PaymentIntent {
  const intent = findIntent(account, id, params);
  if (intent.status !== "requires_payment_method" && intent.status !== "requires_confirmation")
    for (const name of Object.keys(params))
      if (name !== "metadata" && name !== "description" && name !== "expand")
        throw unexpectedState(
          intent,
          `This PaymentIntent's ${name} could not be updated because it has a status of ${intent.status}.`,
        );
  intent.metadata = changedMetadata(params, intent.metadata);
  if (params.description !== undefined) intent.description = unsettable(params, "description") ?? null;
  takeMethod(account, intent, params);
  return intent;
}

/** The reasons that a request may give (docs.stripe.com/api/payment_intents/cancel). */
const reasons = ["duplicate", "fraudulent", "requested_by_customer", "abandoned"] as const;

/**
 * An intent can be cancelled unless it has succeeded, was cancelled, or is being processed. The API names `processing` "in rare cases"
 * (docs.stripe.com/api/payment_intents/cancel); that it is refused here: guess.
 */
function cancelIntent({ account, ids: [id = ""], params }: Call): PaymentIntent {
  const intent = findIntent(account, id, params);
  if (["succeeded", "canceled", "processing"].includes(intent.status))
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
    );
  Object.assign(intent, {
    status: "canceled",
    canceled_at: account.now(),
    cancellation_reason: oneOf(params, "cancellation_reason", reasons) ?? null,
    next_action: null,
  });
  if (!account.settings.keepsErrorOfCancelled) intent.last_payment_error = null;
  account.pendingOutcomes.delete(intent.id);
  emit(account, "payment_intent.canceled", intent);
  return intent;
}
