import type { Account } from "../base/accounts/tables.ts";
import type { Db } from "../base/db/port.ts";
import type { Env } from "../base/env.ts";
import type { Log } from "../base/lib/log.ts";
import type { Instant } from "../base/lib/time/dates.ts";
import { hourMs } from "../base/lib/time/durations.ts";
import type { Interval } from "../base/lib/time/intervals.ts";
import type { DesiredContract, StoreContract, StoreContracts } from "./port/contracts.ts";
import type { StoreDisputes } from "./port/disputes.ts";
import type { PaymentConfirmation, StorePaymentMethods } from "./port/payment-methods.ts";
import type { StoreRefunds } from "./port/refunds.ts";
import type { StoreRemoteMethods } from "./port/remote-methods.ts";

/** `now` is the account's instant, which a test clock may have moved. */
export type OpenStoreInput = {
  env: Env;
  db: Db;
  account: Account;
  now: Instant;
  realNow: Date;
  log: Log;
};

/**
 * Why a store has refused to send its webhooks here; null if it sends them now. `warnings` are webhooks that it refuses and that can be done
 * without, each with the reason; `registered` is how many were missing, or were registered otherwise.
 */
export type StoreSetUp = { refusal: StoreRefusalError | null; warnings: string[]; registered: number };

/** A customer as the store has them. */
export type StoreCustomer = NonNullable<StoreContract["customer"]>;

