import { nextAction } from "./confirmation.ts";
import { invalid, StripeError } from "./errors.ts";
import { emit } from "./events.ts";
import { errorOf, intentSecret } from "./intents.ts";
import { typesOf } from "./method-choice.ts";
import type { Failure } from "./outcomes.ts";
import { changedMetadata, oneOf, text, unsettable } from "./parameters.ts";
import { attach, findMethod, refuseDetached } from "./payment-methods.ts";
import type { PaymentMethod, SetupIntent } from "./records.ts";
import type { Call, Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";

/** docs.stripe.com/api/setup_intents */
export const setupIntentRoutes: Route[] = [
  {
    operation: "setup_intents.create",
    method: "POST",
    path: "/v1/setup_intents",
    params: [
      "customer",
      "usage",
      "description",
      "metadata",
      "automatic_payment_methods",
      "allowed_payment_method_types",
      "excluded_payment_method_types",
      "payment_method_types",
      "payment_method_options",
    ],
    run: createSetup,
  },
  {
    operation: "setup_intents.retrieve",
    method: "GET",
    path: "/v1/setup_intents/*",
    params: [],
    isPublic: true,
    run: findSetup,
  },
  {
    operation: "setup_intents.confirm",
    method: "POST",
    path: "/v1/setup_intents/*/confirm",
    params: ["payment_method", "return_url", "mandate_data", "use_stripe_sdk"],
    isPublic: true,
    run: (call) => {
      const setup = findSetup(call);
      confirmSetup(call.account, setup, text(call.params, "payment_method"), text(call.params, "return_url"));
      return setup;
    },
  },
  {
    operation: "setup_intents.cancel",
    method: "POST",
    path: "/v1/setup_intents/*/cancel",
    params: ["cancellation_reason"],
    run: cancelSetup,
  },
];

function createSetup({ account, params, version }: Call): SetupIntent {
  const customer = text(params, "customer") ?? null;
  if (customer !== null) findRecord(account.customers, "customer", customer, "customer");
  const setup: SetupIntent = {
    ...newRecord(account, "setup_intent", "seti"),
    ...typesOf(account, params, version),
    cancellation_reason: null,
    client_secret: "",
    customer,
    description: unsettable(params, "description") ?? null,
    last_setup_error: null,
    mandate: null,
    metadata: changedMetadata(params),
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
    // docs.stripe.com/api/setup_intents/create: "If not provided, this value defaults to off_session".
    usage: oneOf(params, "usage", ["off_session", "on_session"]) ?? "off_session",
  };
  setup.client_secret = intentSecret(account, setup.id);
  account.setupIntents.set(setup.id, setup);
  emit(account, "setup_intent.created", setup);
  return setup;
}

/** Sets a payment method up, as the customer's browser asks for: their bank is asked, but nothing is charged. */
export function confirmSetup(
  account: FakeAccount,
  setup: SetupIntent,
  methodId: string | undefined,
  returnUrl: string | undefined,
): void {
  if (setup.status === "succeeded" || setup.status === "canceled")
    throw unexpectedState(
      setup,
      `You cannot confirm this SetupIntent because it has a status of ${setup.status}.`,
    );
  const chosen = methodId ?? setup.payment_method;
  if (chosen === null)
    throw unexpectedState(
      setup,
      "You cannot confirm this SetupIntent because it's missing a payment method. You can either update the SetupIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  const method = findMethod(account, chosen, "payment_method");
  refuseDetached(method);
  if (!setup.payment_method_types.includes(method.type))
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this SetupIntent. Please attach a valid PaymentMethod to use with this SetupIntent.`,
      { code: "setup_intent_invalid_parameter", param: "payment_method" },
    );
  setup.payment_method = method.id;
  const behaviour = account.behaviours.get(method.id);
  if (behaviour?.refusal) {
    failSetup(account, setup, method, behaviour.refusal);
    throw new StripeError(402, { ...setup.last_setup_error!, setup_intent: structuredClone(setup) });
  }
  // "Always authenticate" and "Authenticate unless set up" (docs.stripe.com/testing#regulatory-cards).
  if (behaviour?.authentication === "always" || behaviour?.authentication === "unless set up") {
    setup.status = "requires_action";
    setup.next_action = nextAction(account, setup.id, returnUrl);
    emit(account, "setup_intent.requires_action", setup);
    return;
  }
  completeSetup(account, setup);
}

/** The payment method is the customer's from now on (docs.stripe.com/payments/setup-intents); a debit has a mandate. */
export function completeSetup(account: FakeAccount, setup: SetupIntent): void {
  const method = findMethod(account, setup.payment_method ?? "");
  if (setup.customer !== null) attach(account, method, setup.customer);
  account.setUp.add(method.id);
  setup.status = "succeeded";
  setup.next_action = null;
  setup.last_setup_error = null;
  if (method.type !== "card") setup.mandate = account.id("mandate");
  emit(account, "setup_intent.succeeded", setup);
}

/** The customer has not authenticated (docs.stripe.com/error-codes, `setup_intent_authentication_failure`). */
export function failSetupChallenge(account: FakeAccount, setup: SetupIntent): void {
  failSetup(account, setup, findMethod(account, setup.payment_method ?? ""), {
    code: "setup_intent_authentication_failure",
    message: "The latest attempt to set up the payment method has failed because authentication failed.",
  });
}

function failSetup(account: FakeAccount, setup: SetupIntent, method: PaymentMethod, failure: Failure): void {
  setup.status = "requires_payment_method";
  setup.payment_method = null;
  setup.next_action = null;
  setup.last_setup_error = errorOf(method, failure);
  emit(account, "setup_intent.setup_failed", setup);
}

/** docs.stripe.com/api/setup_intents/cancel names the states; one of a Checkout Session is not cancelled by itself. */
function cancelSetup(call: Call): SetupIntent {
  const setup = findSetup(call);
  if (setup.status === "succeeded" || setup.status === "canceled")
    throw unexpectedState(
      setup,
      `You cannot cancel this SetupIntent because it has a status of ${setup.status}.`,
    );
  if ([...call.account.sessions.values()].some((one) => one.setup_intent === setup.id))
    throw unexpectedState(
      setup,
      "You cannot cancel the SetupIntent of a Checkout Session. Expire it instead.",
    );
  setup.status = "canceled";
  setup.next_action = null;
  setup.cancellation_reason =
    oneOf(call.params, "cancellation_reason", ["abandoned", "requested_by_customer", "duplicate"]) ?? null;
  emit(call.account, "setup_intent.canceled", setup);
  return setup;
}

/** A setup, whose secret a browser has to show. */
function findSetup({ account, ids: [id = ""], params }: Call): SetupIntent {
  const setup = findRecord(account.setupIntents, "setupintent", id);
  if (params.client_secret !== undefined && params.client_secret !== setup.client_secret)
    throw invalid(
      "The client_secret provided does not match the client_secret associated with this SetupIntent.",
      { param: "client_secret" },
    );
  return setup;
}

function unexpectedState(setup: SetupIntent, message: string) {
  const error = invalid(message, { code: "setup_intent_unexpected_state" });
  error.fields.setup_intent = structuredClone(setup);
  return error;
}
