import type { Statement } from "../../base/db/port.ts";
import type { CalendarDate, Instant } from "../../base/lib/time/dates.ts";
import type { Interval } from "../../base/lib/time/intervals.ts";

export const contractStatuses = ["ACTIVE", "PAUSED", "CANCELLED", "EXPIRED", "FAILED"] as const;
export type ContractStatus = (typeof contractStatuses)[number];

/** The contract that a subscription should have at the store. Amounts are minor units. */
export type DesiredContract = {
  subscription_id: string;
  /** The life of the subscription: each has a contract of its own. */
  activation: number;
  /** The contract of the life before, which has no mark where it was sold at the store's checkout. */
  former_contract_id: number | null;
  store_customer_id: string | null;
  store_payment_method_id: string | null;
  /**
   * The payment methods that the contract may have from this service: any other was chosen at the store, and stays. Null: it
   * is replaced, whatever it is.
   */
  own_payment_method_ids: string[] | null;
  currency_code: string;
  next_billing_date: CalendarDate;
  status: ContractStatus;
  billing: Interval;
  delivery: Interval;
  delivery_price: number;
  lines: {
    store_variant_id: string;
    /** Null for a plan that the store does not have any more: the line has its name alone. */
    selling_plan_id: string | null;
    selling_plan_name: string;
    quantity: number;
    price: number;
    discount_amount: number;
  }[];
  address: Record<string, string> | null;
  note: string | null;
};

/** The part of a contract that others change at the store; `store_payment_method_id` is null for a revoked one. */
export type ContractState = {
  status: ContractStatus;
  store_payment_method_id: string | null;
  changed_at: Instant;
};

/** A billing cycle as the store counts them, which need not be a cycle of the subscription. It is billed after its start, up to its end. */
export type StoreCycle = { index: number; is_skipped: boolean; starts_at: Instant; ends_at: Instant };

/** A cycle by its number, or the one that an instant lies in. */
export type CycleSelector = { index: number } | { date: Instant };

/** A contract that has ended cannot be reactivated. */
export function isEnded(status: ContractStatus): boolean {
  return status === "CANCELLED" || status === "EXPIRED";
}

/** A contract as it stands at the store; a customer may have made it at the store's checkout. Amounts are minor units. */
export type StoreContract = {
  status: ContractStatus;
  /** The subscription that this service made it for; null if it was made at the store. */
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
    store_line_id: string;
    store_product_id: string | null;
    store_variant_id: string | null;
    product_title: string;
    variant_title: string | null;
    sku: string | null;
    quantity: number;
    price: number;
    /** The total of the line after the discounts that apply now. */
    discounted_total: number;
    price_changes: StorePriceChange[];
    selling_plan_id: string | null;
    selling_plan_name: string | null;
  }[];
  discounts: StoreDiscount[];
  /** Terms of the contract that cannot be kept here, in words for people. */
  inexpressible: string[];
  address: Record<string, string | null> | null;
  note: string | null;
};

/** A price of a line that applies once so many cycles were billed. */
export type StorePriceChange = { after_cycles: number; price: number };

/** A discount of a contract. A percentage is in basis points, an amount in minor units; both are off the lines together, or off delivery. */
export type StoreDiscount = {
  title: string;
  /** The code that the customer entered, if any. */
  code: string | null;
  reduction: { type: "PERCENTAGE" | "FIXED_AMOUNT"; value: number };
  is_off_delivery: boolean;
  /** Null for all lines. */
  line_ids: string[] | null;
  /** The number of billings that it applies to, those before the contract was read included; null for all. */
  cycle_limit: number | null;
  cycles_used: number;
};

/** A page of the contracts that were made since an instant, of all if that is null; `after` is the `next` of the page before. */
export type ContractPage = { since: Instant | null; after: string | null };

/** A contract that has not ended, and the subscription that it says it was made for, if any. */
export type ListedContract = { store_contract_id: number; subscription_id: string | null };

/** Contracts of a store that keeps them itself, so that it has to be sent each change that is made here. */
export interface StoreContracts {
  find(id: number): Promise<StoreContract | undefined>;
  /** Records that a contract which was made at the store already has this delivery address. */
  noteDelivery(id: number, made: Pick<DesiredContract, "subscription_id" | "address">): Promise<void>;
  /** The contracts of a subscription that have not ended, whether they are linked or not, of its life and of earlier ones. */
  listLiving(desired: DesiredContract): Promise<number[]>;
  /** The contracts of this app that have not ended, oldest first. Throws StoreRefusalError. */
  listPage(page: ContractPage): Promise<{ contracts: ListedContract[]; next: string | null }>;
  /** The state of a contract at the store; undefined if the store has none with this id. Throws StoreRefusalError. */
  findState(id: number): Promise<ContractState | undefined>;
  /** A cycle that the store counts; undefined for one that it does not have. Throws StoreRefusalError. */
  findCycle(id: number, selector: CycleSelector): Promise<StoreCycle | undefined>;
  /**
   * Runs `work` while nobody else changes or charges the subscription's contract. Throws StoreThrottledError if somebody else does. A batch
   * with `isHeld` is refused where somebody else has begun, as this work takes too long.
   */
  withContractLease<T>(subscriptionId: string, work: (isHeld: Statement) => Promise<T>): Promise<T>;
  setStatus(id: number, status: ContractStatus): Promise<void>;
  /** Changes the contents of a contract to the desired ones; sends nothing if they are equal. Throws StoreRefusalError. */
  push(id: number, desired: DesiredContract): Promise<void>;
  /**
   * The differences of a contract from the desired one, in the store's words; its status and its next billing date are not
   * compared.
   */
  findDifferences(id: number, desired: DesiredContract): Promise<string[]>;
}
