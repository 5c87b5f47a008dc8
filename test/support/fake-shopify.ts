import { optionalScopes, requiredScopes } from "../../src/stores/shopify/app/scopes.ts";
import { appOf } from "./fake-shopify/app.ts";
import { answerChallenge, settle } from "./fake-shopify/attempts.ts";
import { bucket } from "./fake-shopify/bucket.ts";
import { checkoutOf } from "./fake-shopify/checkout.ts";
import { codesOf } from "./fake-shopify/codes.ts";
import { customersOf } from "./fake-shopify/customers.ts";
import { type Fault, failed } from "./fake-shopify/faults.ts";
import { incoming } from "./fake-shopify/http.ts";
import { merchantOf } from "./fake-shopify/merchant.ts";
import type { UpdateEmail } from "./fake-shopify/notices.ts";
import { orderActions } from "./fake-shopify/order-actions.ts";
import type { Outcome } from "./fake-shopify/outcomes.ts";
import { paymentMethodsOf } from "./fake-shopify/payment-methods.ts";
import { plansOf } from "./fake-shopify/plans.ts";
import type { Attempt, Contract, FakeCharge, Order } from "./fake-shopify/records.ts";
import { schema } from "./fake-shopify/schema.ts";
import { contractOf, type FakeStore, fakeStore, type Settings } from "./fake-shopify/store.ts";
import { faultQueue } from "./fault-queue.ts";

export type { Fault } from "./fake-shopify/faults.ts";
export { allFailures, type Outcome, outcomes } from "./fake-shopify/outcomes.ts";
export type { Plan, PlanGroup } from "./fake-shopify/plans.ts";
export type { Attempt, Contract, FakeCharge, Order, PaymentMethod } from "./fake-shopify/records.ts";
export type { Registration } from "./fake-shopify/registrations.ts";
export { errorCodes } from "./fake-shopify/schema.ts";
export { signatureOf, type Webhook } from "./fake-shopify/webhooks.ts";

export type FakeShopifyOptions = Partial<Omit<Settings, "shop" | "token">> & {
  shop: string;
  token: string;
  /** The current time in milliseconds; by default a clock that only advance() moves. */
  now?: () => number;
  /** The size of the bucket, and the points restored in a second. */
  points?: { maximum: number; restoreRate: number };
};

/** A request that the store received, whether it failed or not. */
export type LoggedRequest = {
  operation: string | null;
  variables: Record<string, unknown>;
  fault: Fault["kind"] | null;
};

export type FakeShopify = {
  /** Answers as https://{shop} does; rejects if a fault says that there is no answer. */
  fetch(request: Request): Promise<Response>;

  /** By global id or number. */
  contract(id: string | number): Contract;
  /** By global id, or the newest with an idempotency key. */
  attempt(idOrKey: string): Attempt;

  /** The outcomes of the next new attempts, in turn; they precede those of the payment methods. */
  nextOutcomes(...next: Outcome[]): void;
  /** The next calls of a mutation are refused with these user errors, in turn. */
  refuse(mutation: string, ...codes: string[]): void;
  /** Completes one pending attempt, or all of them. */
  settle(idOrKey?: string): void;
  /** The customer confirms a challenge. */
  confirm(idOrKey: string): void;
  /** The customer does not confirm a challenge, so that the attempt fails with a payment error. */
  abandon(idOrKey: string, code?: string): void;

  fail(fault: Fault): void;
  /** Processes the requests that faults with `effect: "late"` have held back. */
  arriveLate(): Promise<void>;
  advance(ms: number): void;
  /** Sets the number of points in the bucket. */
  leavePoints(points: number): void;

  requests: LoggedRequest[];
  /** Completed payments, in minor units. */
  charges: FakeCharge[];
  /** The e-mails by which customers were asked to update a payment method. */
  updateEmails: UpdateEmail[];
  contracts(): Contract[];
  attempts: Attempt[];
  orders: Order[];
  merchant: ReturnType<typeof merchantOf>;
} & ReturnType<typeof customersOf> &
  ReturnType<typeof paymentMethodsOf> &
  ReturnType<typeof orderActions> &
  ReturnType<typeof plansOf> &
  ReturnType<typeof checkoutOf> &
  ReturnType<typeof codesOf> &
  ReturnType<typeof appOf> &
  Pick<
    FakeStore,
    | "settings"
    | "grants"
    | "calculations"
    | "denied"
    | "variants"
    | "unknownVariants"
    | "unknownProducts"
    | "soldOut"
    | "digital"
    | "remotes"
  >;

