import type { Job } from "../../src/base/job.ts";
import type { StoreRefund } from "../../src/stores/port/refunds.ts";
import { type Store, StoreThrottledError, UnknownOutcomeError } from "../../src/stores/port.ts";
import type { Call, Task } from "./task.ts";

/** Which store an account is connected to: a ledger behind the port, or Shopify or Stripe behind their own adapters. */
export const platforms = ["ledger", "shopify", "stripe"] as const;
export type Platform = (typeof platforms)[number];

/** A cycle may be charged once. */
type Cycle = { subscription_id: string; activation: number; cycle: number };

/** The attempt that a charge was requested for, and whether its subscription was billable, or blocked by a dispute, when it was claimed. */
export type Authority = Cycle & {
  attempt_id: string;
  attemptAmount: number;
  isBillable: boolean;
  isBlocked: boolean;
  commit: number;
  /** When it was requested, in milliseconds. */
  requestedAt: number;
  restores: number;
  /** How many requests Shopify had received when the contract was read for the charge. */
  contractReadAt?: number;
};

/** A charge at the store, by its key. */
export type StoreCharge = Authority & {
  key: string;
  number: number;
  /** The amount that was charged, in minor units, and how much of it is tax that the store added. */
  amount: number;
  tax: number;
  currency_code: string;
  state: "succeeded" | "declined" | "pending" | "action_required";
  /** The payment method that was charged, where the store is told with the charge. */
  method?: string | null;
  /** The last commit before its customer confirmed it, where it was a challenge. */
  confirmedAtCommit?: number;
};

/** A refund at the store. */
export type RefundAtStore = StoreRefund & {
  charge: string;
  settlesAs?: { status: "SUCCEEDED" | "FAILED"; at: number };
};

/** A store is outside the database: no restore rewinds it. */
export type SimulatedStore = {
  /** How much likelier than others a kind of call is to fail. */
  weights: Record<Call["kind"], number>;
  /** The customer of every subscription there, and five payment methods; a store that knows neither takes any. */
  customer: string | null;
  cards: string[];
  drawCurrency: () => string;
  entries: StoreCharge[];
  /** The store's own id of a charge. */
  referenceOf: (charge: StoreCharge) => string;
  /** The order of a charge, as a person finds it. */
  orderOf: (charge: StoreCharge) => string;
  /** Whether the store still has that order; it may have been deleted. */
  showsOrderOf: (charge: StoreCharge) => boolean;
  /** Its refunds; undefined for a store that is not asked for any. */
  refunds?: { readonly entries: RefundAtStore[] };
  /** How many requests it has received. */
  requests: number;
  /** The store as a task sees it. */
  open: (task: Task, job: Job | undefined) => Store;
  /** Does what is due by now: late requests arrive, charges settle. */
  passTime: () => Promise<void>;
  nextAt: () => number | undefined;
};

/** How much likelier than others a kind of call is to fail: calls that move money more, reads less. */
export const usualWeights: SimulatedStore["weights"] = {
  read: 0.3,
  write: 1,
  charge: 4,
  query: 3,
  mutation: 1,
  send: 1.5,
  post: 1,
  hang: 0,
  answer: 2,
};

/** The plan of every subscription, which is the store's own: contracts by another are refused. */
export const planId = "4401";

/** The error that a caller gets from a store that throttles. */
export function throttledError(): StoreThrottledError {
  return new StoreThrottledError("The store is busy", 30);
}

/** The error that a caller gets when the store does not answer. */
export function unknownOutcomeError(): UnknownOutcomeError {
  return new UnknownOutcomeError("The store did not answer");
}
