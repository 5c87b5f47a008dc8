import { StripeError } from "./errors.ts";
import type { Saved } from "./idempotency.ts";
import { idMaker } from "./ids.ts";
import type { Outcome } from "./outcomes.ts";
import type {
  Charge,
  CheckoutSession,
  Customer,
  Dispute,
  PaymentIntent,
  PaymentMethod,
  Refund,
  SetupIntent,
  StripeEvent,
  WebhookEndpoint,
} from "./records.ts";
import type { Behaviour } from "./test-methods.ts";

/** The settings of the fake account, which a test may change at any time. */
export type Settings = {
  accountId: string;
  /** The keys that are accepted, and the one for browsers. A restricted key begins with rk_. */
  secretKeys: string[];
  publishableKey: string;
  /** The operations that restricted keys have no permission for, as `webhook_endpoints.create`. */
  refusedPermissions: Set<string>;
  /** How Stripe refuses what a restricted account asks for: these operations, or all. */
  restriction: { status: number; code: string; operations?: string[] } | null;
  livemode: boolean;
  country: string;
  defaultCurrency: string;
  /** The version that requests without `Stripe-Version` are answered by, and that events are sent in. */
  apiVersion: string;
  /** Whether refunds are pending until settleRefund() is called, as those of bank debits are. */
  refundsPend: boolean;
  /** Whether an intent that is cancelled still shows the error of its last payment; its charge always does (guess). */
  keepsErrorOfCancelled: boolean;
  /** Where the pages that customers are sent to are served: Checkout, and the bank's page of 3-D Secure. */
  pagesAt: string;
  /** Whether webhooks may go to this machine, which the real Stripe refuses. */
  reachesLoopback: boolean;
  /** The types of payment method that are turned on in the Dashboard. */
  paymentMethodTypes: string[];
};

/** The requests of a moment: what an event says of its cause. */
export type Cause = { id: string | null; idempotency_key: string | null };

/** The fake account's records and settings. */
export type FakeAccount = {
  settings: Settings;
  nowMs: () => number;
  /** Seconds since 1970, as Stripe counts. */
  now: () => number;
  id: (prefix: string) => string;
  secret: (length: number) => string;
  customers: Map<string, Customer>;
  /** Deleted customers, which can still be retrieved (docs.stripe.com/api/customers/delete). */
  deletedCustomers: Set<string>;
  methods: Map<string, PaymentMethod>;
  behaviours: Map<string, Behaviour>;
  /** The payment methods that were set up for off-session payments, and those that have a mandate. */
  setUp: Set<string>;
  intents: Map<string, PaymentIntent>;
  setupIntents: Map<string, SetupIntent>;
  sessions: Map<string, CheckoutSession>;
  charges: Map<string, Charge>;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  endpoints: Map<string, WebhookEndpoint>;
  /** Each endpoint's secrets, the newest first: a rolled one goes on signing until it expires. */
  endpointSecrets: Map<string, { secret: string; expiresAt: number }[]>;
  events: StripeEvent[];
  /** Those that takeWebhooks() has not taken yet. */
  undelivered: StripeEvent[];
  /** The outcome that follows an authentication or a debit's days, by the intent's id. */
  pendingOutcomes: Map<string, Outcome>;
  /** The outcomes of the next confirmations, which precede those of their payment methods. */
  script: Outcome[];
  idempotency: Map<string, Saved>;
  /** The keys of requests that are under way. */
  inFlight: Set<string>;
  cause: Cause;
};

/** The part of an account that outlives its process, as `structuredClone` and `node:v8` take it. Requests under way are lost. */
export type SavedAccount = Pick<FakeAccount, (typeof saved)[number]>;

const saved = [
  ...([
    "customers",
    "deletedCustomers",
    "methods",
    "behaviours",
    "setUp",
    "intents",
    "setupIntents",
  ] as const),
  ...(["sessions", "charges", "refunds", "disputes", "endpoints", "endpointSecrets", "events"] as const),
  ...(["undelivered", "pendingOutcomes", "idempotency"] as const),
];

export function saveAccount(account: FakeAccount): SavedAccount {
  return structuredClone(Object.fromEntries(saved.map((name) => [name, account[name]])) as SavedAccount);
}

export function fakeAccount(settings: Settings, nowMs: () => number, random: () => number): FakeAccount {
  return {
    settings,
    nowMs,
    now: () => Math.floor(nowMs() / 1000),
    ...idMaker(random),
    customers: new Map(),
    deletedCustomers: new Set(),
    methods: new Map(),
    behaviours: new Map(),
    setUp: new Set(),
    intents: new Map(),
    setupIntents: new Map(),
    sessions: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    endpoints: new Map(),
    endpointSecrets: new Map(),
    events: [],
    undelivered: [],
    pendingOutcomes: new Map(),
    script: [],
    idempotency: new Map(),
    inFlight: new Set(),
    cause: { id: null, idempotency_key: null },
  };
}

/** The fields that every new record has. */
export function newRecord<Name extends string>(account: FakeAccount, object: Name, prefix: string) {
  const { livemode } = account.settings;
  return { id: account.id(prefix), object, created: account.now(), livemode };
}

/**
 * A record that a request names. One that does not exist is a 404 in the path, a 400 in a parameter (docs.stripe.com/error-codes,
 * `resource_missing`; that the status differs: guess).
 */
export function findRecord<T>(records: Map<string, T>, kind: string, id: string, param?: string): T {
  const found = records.get(id);
  if (found) return found;
  throw new StripeError(param ? 400 : 404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param: param ?? "id",
  });
}