/** An order as it stands at the store now. Amounts are minor units. */
export type StoreOrder = {
  store_order_id: string;
  store_order_number: string | null;
  created_at: Instant;
  store_customer_id: string | null;
  status: "PENDING" | "PAID" | "PARTIALLY_REFUNDED" | "REFUNDED" | "CANCELLED";
  fulfillment_status: "UNFULFILLED" | "PARTIALLY_FULFILLED" | "FULFILLED";
  /** The progress of the return of its goods, whatever was paid back; null where nothing is returned. */
  return_status:
    | "RETURN_REQUESTED"
    | "IN_PROGRESS"
    | "INSPECTION_COMPLETE"
    | "RETURN_FAILED"
    | "RETURNED"
    | null;
  order_type: "SUBSCRIPTION" | "ONE_TIME" | "UPSELL";
  is_checkout_order: boolean;
  has_subscription: boolean;
  /** The contracts that its lines belong to. */
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

/** A selling plan as it stands at the store. A percentage is in basis points, an amount in minor units off each unit. */
export type StoreSellingPlan = {
  id: string;
  name: string;
  billing: Interval;
  delivery: Interval;
  discount: { type: "PERCENTAGE" | "FIXED_AMOUNT"; value: number } | null;
  min_cycles: number | null;
  max_cycles: number | null;
};

/** A plan of the store's own, and what of its price a plan cannot have here, in words for people; null if nothing. */
export type StoreOwnPlan = StoreSellingPlan & { inexpressible: string | null };

/** A plan that the store should sell by. An amount is minor units off each unit, a percentage basis points. */
export type DesiredPlan = Pick<
  StoreSellingPlan,
  "id" | "name" | "billing" | "delivery" | "discount" | "min_cycles" | "max_cycles"
> & {
  currency_code: string;
  /** The products that it is offered for; null to leave them as the store has them. */
  product_ids: string[] | null;
};

/**
 * Who or what caused a failure, which decides what follows: the customer's payment; goods that are out of
 * stock; or the merchant or the store, which says nothing about the customer.
 */
export type FailureClass = "customer" | "stock" | "merchant";

/** Why nothing was charged. */
export type Failure = {
  failure: FailureClass;
  code: string;
  message: string;
  /** Whether no retry can succeed until the customer does something. Only a customer's failure is final. */
  isFinal: boolean;
  /** Whether the store refused to make the charge at all: it does not know the key then, which can be used again. */
  isRefused: boolean;
};

/** A request to charge. Amounts are minor units. A key is charged at most once, however often it is sent. */
export type Charge = {
  key: string;
  /** The attempt that charges, on whose page the customer confirms the payment where the store has none. */
  attempt_id: string;
  subscription_id: string;
  store_contract_id: number;
  store_payment_method_id: string | null;
  amount: number;
  currency_code: string;
  /** The contract that matches this charge, for stores that charge what their contract says. */
  readDesired: () => Promise<DesiredContract>;
  /** False if an earlier request with the key had no answer: the store may have processed it, or may still receive it. */
  isFirst: boolean;
  /** Whether to sell goods that are out of stock, if the store allows that. */
  oversells: boolean;
  /** The store's own id of the charge, where an earlier request with the key has noted it. */
  reference: string | null;
  /**
   * Notes the store's own id of the charge, for a store that names a charge before it is asked for the money: only then is it asked, so
   * that a lost answer can be looked up by it for ever. Throws UnknownOutcomeError if somebody else charges the attempt by now.
   */
  noteReference: (reference: string) => Promise<void>;
};

/** A charge that was requested; `reference` is the store's own id of it, if that is known. */
export type KnownCharge = {
  key: string;
  attempt_id: string;
  store_contract_id: number;
  reference: string | null;
};

/** A charge that the store has made, and what it says of whom it is for. */
export type MadeCharge = {
  key: string;
  reference: string;
  created_at: Instant;
  /** Null where the store names none, as for a contract that was sold at its checkout. */
  subscription_id: string | null;
  store_contract_id: number | null;
  /** Null until the store has made the order, which may be shortly after the charge. */
  store_order_id: string | null;
  /** Not made yet, and may still be: a debit that takes days, or a payment that its customer has to confirm, or can still pay. */
  is_pending?: true;
};

/**
 * A page of the charges that were requested at an instant or later, oldest first; `after` is the `next` of the page before: an instant, a
 * space, and what else the store needs to go on.
 */
export type ChargePage = { since: Instant; after: string | null };

/**
 * The time that a customer has to confirm a payment: longer than that nobody waits for them, and a store may give up sooner.
 */
export const challengeMs = 72 * hourMs;

/** A store's answer about a charge; all outcomes but `pending` and `action_required` are final. */
export type ChargeAnswer =
  | {
      outcome: "succeeded";
      reference: string;
      store_order_id: string;
      store_order_number: string | null;
      /** The amount charged, and the parts of it that the store has added: for tax, and for duties and other fees. */
      amount: number;
      tax_amount: number;
      fees_amount: number;
      currency_code: string;
    }
  | ({ outcome: "declined"; reference: string } & Failure)
  /** Charged, and the store does not show its order: not yet, or never. `paid` is what it says was paid, if it says. */
  | {
      outcome: "succeeded_without_order";
      reference: string;
      paid: { amount: number; currency_code: string } | null;
    }
  /** `takesDays`: the store says that it is under way and will take days, as a debit of a bank account does. */
  | { outcome: "pending"; reference: string; takesDays?: true }
  /** The customer has to confirm it at this address. */
  | { outcome: "action_required"; reference: string; url: string };

/** The store did not answer, or its answer is unclear: the request may have been processed, or may still be. */
export class UnknownOutcomeError extends Error {}

/** The store accepts no requests for some seconds: this one was not processed. */
export class StoreThrottledError extends UnknownOutcomeError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The store does not charge now, because the contract is paused there: it has to be reconciled with its subscription. */
export class ContractPausedError extends StoreThrottledError {}

/** The store understood the request and refused it: nothing was done. `codes` are the store's own. */
export class StoreRefusalError extends Error {
  readonly codes: string[];

  constructor(message: string, codes: string[] = []) {
    super(message);
    this.name = "StoreRefusalError";
    this.codes = codes;
  }
}

/** The store does not let the app read what was asked for. It will not until somebody has granted that. */
export class AccessDeniedError extends StoreRefusalError {}

/** Records that the store keeps and changes by itself; each call reads them from there. Throws StoreRefusalError. */
export interface StoreRecords {
  findCustomer(id: string): Promise<StoreCustomer | undefined>;
  findOrder(id: string): Promise<StoreOrder | undefined>;
  /** The recurring plans of a group; undefined if the store has no such group. */
  findSellingPlans(groupId: string): Promise<StoreOwnPlan[] | undefined>;
  /** The plan of ours that a group was made for; undefined for the store's own groups and unknown ones. */
  findPlanOfGroup(groupId: string): Promise<string | undefined>;
  listSellingPlanGroups(): Promise<string[]>;
}

/** Plans that are created here, at a store that sells by them. Throws StoreRefusalError. */
export interface StorePlans {
  /** Whether an id is one that the store gives: the plan is the store's own, and nothing is sent. */
  isStoresOwn(id: string): boolean;
  /** Makes the store's plan the desired one; creates it if there is none. `groupId` is the group it had last. */
  push(desired: DesiredPlan, groupId: string | null): Promise<{ groupId: string; planId: string }>;
  /** Deletes the store's plan, if there is one. Contracts that were sold by it remain. */
  remove(id: string, groupId: string | null): Promise<void>;
}

/**
 * The connected store platform as the service sees it. Every call but `askForPaymentMethod` and those of `remoteMethods` may be repeated: what it creates is
 * identified by an id of ours, so a repetition returns the same. Every call may throw UnknownOutcomeError.
 */
export interface Store extends StorePaymentMethods, StoreRefunds, StoreDisputes {
  /** With what the customer's browser confirms a charge; undefined for one that waits for no customer. */
  findConfirmation?(charge: KnownCharge): Promise<PaymentConfirmation | undefined>;
  /**
   * Creates the contract of a subscription's life, once, and returns its id at the store; `replaced` is the one of that life which it is to
   * come after, if any. One that was created before may have ended since. Throws StoreRefusalError.
   */
  createContract(desired: DesiredContract, replaced: number | null): Promise<number>;
  /** Whether the store has a customer still. Undefined for a store that shows its customers' records (`records`), or has none. */
  hasCustomer?(id: string): Promise<boolean>;
  /** Why the store cannot charge an amount, whoever pays it; undefined if it can. Undefined for a store that charges any. */
  whyNotChargeable?(amount: number, currencyCode: string): Failure | undefined;
  /** Charges and creates the order; with a known key it returns the answer of that charge again. */
  charge(charge: Charge): Promise<ChargeAnswer>;
  /** The answer about a charge; undefined if the key has not reached the store, which it may still do. */
  findCharge(charge: KnownCharge): Promise<ChargeAnswer | undefined>;
  /** Withdraws a charge that waits for its customer, if the store can, and returns the answer about it. */
  withdrawCharge(charge: KnownCharge): Promise<ChargeAnswer | undefined>;
  /**
   * Ends a charge under way that nobody here waits for, where its customer could still pay it, leaves its key to another one, and returns the
   * answer about it. Undefined for a store that lists no charges under way.
   */
  endCharge?(charge: KnownCharge): Promise<ChargeAnswer | undefined>;
  /**
   * The charges that were made, also those requested by others, and those under way where the store lists them; `next` is null after the last page. Undefined for a store that
   * cannot list them.
   */
  listCharges?(page: ChargePage): Promise<{ charges: MadeCharge[]; next: string | null }>;
  /** A charge by its reference, whoever requested it; undefined for one that has not succeeded. Undefined for a store that only this service charges. */
  findMadeCharge?(reference: string): Promise<MadeCharge | undefined>;
  /** Throws UnknownOutcomeError if the store has disconnected the account. Undefined for a store that cannot. */
  requireConnection?(): Promise<void>;
  /**
   * Sets the store up after its app was installed: where it sends webhooks. The answer is that address, and what the store has refused;
   * undefined where there is nothing to set up. Undefined for a store without an app.
   */
  setUp?(): Promise<StoreSetUp | undefined>;
  /**
   * Looks whether the store still sends its webhooks here, and mends that. Undefined for a store that sends none, or whose `setUp` does.
   */
  keepWebhooks?(): Promise<void>;
  /** The permissions that the store does not give the app, of those that it asks for. Undefined for a store without permissions. */
  findMissingScopes?(): Promise<string[]>;
  /**
   * Whether the store says that its shop has uninstalled the app; if so the account is disconnected. Undefined for a store that
   * nobody can uninstall. Throws UnknownOutcomeError.
   */
  disconnectIfUninstalled?(): Promise<boolean>;
  /** Undefined for the sandbox, whose records nobody but this service changes. */
  contracts?: StoreContracts;
  plans?: StorePlans;
  records?: StoreRecords;
  /** Undefined for a store that takes over none. */
  remoteMethods?: StoreRemoteMethods;
}
