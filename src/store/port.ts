import type { CalendarDate, Instant } from "../lib/dates.ts";
import type { Interval } from "../lib/intervals.ts";

/** What a store may show of a customer's payment method. */
export type StorePaymentMethod = {
  store_payment_method_id: string;
  /** Whose it is, where the store says. */
  store_customer_id: string | null;
  store_customer_email: string | null;
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
  is_default: boolean;
  status: "VALID" | "EXPIRED" | "REVOKED";
};

/** The contract of a subscription, as it is to be made. Amounts are minor units. */
export type DesiredContract = {
  subscription_id: string;
  store_customer_id: string | null;
  store_payment_method_id: string | null;
  currency_code: string;
  next_billing_date: CalendarDate;
  status: ContractStatus;
  billing: Interval;
  delivery: Interval;
  delivery_price: number;
  lines: {
    store_variant_id: string;
    selling_plan_id: string;
    selling_plan_name: string;
    quantity: number;
    price: number;
    discount_amount: number;
  }[];
  address: Record<string, string> | null;
  note: string | null;
};

export const contractStatuses = ["ACTIVE", "PAUSED", "CANCELLED", "EXPIRED", "FAILED"] as const;
export type ContractStatus = (typeof contractStatuses)[number];

/** A contract that is over cannot be had back. */
export const isEnded = (status: ContractStatus): boolean => status === "CANCELLED" || status === "EXPIRED";

/** A contract as the store has it, that its customer may have made at the store's checkout. Amounts are minor units. */
export type StoreContract = {
  status: ContractStatus;
  /** Which subscription it was made for here; null where it was made at the store. */
  subscription_id: string | null;
  created_at: Instant;
  customer: {
    store_customer_id: string;
    email: string | null;
    first_name: string | null;
    last_name: string | null;
    phone: string | null;
  } | null;
  store_payment_method_id: string | null;
  store_origin_order_id: string | null;
  currency_code: string;
  next_billing_at: Instant | null;
  billing: Interval;
  delivery: Interval;
  min_cycles: number | null;
  max_cycles: number | null;
  delivery_price: number;
  lines: {
    store_product_id: string | null;
    store_variant_id: string | null;
    product_title: string;
    variant_title: string | null;
    sku: string | null;
    quantity: number;
    price: number;
    selling_plan_id: string | null;
    selling_plan_name: string | null;
  }[];
  /** What is off its lines at the store: the codes that were entered, the titles of others. */
  discounts: string[];
  address: Record<string, string | null> | null;
  note: string | null;
};

/** An order as the store has it now, whatever has happened to it. Amounts are minor units. */
export type StoreOrder = {
  store_order_id: string;
  store_order_number: string | null;
  created_at: Instant;
  store_customer_id: string | null;
  status: "PENDING" | "PAID" | "PARTIALLY_REFUNDED" | "REFUNDED" | "CANCELLED";
  fulfillment_status: "UNFULFILLED" | "PARTIALLY_FULFILLED" | "FULFILLED";
  order_type: "SUBSCRIPTION" | "ONE_TIME" | "UPSELL";
  is_checkout_order: boolean;
  has_subscription: boolean;
  /** The contracts that its lines are of. */
  store_contract_ids: number[];
  currency_code: string;
  subtotal: number;
  discount_amount: number;
  total: number;
  refunded_amount: number;
  tracking_number: string | null;
  tracking_company: string | null;
  tracking_url: string | null;
};

/** A selling plan as the store has it; a percentage is basis points, an amount minor units off each unit. */
export type StoreSellingPlan = {
  id: string;
  name: string;
  billing: Interval;
  delivery: Interval;
  discount: { type: "PERCENTAGE" | "FIXED_AMOUNT"; value: number } | null;
  min_cycles: number | null;
  max_cycles: number | null;
};

/**
 * Whose a failure is, which decides what follows (docs/billing.md): the customer's payment, goods that are out of stock, or
 * the merchant's or the store's own affairs, which say nothing of the customer.
 */
export type FailureClass = "customer" | "stock" | "merchant";

/** Why nothing was charged. */
export type Failure = {
  failure: FailureClass;
  code: string;
  message: string;
  /** Of a customer's failure: no retry can cure it, the customer has to do something. */
  isFinal: boolean;
  /** The store refused to make the charge at all, so it does not know the key, which is used again. */
  isRefused: boolean;
};

