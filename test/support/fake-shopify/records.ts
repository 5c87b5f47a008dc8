import type { CycleEdit } from "./cycles.ts";
import type { Outcome } from "./outcomes.ts";

/** Shopify's own records, amounts in minor units. `id` is the global one, `number` its last part. */
export type Customer = { id: string; number: number; email: string };

export type PaymentMethod = {
  id: string;
  customer: Customer;
  instrument: Record<string, unknown> | null;
  revokedAt: string | null;
  /** What becomes of attempts with it, where the test has scripted nothing else. */
  outcome: Outcome;
};

export type Attribute = { key: string; value: string | null };

export type LineDiscount = {
  title: string | null;
  percentage: number | null;
  fixed: { amount: number; each: boolean } | null;
  recurringCycleLimit: number | null;
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
  discounts: LineDiscount[];
};

export type Policy = {
  interval: "DAY" | "WEEK" | "MONTH" | "YEAR";
  intervalCount: number;
  anchors?: unknown[];
  minCycles?: number | null;
  maxCycles?: number | null;
};

export type ContractStatus = "ACTIVE" | "CANCELLED" | "EXPIRED" | "FAILED" | "PAUSED";

/** Tests may change one in place, as a merchant would in the admin. */
export type Contract = {
  id: string;
  number: number;
  customer: Customer;
  method: PaymentMethod | null;
  status: ContractStatus;
  currency: string;
  lines: ContractLine[];
  deliveryPrice: number;
  deliveryMethod: unknown;
  billingPolicy: Policy;
  deliveryPolicy: Policy;
  customAttributes: Attribute[];
  note: string | null;
  nextBillingDate: string;
  /** Edited schedules, by the cycle's index. */
  cycleEdits: Map<number, CycleEdit>;
  createdAt: string;
  lastPaymentStatus: "FAILED" | "SUCCEEDED" | null;
};

export type Order = {
  id: string;
  number: number;
  name: string;
  contract: Contract;
  /** The contract's, as they were. */
  lines: ContractLine[];
  total: number;
  tax: number;
  taxesIncluded: boolean;
  currency: string;
  isPaid: boolean;
  createdAt: string;
  /** Shopify then answers no order for its attempt. */
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
