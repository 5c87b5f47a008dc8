import { appOf } from "./fake-shopify/app.ts";
import { answerChallenge, settle } from "./fake-shopify/attempts.ts";
import { bucket } from "./fake-shopify/bucket.ts";
import { checkoutOf } from "./fake-shopify/checkout.ts";
import { customersOf } from "./fake-shopify/customers.ts";
import { type Fault, failed, faults } from "./fake-shopify/faults.ts";
import { incoming } from "./fake-shopify/http.ts";
import { merchantOf } from "./fake-shopify/merchant.ts";
import { orderDesk } from "./fake-shopify/order-desk.ts";
import type { Outcome } from "./fake-shopify/outcomes.ts";
import { paymentMethodsOf } from "./fake-shopify/payment-methods.ts";
import { plansOf } from "./fake-shopify/plans.ts";
import type { Attempt, Contract, FakeCharge, Order } from "./fake-shopify/records.ts";
import { schema } from "./fake-shopify/schema.ts";
import { contractOf, type FakeStore, fakeStore, type Settings } from "./fake-shopify/store.ts";

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
  /** Milliseconds; where not given, a clock that stands still but for advance(). */
  now?: () => number;
  /** Points, and those restored a second. */
  points?: { maximum: number; restoreRate: number };
};

/** A request that came in, whatever became of it. */
export type LoggedRequest = {
  operation: string | null;
  variables: Record<string, unknown>;
  fault: Fault["kind"] | null;
};

export type FakeShopify = {
  /** Answers as https://{shop} would; rejects where the test wants no answer. */
  fetch(request: Request): Promise<Response>;

  /** By global id or number. */
  contract(id: string | number): Contract;
  /** By global id or idempotency key: its newest. */
  attempt(idOrKey: string): Attempt;

  /** What comes of the next new attempts, in turn, before what their payment methods say. */
  nextOutcomes(...next: Outcome[]): void;
  /** The next calls of a mutation are refused with these user errors, in turn. */
  refuse(mutation: string, ...codes: string[]): void;
  /** Ends the processing of one pending attempt, or of all. */
  settle(idOrKey?: string): void;
  /** The customer confirms a challenge … */
  confirm(idOrKey: string): void;
  /** … or does not, which fails it with a payment error. */
  abandon(idOrKey: string, code?: string): void;

  fail(fault: Fault): void;
  /** What faults with `effect: "late"` have held back is done now. */
  arriveLate(): Promise<void>;
  advance(ms: number): void;
  /** Leaves so many points in the bucket. */
  leavePoints(points: number): void;

  requests: LoggedRequest[];
  /** Money taken, in minor units. */
  charges: FakeCharge[];
  contracts(): Contract[];
  attempts: Attempt[];
  orders: Order[];
  merchant: ReturnType<typeof merchantOf>;
} & ReturnType<typeof customersOf> &
  ReturnType<typeof paymentMethodsOf> &
  ReturnType<typeof orderDesk> &
  ReturnType<typeof plansOf> &
  ReturnType<typeof checkoutOf> &
  ReturnType<typeof appOf> &
  Pick<FakeStore, "settings" | "denied" | "variants" | "unknownVariants" | "soldOut" | "digital">;

/** The clock's beginning where the test gives none. */
const begins = Date.parse("2026-11-21T09:00:00.000Z");

/**
 * A store of Shopify's in memory: executes the adapter's own queries over the published schema, and behaves as Shopify
 * does where it can be observed. What it cannot do is an error that says so, never a null.
 */
export const fakeShopify = ({ shop, token, now, points, ...given }: FakeShopifyOptions): FakeShopify => {
  let advanced = 0;
  const nowMs = (): number => (now?.() ?? begins) + advanced;
  const settings: Settings = {
    shop,
    token,
    clientId: "fake-client-id",
    secret: "shpss_fake",
    currency: "EUR",
    currencies: [],
    timezone: "Europe/Berlin",
    taxRate: 0,
    taxesIncluded: true,
    settlesAtRead: 1,
    refusesEarly: "selected",
    billingSource: "subscription_contract",
    ...given,
  };
  const store = fakeStore(settings, () => new Date(nowMs()).toISOString());
  const pool = bucket(points?.maximum ?? 2000, points?.restoreRate ?? 100, nowMs);
  const ordered = faults();
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
      const fault = ordered.next(operation);
      requests.push({ operation, variables, fault: fault?.kind ?? null });
      if (!fault) return answer();
      const effect = fault.kind === "http429" ? "none" : (fault.effect ?? "none");
      if (effect === "done") await answer();
      if (effect === "late") late.push(answer);
      return failed(fault);
    },

    ...customersOf(store),
    ...paymentMethodsOf(store),
    ...orderDesk(store),
    ...plansOf(store),
    ...checkoutOf(store),
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

    fail: ordered.order,
    async arriveLate() {
      for (const effect of late.splice(0)) await effect();
    },
    advance(ms) {
      advanced += ms;
    },
    leavePoints: pool.leave,

    requests,
    charges: store.charges,
    contracts: () => [...store.contracts.values()],
    attempts: store.attempts,
    orders: store.orders,
    settings,
    denied: store.denied,
    variants: store.variants,
    unknownVariants: store.unknownVariants,
    soldOut: store.soldOut,
    digital: store.digital,
  };
};

/** A global `fetch` in which these stores can be reached, and nothing else. */
export const fetchOf =
  (...stores: FakeShopify[]): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { host } = new URL(request.url);
    const found = stores.find(({ settings }) => settings.shop === host);
    if (!found) throw new Error(`No store at ${host} in this test`);
    return found.fetch(request);
  };
