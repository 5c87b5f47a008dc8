import type { Address } from "./addresses.ts";
import type { CycleEdit } from "./cycles.ts";
import type { DeliveryMethodInput } from "./inputs.ts";
import type { Outcome } from "./outcomes.ts";

/** Shopify's own records, amounts in minor units. `id` is the global one, `number` its last part. */
export type Customer = {
  id: string;
  number: number;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  defaultAddress: Address | null;
};

export type PaymentMethod = {
  id: string;
  customer: Customer;
  instrument: Record<string, unknown> | null;
  revokedAt: string | null;
  /** What becomes of attempts with it, where the test has scripted nothing else. */
  outcome: Outcome;
};

export type Attribute = { key: string; value: string | null };

export type Discount = {
  id: string;
  title: string | null;
  percentage: number | null;
  /** Off each item, or off all the lines together. */
  fixed: { amount: number; each: boolean } | null;
  recurringCycleLimit: number | null;
  /** What the customer has entered at the checkout; none of a manual discount. */
  redeemCode: string | null;
  /** Ids of the lines it is taken off, or all there are. */
  entitled: "all" | string[];
  /** Orders it has been given on. */
  used: number;
};

export type ContractLine = {
  id: string;
  variantId: string;
  quantity: number;
  price: number;
  sellingPlanId: string | null;
  sellingPlanName: string | null;
  customAttributes: Attribute[];
  pricingPolicy: unknown;
};

export type Policy = {
  interval: "DAY" | "WEEK" | "MONTH" | "YEAR";
  intervalCount: number;
  anchors?: unknown[];
  minCycles?: number | null;
  maxCycles?: number | null;
};

export type ContractStatus = "ACTIVE" | "CANCELLED" | "EXPIRED" | "FAILED" | "PAUSED";

/** What of a contract a draft may change. */
export type ContractTerms = {
  status: ContractStatus;
  method: PaymentMethod | null;
  lines: ContractLine[];
  /** In the order they are taken off. */
  discounts: Discount[];
  deliveryPrice: number;
  deliveryMethod: DeliveryMethodInput | null;
  billingPolicy: Policy;
  deliveryPolicy: Policy;
  customAttributes: Attribute[];
  note: string | null;
  nextBillingDate: string;
};

/** Tests may change one in place; as a merchant would, with all that follows, it is changed by merchant.edit(). */
export type Contract = ContractTerms & {
  id: string;
  number: number;
  /** Another one with every change. */
  revision: number;
  customer: Customer;
  currency: string;
  /** Of the checkout where it was sold. */
  originOrder: Order | null;
  /** Edited schedules, by the cycle's index. */
  cycleEdits: Map<number, CycleEdit>;
  createdAt: string;
  lastPaymentStatus: "FAILED" | "SUCCEEDED" | null;
};

/** What a contract is to be once this is committed. */
export type Draft = {
  id: string;
  contract: Contract;
  /** The contract's, when the draft was begun. */
  revision: number;
  terms: ContractTerms;
  removedLines: Set<string>;
  isCommitted: boolean;
};

export type OrderLine = {
  id: string;
  number: number;
  variantId: string;
  title: string;
  quantity: number;
  price: number;
  /** With the quantity, less discounts. */
  total: number;
  /** Of what contract it is, and by what plan it was sold. */
  contract: Contract | null;
  sellingPlanName: string | null;
};

export type Tracking = { company?: string; number?: string; url?: string };

export type Fulfillment = {
  id: string;
  number: number;
  status: "SUCCESS" | "CANCELLED" | "ERROR" | "FAILURE";
  tracking: Tracking[];
  createdAt: string;
};

export type Order = {
  id: string;
  number: number;
  name: string;
  customer: Customer | null;
  lines: OrderLine[];
  subtotal: number;
  discounts: number;
  total: number;
  tax: number;
  taxesIncluded: boolean;
  currency: string;
  tags: string[];
  sourceName: string | null;
  isTest: boolean;
  isPaid: boolean;
  refunded: number;
  fulfillmentStatus: "UNFULFILLED" | "PARTIALLY_FULFILLED" | "FULFILLED" | "IN_PROGRESS" | "ON_HOLD";
  fulfillments: Fulfillment[];
  createdAt: string;
  cancelledAt: string | null;
  /** Shopify then answers no order for its id, or for its attempt. */
  isDeleted: boolean;
};

export type AttemptState =
  | { is: "pending"; reads: number; outcome: Outcome | undefined }
  | { is: "challenged"; url: string; outcome: Outcome }
  | { is: "failed"; why: Exclude<Outcome, { is: "success" | "challenge" | "slow" }> }
  | { is: "succeeded"; order: Order };

export type Attempt = {
  id: string;
  number: number;
  key: string;
  contract: Contract;
  /** The cycle it bills, from 1 on. */
  cycle: number;
  state: AttemptState;
  allowsOverselling: boolean;
  skipsPayment: boolean;
  originTime: string | null;
  createdAt: string;
  completedAt: string | null;
};

/** Money that a customer has paid. */
export type FakeCharge = {
  key: string;
  contract: string;
  attempt: string;
  order: string;
  amount: number;
  currency: string;
};

/** How a mutation refuses. */
export type UserError = { code: string; field: string[] | null; message: string };