/**
 * A Shopify store in memory: it executes the adapter's own documents over the published schema, and behaves as Shopify has been
 * observed to. A field that it does not implement is an error that says so, never a null.
 */
export function fakeShopify({ shop, token, now, points, ...options }: FakeShopifyOptions): FakeShopify {
  let advanced = 0;
  const nowMs = (): number => (now?.() ?? clockStart) + advanced;
  const settings: Settings = {
    shop,
    token,
    clientId: "fake-client-id",
    secret: "shpss_fake",
    currency: "EUR",
    currencies: [],
    timezone: "Europe/Berlin",
    offers: ["drafts", "calculations"],
    calculatesAtRead: 1,
    isDevelopment: true,
    apiVersion: "2026-10",
    taxRate: 0,
    taxesIncluded: true,
    settlesAtRead: 1,
    processesAtRead: 1,
    refusesEarly: "selected",
    billingSource: "subscription_contract",
    usesTestGateway: false,
    scopes: [...requiredScopes, ...optionalScopes],
    showsCustomers: true,
    hiddenFields: [],
    duties: 0,
    fees: 0,
    challengeLivesMs: Number.POSITIVE_INFINITY,
    ...options,
  };
  const store = fakeStore(settings, () => new Date(nowMs()).toISOString());
  const pool = bucket(points?.maximum ?? 2000, points?.restoreRate ?? 100, nowMs);
  const scheduled = faultQueue<Fault>();
  const requests: LoggedRequest[] = [];
  const late: (() => Promise<unknown>)[] = [];

  const attempt = (idOrKey: string): Attempt => {
    const found = store.attempts.findLast(({ id, key }) => id === idOrKey || key === idOrKey);
    if (!found) throw new Error(`There is no attempt ${idOrKey}`);
    return found;
  };

  return {
    async fetch(request) {
      const { operation, variables, answer } = await incoming(store, pool, request);
      const fault = scheduled.next(operation);
      requests.push({ operation, variables, fault: fault?.kind ?? null });
      if (!fault) return answer();
      const effect = fault.kind === "http429" ? "none" : (fault.effect ?? "none");
      if (effect === "done") await answer();
      if (effect === "late") late.push(answer);
      return failed(fault);
    },

    ...customersOf(store),
    ...paymentMethodsOf(store),
    ...orderActions(store),
    ...plansOf(store),
    ...checkoutOf(store),
    ...codesOf(store),
    ...appOf(store),
    merchant: merchantOf(store),
    contract: (id) => contractOf(store, id),
    attempt,

    nextOutcomes(...next) {
      store.script.push(...next);
    },
    refuse(mutation, ...codes) {
      if (!(mutation in schema.getMutationType()!.getFields()))
        throw new Error(`Shopify has no mutation ${mutation}`);
      store.refusals.push(...codes.map((code) => ({ mutation, code })));
    },
    settle(idOrKey) {
      for (const one of idOrKey === undefined ? store.attempts : [attempt(idOrKey)]) settle(store, one);
    },
    confirm: (idOrKey) => answerChallenge(store, attempt(idOrKey)),
    abandon: (idOrKey, code = "EXPIRED_BUYER_ACTION") => answerChallenge(store, attempt(idOrKey), code),

    fail: scheduled.add,
    async arriveLate() {
      for (const effect of late.splice(0)) await effect();
    },
    advance(ms) {
      advanced += ms;
    },
    leavePoints: pool.leave,

    requests,
    charges: store.charges,
    updateEmails: store.updateEmails,
    contracts: () => [...store.contracts.values()],
    attempts: store.attempts,
    orders: store.orders,
    settings,
    grants: store.grants,
    calculations: store.calculations,
    denied: store.denied,
    variants: store.variants,
    unknownVariants: store.unknownVariants,
    unknownProducts: store.unknownProducts,
    soldOut: store.soldOut,
    digital: store.digital,
    remotes: store.remotes,
  };
}

/** A global `fetch` that reaches these stores and nothing else. */
export function fetchOf(...stores: FakeShopify[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { host } = new URL(request.url);
    const found = stores.find(({ settings }) => settings.shop === host);
    if (!found) throw new Error(`No store at ${host} in this test`);
    return found.fetch(request);
  };
}

/** The default clock's first instant. */
const clockStart = Date.parse("2026-11-21T09:00:00.000Z");
