import type { Job } from "../src/job.ts";
import type { Store } from "../src/store/port.ts";
import type { Task } from "./task.ts";
import type { World } from "./world.ts";

/** Which store an account is connected to: a ledger behind the port, or Shopify behind its own adapter. */
export const platforms = ["ledger", "shopify"] as const;
export type Platform = (typeof platforms)[number];

/** What is charged for: the one thing that may be charged once. */
export type Cycle = { subscription_id: string; activation: number; cycle: number };

/** On whose behalf a charge was asked for, and whether its subscription wanted it when it was claimed. */
export type Authority = Cycle & {
  attempt_id: string;
  frozenAmount: number;
  isWanted: boolean;
  commit: number;
  restores: number;
};

/** A charge at the store, by its key. */
export type Entry = Authority & {
  key: string;
  number: number;
  /** What was charged, and what of it the store has added for tax. */
  amount: number;
  tax: number;
  currency_code: string;
  state: "succeeded" | "declined" | "pending" | "action_required";
};

/** What is outside of the database: no restore rewinds it. */
export type Outside = {
  entries: Entry[];
  /** How many requests have come. */
  requests: number;
  /** The store as a task reaches it. */
  open: (task: Task, job: Job | undefined) => Store;
  /** Brings what the time has come for: late requests, charges that settle by themselves. */
  passTime: () => Promise<void>;
  nextAt: () => number | undefined;
};

/** On whose behalf a message's charge is asked for: the key does not tell, the attempt does. */
export const authorityOf = (world: World, task: Task, job: Job | undefined): Authority => {
  const attempt = job?.type === "charge" ? world.watch.attempt(job.attempt_id) : undefined;
  if (!attempt) throw new Error("The store is asked for a charge outside of an attempt");
  const { id: attempt_id, subscription_id, activation, cycle, amount: frozenAmount } = attempt;
  return {
    attempt_id,
    subscription_id,
    activation,
    cycle,
    frozenAmount,
    isWanted: world.watch.isWantedAt(subscription_id, activation, task.claimedAt),
    commit: task.claimedAt,
    restores: world.restores,
  };
};
