import type { Job } from "../../src/base/job.ts";
import { dayMs, hourMs } from "../../src/base/lib/time/durations.ts";
import type { Store } from "../../src/stores/port.ts";
import type { StoreRefunds } from "../stores/store-refunds.ts";
import type { Task } from "./task.ts";
import type { World } from "./world.ts";

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

/** A store is outside the database: no restore rewinds it. */
export type SimulatedStore = {
  entries: StoreCharge[];
  /** The store's own id of a charge. */
  referenceOf: (charge: StoreCharge) => string;
  /** The order of a charge, as a person finds it. */
  orderOf: (charge: StoreCharge) => string;
  /** Whether the store still has that order; it may have been deleted. */
  showsOrderOf: (charge: StoreCharge) => boolean;
  /** Its refunds; undefined for a store that is not asked for any. */
  refunds?: Pick<StoreRefunds, "entries">;
  /** How many requests it has received. */
  requests: number;
  /** The store as a task sees it. */
  open: (task: Task, job: Job | undefined) => Store;
  /** Does what is due by now: late requests arrive, charges settle. */
  passTime: () => Promise<void>;
  nextAt: () => number | undefined;
};

/** Whether the merchant's payment provider is off: for two days longer than other faults last, or by turns. */
export function isGatewayOff(world: World): boolean {
  const { scenario, isQuiesced, clock, quiescedAt } = world;
  if (isGatewayUnsteady(world)) return Math.floor(clock / turnMs) % 2 === 0;
  return scenario === "gateway off" && (!isQuiesced || clock < quiescedAt + 2 * dayMs);
}

/** Whether the payment provider is off by turns, and cards are declined in between: for some days longer than other faults last. */
export function isGatewayUnsteady({ scenario, isQuiesced, clock, quiescedAt }: World): boolean {
  return scenario === "gateway on and off" && (!isQuiesced || clock < quiescedAt + 6 * dayMs);
}

/** Not a whole number of days, so that retries and turns meet in every way. */
const turnMs = 20 * hourMs;

/** The authority of the charge that a job requests; that of a webhook names no attempt, but the charge, which was noted with one. */
export function authorityOf(world: World, task: Task, job: Job | undefined, noted?: string): Authority {
  const attempt =
    job?.type === "charge"
      ? world.watch.attempt(job.attempt_id)
      : job?.type === "webhook" && noted !== undefined
        ? world.watch.attemptNoted(noted)
        : undefined;
  if (!attempt) throw new Error("A charge was requested outside of an attempt");
  const { id: attempt_id, subscription_id, activation, cycle, amount: attemptAmount } = attempt;
  return {
    attempt_id,
    subscription_id,
    activation,
    cycle,
    attemptAmount,
    isBillable: world.watch.isBillableAt(subscription_id, activation, task.claimedAtCommit),
    isBlocked: world.blocks?.isBlockedAt(subscription_id, task.claimedAtCommit) ?? false,
    commit: task.claimedAtCommit,
    requestedAt: world.clock,
    restores: world.restores,
  };
}
