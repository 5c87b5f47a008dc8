import { settleDebit } from "./fake-stripe/confirmation.ts";
import { createCustomer } from "./fake-stripe/customers.ts";
import { dashboardOf } from "./fake-stripe/dashboard.ts";
import { type Delivery, deliver, signedRequest } from "./fake-stripe/deliveries.ts";
import { type Fault, failed } from "./fake-stripe/faults.ts";
import type { Params } from "./fake-stripe/form.ts";
import { incoming } from "./fake-stripe/http.ts";
import { sequence } from "./fake-stripe/ids.ts";
import type { Outcome } from "./fake-stripe/outcomes.ts";
import { answerBank, pageFor } from "./fake-stripe/pages.ts";
import { attach, createMethod } from "./fake-stripe/payment-methods.ts";
import type {
  Charge,
  Customer,
  PaymentIntent,
  PaymentMethod,
  Refund,
  SetupIntent,
  StripeEvent,
  WebhookEndpoint,
} from "./fake-stripe/records.ts";
import { confirmSetup } from "./fake-stripe/setup-intents.ts";
import {
  type FakeAccount,
  fakeAccount,
  findRecord,
  newRecord,
  type SavedAccount,
  type Settings,
  saveAccount,
} from "./fake-stripe/store.ts";
import { addEndpoint, rollSecret } from "./fake-stripe/webhook-endpoints.ts";
import { faultQueue } from "./fault-queue.ts";

export { type Delivery, signatureOf } from "./fake-stripe/deliveries.ts";
export type { Fault } from "./fake-stripe/faults.ts";
export { type Outcome, outcomes } from "./fake-stripe/outcomes.ts";
export type * from "./fake-stripe/records.ts";
export type { SavedAccount } from "./fake-stripe/store.ts";
export { testMethods } from "./fake-stripe/test-methods.ts";

export type FakeStripeOptions = Partial<Settings> & {
  /** The current time in milliseconds; by default a clock that only advance() moves. */
  now?: () => number;
  /** Numbers between 0 and 1, of which ids are made; by default a sequence that is always the same. */
  random?: () => number;
  /** The records of an earlier account, which it goes on with. */
  saved?: SavedAccount | undefined;
};

/** A request that Stripe received, whether it failed or not. */
export type LoggedRequest = {
  /** As Stripe's libraries name it, for example `payment_intents.confirm`; null for a path that Stripe has not. */
  operation: string | null;
  params: Params;
  idempotencyKey: string | null;
  fault: Fault["kind"] | null;
};

export type FakeStripe = {
  /** Answers as https://api.stripe.com does; rejects if a fault says that there is no answer. */
  fetch(request: Request): Promise<Response>;

  /** By id, or the newest that has this value in its metadata. */
  intent(idOrKey: string): PaymentIntent;
  /** The outcomes of the next confirmations, in turn; they precede those of the payment methods. */
  nextOutcomes(...next: Outcome[]): void;
  /** The customer authenticates, so that a payment or a setup that waits for it goes on. */
  confirmAs(intentId: string): void;
  /** The customer does not authenticate, so that the intent waits for another payment method. */
  failAuthentication(intentId: string): void;
  /** The customer gives a payment method, by a test token, as Stripe.js sends it; throws the bank's refusal. */
  setUp(setupIntentId: string, token?: string): SetupIntent;
  /** A debit that is processing has arrived, or was returned; by default as its payment method says. */
  settle(intentId: string, outcome?: Outcome): void;

  /** A customer as if made in the Dashboard. */
  addCustomer(fields?: Params): Customer;
  /** A payment method of a customer, that behaves as a test token does, and was set up for off-session payments. */
  addPaymentMethod(customerId: string, token?: string): PaymentMethod;

  fail(fault: Fault): void;
  /** Processes the requests that faults with `effect: "late"` have held back. */
  arriveLate(): void;
  advance(ms: number): void;

  /** The webhooks since the last call, signed now, to each endpoint that listens. */
  takeWebhooks(delivery?: Delivery): Promise<Request[]>;
  /** Any event as Stripe sends it to an endpoint, also one that nothing here causes; signed at this second, or now. */
  webhookOf(endpointId: string, type: string, object: object, signedAt?: number): Promise<Request>;
  /** An event that has happened, as Stripe sends it to an endpoint, for the first time or again; signed now. */
  send(endpointId: string, event: StripeEvent): Promise<Request>;
  /** An endpoint as if made in the Dashboard, which shows its secret. */
  addEndpoint(url: string, ...enabledEvents: string[]): { endpoint: WebhookEndpoint; secret: string };
  /** Gives an endpoint a new secret; the one before signs for this long. */
  rollSecret(endpointId: string, expiresInMs?: number): string;
  endpoints(): WebhookEndpoint[];

  /** Its records, for another fake to go on with. */
  save(): SavedAccount;

  requests: LoggedRequest[];
  /** The payments that customers have made: what really was paid, however often a request was sent. */
  charges(): Charge[];
  refunds(): Refund[];
  intents(): PaymentIntent[];
  customers(): Customer[];
} & ReturnType<typeof dashboardOf> &
  Pick<FakeAccount, "settings" | "events">;