/** What a store is asked to charge. Amounts are minor units; whatever else happens, a key is charged once. */
export type Charge = {
  key: string;
  subscription_id: string;
  store_contract_id: number;
  store_payment_method_id: string | null;
  amount: number;
  currency_code: string;
  /** The contract as it is to be while this is charged, for stores that charge what their contract says. */
  readDesired: () => Promise<DesiredContract>;
  /** Whether no request with the key has gone unanswered, which may have been taken, or may still arrive. */
  isFirst: boolean;
  /** Whether to sell what is out of stock, where the store allows it. */
  oversells: boolean;
};

/** A charge that was asked for; `reference` is what the store called it, if it has said. */
export type KnownCharge = { key: string; store_contract_id: number; reference: string | null };

/** What a store says of a charge; all but `pending` and `action_required` are final. */
export type ChargeAnswer =
  | {
      outcome: "succeeded";
      reference: string;
      store_order_id: string;
      store_order_number: string | null;
      /** What was charged, and what of it the store has added for tax. */
      amount: number;
      tax_amount: number;
      currency_code: string;
    }
  | ({ outcome: "declined"; reference: string } & Failure)
  | { outcome: "pending"; reference: string }
  /** The customer has to confirm it, at this address. */
  | { outcome: "action_required"; reference: string; url: string };

/** No answer came, or none that tells: the charge may have been made, or may still be. */
export class UnknownOutcomeError extends Error {}

/** The store takes no requests for some seconds: nothing was done. */
export class StoreThrottledError extends UnknownOutcomeError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The store does not charge now, as the contract is paused there: it is to be brought together with its subscription. */
export class ContractPausedError extends StoreThrottledError {}

/** The store has understood and refuses: nothing was done. `codes` are its own. */
export class StoreRefusalError extends Error {
  readonly codes: string[];

  constructor(message: string, codes: string[] = []) {
    super(message);
    this.name = "StoreRefusalError";
    this.codes = codes;
  }
}

/** Contracts that live at the store by themselves: it has to be told what becomes of them here. */
export interface StoreContracts {
  find(id: number): Promise<StoreContract | undefined>;
  /** Notes that a contract goes where this says, as the store knows already. */
  noteDelivery(desired: DesiredContract): Promise<void>;
  /** The living contract of a subscription, whether it is linked or not. */
  findOf(desired: DesiredContract): Promise<number | undefined>;
  /** How a contract stands at the store; undefined where it knows none of this id. Throws StoreRefusalError. */
  findStatus(id: number): Promise<ContractStatus | undefined>;
  /** Has a subscription's contract to itself while `work` is done: it is changed and charged by one at a time. Throws StoreThrottledError. */
  withContractLease<T>(subscriptionId: string, work: () => Promise<T>): Promise<T>;
  setStatus(id: number, status: ContractStatus): Promise<void>;
  /** Makes the contents of a contract what is desired; where they are so already nothing is done. Throws StoreRefusalError. */
  push(id: number, desired: DesiredContract): Promise<void>;
}

/** What the store keeps and changes by itself; it is asked for anew each time. Throws StoreRefusalError. */
export interface StoreRecords {
  findOrder(id: string): Promise<StoreOrder | undefined>;
  /** The recurring plans of a group of the store's; undefined where there is no such group. */
  findSellingPlans(groupId: string): Promise<StoreSellingPlan[] | undefined>;
  listSellingPlanGroups(): Promise<string[]>;
}

/**
 * The connected store platform, as the rest of the service sees it. Every call may be repeated: what it makes is
 * named by an id of ours, and asking again answers the same. Throws UnknownOutcomeError.
 */
export interface Store {
  /** A customer's payment method, or undefined where the store knows none of this id. */
  findPaymentMethod(id: string): Promise<StorePaymentMethod | undefined>;
  /** Makes the contract of a subscription, once; answers its id at the store. Throws StoreRefusalError. */
  createContract(desired: DesiredContract): Promise<number>;
  /** Charges, and makes the order; with a key it has seen it says again what came of that. */
  charge(charge: Charge): Promise<ChargeAnswer>;
  /** What came of a charge; undefined where the store has not seen the key, which it may still do. */
  findCharge(charge: KnownCharge): Promise<ChargeAnswer | undefined>;
  /** Gives up a charge that waits for its customer, where the store can; says what came of it. */
  withdrawCharge(charge: KnownCharge): Promise<ChargeAnswer | undefined>;
  /** Throws UnknownOutcomeError where the store has disconnected the account; none where that cannot be. */
  requireConnection?(): Promise<void>;
  /** None with the sandbox: nobody but this service knows of what is there. */
  contracts?: StoreContracts;
  records?: StoreRecords;
}
