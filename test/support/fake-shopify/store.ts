import type { Calculation, Diagnostic } from "./calculations.ts";
import type { Variant } from "./catalog.ts";
import type { Code } from "./codes.ts";
import type { Grants } from "./grant.ts";
import { globalId } from "./ids.ts";
import type { UpdateEmail } from "./notices.ts";
import type { Way } from "./offers.ts";
import type { Outcome } from "./outcomes.ts";
import type { PlanGroup } from "./plans.ts";
import type { Attempt, Contract, Customer, Draft, FakeCharge, Order, PaymentMethod } from "./records.ts";
import type { Registration } from "./registrations.ts";
import type { RemoteRequest } from "./remote-methods.ts";
import type { StoreEvent } from "./webhooks.ts";

/** The settings of the fake store, which a test may change at any time. */
export type Settings = {
  shop: string;
  token: string;
  /** The app's credentials. Its secret also signs webhooks. */
  clientId: string;
  secret: string;
  currency: string;
  /** Other currencies that contracts may have. */
  currencies: string[];
  timezone: string;
  /** The ways to change a contract that the store's version has. */
  offers: Way[];
  /** How many reads of a calculation find it pending. */
  calculatesAtRead: number;
  /** Whether it is a partner's development store. */
  isDevelopment: boolean;
  /** The API version that answers, whichever was asked for. */
  apiVersion: string;
  /** 0.19 for 19 per cent. */
  taxRate: number;
  taxesIncluded: boolean;
  /** The read after its creation at which an attempt is completed; with Infinity the test calls settle(). */
  settlesAtRead: number;
  /**
   * Whether attempts more than a day before their cycle's date are refused: those that select a cycle, which Shopify
   * documents, or those for the current cycle as well, or none.
   */
  refusesEarly: "selected" | "always" | "never";
  /** The source name of the orders of billing attempts, which Shopify has changed without notice. */
  billingSource: string;
  /** Whether billing attempts are paid by a test gateway, as at a development store. */
  usesTestGateway: boolean;
  /** The read after its creation at which a provider's payment method has its details. */
  processesAtRead: number;
  /** The scopes that the app was granted. */
  scopes: string[];
  /** Whether the app is approved for protected customer data, all of it. */
  showsCustomers: boolean;
  /** The customers' fields that it is not approved for all the same. */
  hiddenFields: string[];
  /** Added to each order of a billing attempt, in minor units. */
  duties: number;
  fees: number;
  /** After how many milliseconds a challenge that nobody answers fails its attempt. */
  challengeLivesMs: number;
};

/** The fake store's records and settings. */
export type FakeStore = {
  settings: Settings;
  now: () => string;
  /** Whether the app is installed. */
  isInstalled: boolean;
  uninstalledAt: string | null;
  customers: Map<string, Customer>;
  methods: Map<string, PaymentMethod>;
  /** Payment methods of providers that the store was asked to make, by their ids, and how often each was read since. */
  remotes: Map<string, RemoteRequest>;
  contracts: Map<string, Contract>;
  drafts: Map<string, Draft>;
  calculations: {
    all: Map<string, Calculation>;
    /** The next calculations fail with these errors, in turn. */
    next: { errors: Diagnostic[] }[];
    /** The next calculation has these warnings. */
    warnings: Diagnostic[];
    /** Whether the lines of calculations come out as the contract's own, as by a function of the shop. */
    dropsLines: boolean;
  };
  /** The tokens of an app that was installed with OAuth. */
  grants: Grants;
  planGroups: Map<string, PlanGroup>;
  registrations: Map<string, Registration>;
  /** Discount codes, by their lower-case text. */
  codes: Map<string, Code>;
  attempts: Attempt[];
  orders: Order[];
  charges: FakeCharge[];
  events: StoreEvent[];
  /** The e-mails by which customers were asked to update a payment method. */
  updateEmails: UpdateEmail[];
  /** The outcomes of the next attempts, which precede those of their payment methods. */
  script: Outcome[];
  /** The codes with which the next calls of a mutation are refused. */
  refusals: { mutation: string; code: string }[];
  /** The fields that the token has no scope for. */
  denied: Set<string>;
  /** Variants in the catalogue, by global id; a variant that is not listed has default values. */
  variants: Map<string, Partial<Variant>>;
  /** The global ids of variants that do not exist, are sold out, or need no shipping. */
  unknownVariants: Set<string>;
  /** The global ids of products that do not exist. */
  unknownProducts: Set<string>;
  soldOut: Set<string>;
  digital: Set<string>;
  nextNumber: (kind: string) => number;
};

export function fakeStore(settings: Settings, now: () => string): FakeStore {
  const nextNumbers = new Map<string, number>();
  return {
    settings,
    now,
    isInstalled: true,
    uninstalledAt: null,
    customers: new Map(),
    methods: new Map(),
    remotes: new Map(),
    contracts: new Map(),
    drafts: new Map(),
    calculations: { all: new Map(), next: [], warnings: [], dropsLines: false },
    grants: { codes: new Set(), access: new Map(), refresh: null },
    planGroups: new Map(),
    registrations: new Map(),
    codes: new Map(),
    attempts: [],
    orders: [],
    charges: [],
    events: [],
    updateEmails: [],
    script: [],
    refusals: [],
    denied: new Set(),
    variants: new Map(),
    unknownVariants: new Set(),
    unknownProducts: new Set(),
    soldOut: new Set(),
    digital: new Set(),
    nextNumber: (kind) => {
      const number = nextNumbers.get(kind) ?? firstNumbers[kind] ?? 1;
      nextNumbers.set(kind, number + 1);
      return number;
    },
  };
}

export function customerOf(store: FakeStore, id: string): Customer {
  const found = store.customers.get(id);
  if (!found) throw new Error(`The fake store has no customer ${id}`);
  return found;
}

/** A contract by global id or number. */
export function contractOf(store: FakeStore, id: string | number): Contract {
  const found = store.contracts.get(typeof id === "number" ? globalId("SubscriptionContract", id) : id);
  if (!found) throw new Error(`The fake store has no contract ${id}`);
  return found;
}

/** The code, if any, with which the next call of a mutation is refused. */
export function nextRefusal(store: FakeStore, mutation: string): string | undefined {
  const index = store.refusals.findIndex((refusal) => refusal.mutation === mutation);
  return index < 0 ? undefined : store.refusals.splice(index, 1)[0]!.code;
}

/** The first number of each kind. They differ, so that a confused id is noticed, and exceed 32 bits, as Shopify's do. */
const firstNumbers: Record<string, number> = {
  Customer: 6_100_000_000_001,
  SubscriptionContract: 17_200_000_001,
  SubscriptionBillingAttempt: 38_300_000_001,
  SubscriptionDraft: 49_500_000_001,
  Order: 5_400_000_000_001,
  LineItem: 12_700_000_000_001,
  SellingPlanGroup: 2_300_000_001,
  SellingPlan: 3_200_000_001,
  WebhookSubscription: 1_400_000_000_001,
  Fulfillment: 4_800_000_000_001,
  Refund: 910_000_000_001,
  Return: 1_120_000_000_001,
  revision: 90_600_000_001,
};