/**
 * A Stripe account in memory: it answers the API's requests in the API's shapes, and behaves as Stripe's documentation says. What it does
 * not implement is an error that says so.
 */
export function newFakeStripe({
  now,
  random = sequence(1),
  saved,
  ...options
}: FakeStripeOptions = {}): FakeStripe {
  let advanced = 0;
  const settings: Settings = {
    accountId: "acct_1FakeFakeFakeFake",
    secretKeys: ["sk_test_fake"],
    publishableKey: "pk_test_fake",
    refusedPermissions: new Set(),
    restriction: null,
    livemode: false,
    country: "DE",
    defaultCurrency: "eur",
    apiVersion: "2026-10-28.endive",
    refundsPend: false,
    keepsErrorOfCancelled: true,
    pagesAt: "https://stripe.fake",
    reachesLoopback: false,
    paymentMethodTypes: ["card", "sepa_debit", "us_bank_account"],
    ...options,
  };
  const account = fakeAccount(settings, () => (now?.() ?? clockStart) + advanced, random);
  if (saved) Object.assign(account, structuredClone(saved));
  const scheduled = faultQueue<Fault>();
  const requests: LoggedRequest[] = [];
  const late: (() => unknown)[] = [];
  const find = (id: string): PaymentIntent => findRecord(account.intents, "payment_intent", id);
  const challenged = (id: string): PaymentIntent | SetupIntent =>
    waiting(account.setupIntents.get(id) ?? find(id), "requires_action");

  return {
    async fetch(request) {
      const page = await pageFor(account, request);
      if (page) return page;
      const { operation, params, idempotencyKey, answer, hold } = await incoming(account, request);
      const fault = scheduled.next(operation);
      requests.push({ operation, params, idempotencyKey, fault: fault?.kind ?? null });
      if (!fault) return answer();
      const effect = fault.effect ?? "none";
      if (fault.kind === "http500") return answer(effect === "done" ? "done" : "none");
      if (neverProcessed.has(fault.kind)) return failed(fault);
      if (effect === "done") answer();
      if (effect === "late") {
        hold();
        late.push(answer);
      }
      return failed(fault);
    },

    intent(idOrKey) {
      const found = [...account.intents.values()].findLast(
        ({ id, metadata }) => id === idOrKey || Object.values(metadata).includes(idOrKey),
      );
      if (!found) throw new Error(`There is no intent ${idOrKey}`);
      return found;
    },
    nextOutcomes(...next) {
      account.script.push(...next);
    },
    confirmAs: (id) => answerBank(account, challenged(id), true),
    failAuthentication: (id) => answerBank(account, challenged(id), false),
    setUp(id, token = "pm_card_visa") {
      const setup = findRecord(account.setupIntents, "setupintent", id);
      confirmSetup(account, setup, token, undefined);
      return setup;
    },
    settle: (id, outcome) => settleDebit(account, waiting(find(id), "processing"), outcome),

    addCustomer: (fields = {}) => createCustomer(account, fields),
    addPaymentMethod(customerId, token = "pm_card_visa") {
      const method = attach(account, createMethod(account, token), customerId);
      account.setUp.add(method.id);
      return method;
    },

    fail: scheduled.add,
    arriveLate() {
      for (const answer of late.splice(0)) answer();
    },
    advance(ms) {
      advanced += ms;
    },

    takeWebhooks: (delivery) => deliver(account, delivery),
    webhookOf(endpointId, type, object, signedAt) {
      const endpoint = findRecord(account.endpoints, "webhook endpoint", endpointId);
      const event: StripeEvent = {
        ...newRecord(account, "event", "evt"),
        api_version: settings.apiVersion,
        data: { object: structuredClone(object) as Record<string, unknown> },
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      return signedRequest(account, endpoint, event, signedAt);
    },
    send: (endpointId, event) =>
      signedRequest(account, findRecord(account.endpoints, "webhook endpoint", endpointId), event),
    addEndpoint: (url, ...enabledEvents) =>
      addEndpoint(account, { url, enabled_events: enabledEvents.length === 0 ? ["*"] : enabledEvents }),
    rollSecret: (id, expiresInMs = 24 * 3_600_000) => rollSecret(account, id, expiresInMs),
    endpoints: () => [...account.endpoints.values()],

    ...dashboardOf(account),
    save: () => saveAccount(account),
    requests,
    charges: () => [...account.charges.values()].filter(({ status }) => status === "succeeded"),
    refunds: () => [...account.refunds.values()],
    intents: () => [...account.intents.values()],
    customers: () => [...account.customers.values()],
    settings,
    events: account.events,
  };
}

/** Faults of what stands before the API. */
const neverProcessed = new Set<Fault["kind"]>(["http429", "http502", "lock_timeout"]);

/** A test that acts on an intent in another state is wrong. */
function waiting<T extends PaymentIntent | SetupIntent>(intent: T, status: T["status"]): T {
  if (intent.status !== status) throw new Error(`The intent ${intent.id} is ${intent.status}, not ${status}`);
  return intent;
}

/** The default clock's first instant. */
const clockStart = Date.parse("2026-11-21T09:00:00.000Z");
