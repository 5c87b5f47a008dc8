import type { Address } from "./addresses.ts";
import type { CycleEdit } from "./cycles.ts";
import type { DeliveryMethodInput } from "./inputs.ts";
import type { Outcome } from "./outcomes.ts";

/** Shopify's records, with amounts in minor units. `id` is the global id, `number` its last part. */
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
  /** The outcome of attempts with it, unless the test has scripted others. */
  outcome: Outcome;
};

export type Attribute = { key: string; value: string | null };

export type Discount = {
  id: string;
  title: string | null;
  percentage: number | null;
  /** Off each item, or off all lines together. */
  fixed: { amount: number; each: boolean } | null;
  recurringCycleLimit: number | null;
  type: "MANUAL" | "AUTOMATIC_DISCOUNT" | "CODE_DISCOUNT";
  target: "LINE_ITEM" | "SHIPPING_LINE";
  /** The code that the customer entered at the checkout; a manual discount has none. */
  redeemCode: string | null;
  /** The ids of the lines that it applies to, or all lines. */
  entitled: "all" | string[];
  /** The number of orders that it was applied to. */
  used: number;
};

/** Prices by cycle, as Shopify writes decimals. `afterCycle` is how many cycles were billed before a price applies. */
export type PricingPolicy = {
  basePrice: string;
  cycleDiscounts: {
    afterCycle: number;
    adjustmentType: "PERCENTAGE" | "FIXED_AMOUNT" | "PRICE";
    adjustmentValue: { percentage?: number | null; fixedValue?: string | null };
    computedPrice: string;
  }[];
};

export type ContractLine = {
  id: string;
  variantId: string;
  quantity: number;
  price: number;
  sellingPlanId: string | null;
  sellingPlanName: string | null;
  customAttributes: Attribute[];
  pricingPolicy: PricingPolicy | null;
};

export type Policy = {
  interval: "DAY" | "WEEK" | "MONTH" | "YEAR";
  intervalCount: number;
  anchors?: unknown[];
  minCycles?: number | null;
  maxCycles?: number | null;
};

export type ContractStatus = "ACTIVE" | "CANCELLED" | "EXPIRED" | "FAILED" | "PAUSED";

/** The part of a contract that a draft can change. */
export type ContractTerms = {
  status: ContractStatus;
  method: PaymentMethod | null;
  lines: ContractLine[];
  /** In the order in which they apply. */
  discounts: Discount[];
  deliveryPrice: number;
  deliveryMethod: DeliveryMethodInput | null;
  billingPolicy: Policy;
  deliveryPolicy: Policy;
  customAttributes: Attribute[];
  note: string | null;
  nextBillingDate: string;
};

/** Tests may change it in place. merchant.edit() changes it as a merchant does, with a new revision and a webhook. */
export type Contract = ContractTerms & {
  id: string;
  number: number;
  /** A new one with every change. */
  revision: number;
  customer: Customer;
  currency: string;
  /** The order of the checkout that it was sold in. */
  originOrder: Order | null;
  /** Edited schedules, by the cycle's index. */
  cycleEdits: Map<number, CycleEdit>;
  createdAt: string;
  updatedAt: string;
  lastPaymentStatus: "FAILED" | "SUCCEEDED" | null;
};

/** The content that the contract has once this is committed. */
export type Draft = {
  id: string;
  contract: Contract;
  /** The contract's revision when the draft was begun. */
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
  /** For the whole quantity, after discounts. */
  total: number;
  /** The contract it belongs to, and the plan it was sold by. */
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

/** The goods of an order that come back (schema `ReturnStatus`). */
export type Return = {
  id: string;
  number: number;
  status: "CANCELED" | "CLOSED" | "DECLINED" | "OPEN" | "REQUESTED";
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
  duties: number;
  fees: number;
  taxesIncluded: boolean;
  currency: string;
  tags: string[];
  sourceName: string | null;
  /** The codes that were entered at the checkout. */
  discountCodes: string[];
  isTest: boolean;
  isPaid: boolean;
  refunded: number;
  fulfillmentStatus: "UNFULFILLED" | "PARTIALLY_FULFILLED" | "FULFILLED" | "IN_PROGRESS" | "ON_HOLD";
  fulfillments: Fulfillment[];
  returns: Return[];
  createdAt: string;
  cancelledAt: string | null;
  /** Shopify then returns null for its id and for its attempt. */
  isDeleted: boolean;
};

export type AttemptState =
  | { is: "pending"; reads: number; outcome: Outcome | undefined }
  | { is: "challenged"; url: string; outcome: Outcome; since: string }
  | { is: "failed"; why: Exclude<Outcome, { is: "success" | "challenge" | "slow" }> }
  | { is: "succeeded"; order: Order };

export type Attempt = {
  id: string;
  number: number;
  key: string;
  contract: Contract;
  /** The cycle that it bills, counted from 1. */
  cycle: number;
  state: AttemptState;
  allowsOverselling: boolean;
  skipsPayment: boolean;
  originTime: string | null;
  createdAt: string;
  completedAt: string | null;
};

/** A payment by a customer. */
export type FakeCharge = {
  key: string;
  contract: string;
  attempt: string;
  order: string;
  amount: number;
  currency: string;
};

/** Why a mutation was refused. */
export type UserError = { code: string; field: string[] | null; message: string };
