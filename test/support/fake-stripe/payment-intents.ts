import { refuseAmount } from "./amounts.ts";
import { confirmIntent } from "./confirmation.ts";
import { invalid, wrongParameter } from "./errors.ts";
import { emit } from "./events.ts";
import type { Params } from "./form.ts";
import { intentSecret } from "./intents.ts";
import { listPage, listParams } from "./lists.ts";
import {
  changedMetadata,
  flag,
  integer,
  list,
  nested,
  oneOf,
  required,
  text,
  unsettable,
} from "./parameters.ts";
import { findMethod, refuseDetached } from "./payment-methods.ts";
import type { PaymentIntent } from "./records.ts";
import type { Call, Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";

const confirmParams = [
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

/**
 * The types that an intent may be paid by: those turned on in the Dashboard, less those that the request leaves out. Since
 * 2026-09-30.endive they cannot be named by `payment_method_types`
 * (docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents).
 */
export function typesOf(account: FakeAccount, params: Params, version: string) {
  const named = list(params, "payment_method_types");
  if (named && version >= "2026-09-30")
    throw invalid("payment_method_types is no longer supported. Use allowed_payment_method_types instead.", {
      code: "payment_method_types_no_longer_supported",
      param: "payment_method_types",
    });
  const allowed = list(params, "allowed_payment_method_types");
  const excluded = list(params, "excluded_payment_method_types") ?? [];
  const automatic = nested(params, "automatic_payment_methods") ?? {};
  // Turned on by default since 2023-08-16 (docs.stripe.com/changelog/2023-08-16/automatic-payment-methods).
  const allow_redirects = oneOf(automatic, "allow_redirects", ["always", "never"]) ?? "always";
  const offered = allowed ?? account.settings.paymentMethodTypes;
  return {
    automatic_payment_methods: named ? null : { enabled: true, allow_redirects },
    allowed_payment_method_types: allowed ?? null,
    payment_method_types: named ?? offered.filter((one) => !excluded.includes(one)),
  };
}

/** Takes the payment method that a request names. */
function takeMethod(account: FakeAccount, intent: PaymentIntent, params: Params): void {
  const id = text(params, "payment_method");
  if (id === undefined) return;
  const method = findMethod(account, id, "payment_method");
  refuseDetached(method);
  // The texts and codes of these three: logs of public apps.
  if (method.customer !== null && intent.customer === null)
    throw invalid(
      `The PaymentMethod ${method.id} belongs to a Customer. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
      { param: "payment_method" },
    );
  if (method.customer !== null && method.customer !== intent.customer)
    throw invalid(
      `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`,
      { param: "payment_method" },
    );
  if (!intent.payment_method_types.includes(method.type))
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent. Please attach a valid PaymentMethod to use with this PaymentIntent.`,
      { code: "payment_intent_incompatible_payment_method", param: "payment_method" },
    );
  intent.payment_method = method.id;
  intent.status = "requires_confirmation";
}

function confirm({ account, ids: [id = ""], params }: Call): PaymentIntent {
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
function tryToConfirm(account: FakeAccount, intent: PaymentIntent, params: Params): void {
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

/** An intent, whose secret a browser has to show. */
function findIntent(account: FakeAccount, id: string, params: Params): PaymentIntent {
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

function unexpectedState(intent: PaymentIntent, message: string) {
  const error = invalid(message, { code: "payment_intent_unexpected_state" });
  error.fields.payment_intent = structuredClone(intent);
  return error;
}
