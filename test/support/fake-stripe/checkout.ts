import { invalid, wrongParameter } from "./errors.ts";
import { emit } from "./events.ts";
import { intentSecret } from "./intents.ts";
import { listPage, listParams } from "./lists.ts";
import { typesOf } from "./method-choice.ts";
import { changedMetadata, integer, list, nested, required, text } from "./parameters.ts";
import type { CheckoutSession, SetupIntent } from "./records.ts";
import type { Call, Route } from "./routes.ts";
import { type FakeAccount, findRecord, newRecord } from "./store.ts";

/** docs.stripe.com/api/checkout/sessions, of which mode `setup` is here. */
export const checkoutRoutes: Route[] = [
  {
    operation: "checkout.sessions.create",
    method: "POST",
    path: "/v1/checkout/sessions",
    params: [
      "mode",
      "currency",
      "customer",
      "success_url",
      "cancel_url",
      "client_reference_id",
      "metadata",
      "setup_intent_data",
      "allowed_payment_method_types",
      "excluded_payment_method_types",
      "payment_method_types",
      "expires_at",
      "locale",
    ],
    run: createSession,
  },
  {
    operation: "checkout.sessions.list",
    method: "GET",
    path: "/v1/checkout/sessions",
    params: [...listParams, "customer"],
    run: ({ account, params }) => {
      const customer = text(params, "customer");
      const found = [...account.sessions.values()].filter((one) => !customer || one.customer === customer);
      return listPage("/v1/checkout/sessions", found, params);
    },
  },
  {
    operation: "checkout.sessions.retrieve",
    method: "GET",
    path: "/v1/checkout/sessions/*",
    params: [],
    run: ({ account, ids: [id = ""] }) => findSession(account, id),
  },
  {
    operation: "checkout.sessions.expire",
    method: "POST",
    path: "/v1/checkout/sessions/*/expire",
    params: [],
    run: ({ account, ids: [id = ""] }) => {
      const session = findSession(account, id);
      if (session.status !== "open")
        throw invalid(`Only Checkout Sessions with a status in ["open"] can be expired.`);
      return expire(account, session);
    },
  },
];

/** A session lives for a day, or until `expires_at`, from 30 minutes on (docs.stripe.com/api/checkout/sessions/create). */
const livesSeconds = 24 * 3600;
const shortestSeconds = 1800;

function createSession({ account, params, version }: Call): CheckoutSession {
  if (required(params, "mode") !== "setup")
    throw wrongParameter(
      "mode",
      "parameter_invalid_string",
      "The fake account has Checkout in mode setup alone",
    );
  // "Required in setup mode when allowed_payment_method_types is not set" (docs.stripe.com/api/checkout/sessions/create).
  if (!list(params, "allowed_payment_method_types") && params.payment_method_types === undefined)
    required(params, "currency");
  const customer = text(params, "customer") ?? null;
  if (customer !== null) findRecord(account.customers, "customer", customer, "customer");
  const now = account.now();
  const expiresAt = integer(params, "expires_at") ?? now + livesSeconds;
  if (expiresAt < now + shortestSeconds || expiresAt > now + livesSeconds)
    throw invalid("The `expires_at` timestamp must be between 30 minutes and 24 hours from now.", {
      param: "expires_at",
    });
  const { payment_method_types, ...types } = typesOf(account, params, version);
  const data = nested(params, "setup_intent_data") ?? {};
  const setup: SetupIntent = {
    ...newRecord(account, "setup_intent", "seti"),
    ...types,
    payment_method_types,
    cancellation_reason: null,
    client_secret: "",
    customer,
    description: text(data, "description") ?? null,
    last_setup_error: null,
    mandate: null,
    metadata: changedMetadata(data),
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
    usage: "off_session",
  };
  setup.client_secret = intentSecret(account, setup.id);
  account.setupIntents.set(setup.id, setup);
  const mode = account.settings.livemode ? "live" : "test";
  const id = `cs_${mode}_${account.secret(56)}`;
  const session: CheckoutSession = {
    ...newRecord(account, "checkout.session", "cs"),
    id,
    cancel_url: text(params, "cancel_url") ?? null,
    client_reference_id: text(params, "client_reference_id") ?? null,
    currency: text(params, "currency") ?? null,
    customer,
    expires_at: expiresAt,
    metadata: changedMetadata(params),
    mode: "setup",
    payment_method_types,
    payment_status: "no_payment_required",
    setup_intent: setup.id,
    status: "open",
    success_url: required(params, "success_url"),
    url: `${account.settings.pagesAt}/c/pay/${id}`,
  };
  account.sessions.set(id, session);
  return session;
}

/** A session, which expires by itself. */
export function findSession(account: FakeAccount, id: string): CheckoutSession {
  const session = findRecord(account.sessions, "checkout.session", id);
  if (session.status === "open" && account.now() >= session.expires_at) expire(account, session);
  return session;
}

function expire(account: FakeAccount, session: CheckoutSession): CheckoutSession {
  session.status = "expired";
  session.url = null;
  const setup = account.setupIntents.get(session.setup_intent);
  if (setup) setup.status = "canceled";
  emit(account, "checkout.session.expired", session);
  return session;
}

/** The page was completed; a session that is over has no page (docs.stripe.com/api/checkout/sessions/object, `url`). */
export function completeSession(account: FakeAccount, session: CheckoutSession): void {
  session.status = "complete";
  session.url = null;
  emit(account, "checkout.session.completed", session);
}

/** docs.stripe.com/payments/checkout/custom-success-page: the address may name the session. */
export function successUrl({ success_url, id }: CheckoutSession): string {
  return (success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", id);
}
