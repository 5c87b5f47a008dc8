import type { Db } from "../../src/base/db/port.ts";
import type { Job } from "../../src/base/job.ts";
import type { Platform } from "../kernel/store.ts";
import type { Task } from "../kernel/task.ts";

/** Something that goes on beside billing in a share of the schedules, with rules of its own. */
export type Aside = {
  /** How likely something of it happens next; 0 while nothing can. */
  weight: (isBusy: boolean) => number;
  /** Something of it happens. */
  act: () => Promise<void>;
  /** Faults have stopped: what is still under way arrives, and people do what they would do in the end. */
  settle?: () => Promise<void>;
  /** When there is next something to settle, in milliseconds. */
  nextAt?: () => number | undefined;
  /** An operator does this of it after the database was restored. */
  afterRestore?: () => Promise<void>;
  /** A commit of the schedule's first account is done: what the task that made it has changed is looked at. */
  afterCommit?: (task: Task) => Promise<void>;
  /** An account of its own, and how a message to it is worked on. */
  account?: { id: string; receive: (task: Task, job: Job) => Received };
  /** Checks the state in which the schedule ended. */
  check: () => Promise<void>;
};

/** A message in the hands of an invocation: its database, and its work. */
export type Received = { db: Db; run: () => Promise<unknown> };

/**
 * The kinds of it: pushes of selling plans, a test clock, the portal's sign-in links, closed days, imports, bulk jobs, customers on their way
 * out, an account that is deleted, refunds, and disputes.
 */
export type AsideName =
  | "plans"
  | "clock"
  | "links"
  | "days"
  | "imports"
  | "bulk"
  | "leaving"
  | "removal"
  | "refunds"
  | "disputes";

/** Names the aside of a seed's schedule, if it has one: by the seed alone, so that no choice of the other schedules is another one. */
export function asideOf(seed: number, platform: Platform, isMoving = false): AsideName | undefined {
  if (isMoving) return platform === "stripe" && seed % 4 === 0 ? "refunds" : undefined;
  if (platform === "shopify") return Math.floor(seed / 5) % 3 === 1 ? "plans" : undefined;
  if (seed % 32 === 3) return "links";
  if (seed % 64 === 13) return "imports";
  if (seed % 128 === 45) return "removal";
  if (seed % 64 === 23 || seed % 64 === 29) return "days";
  if (seed % 64 === 31 || seed % 64 === 53) return "bulk";
  if (seed % 64 === 33 || seed % 64 === 61) return "leaving";
  if (seed % 64 === 12 || seed % 64 === 44) return "refunds";
  if (platform === "stripe" && disputed.includes(seed % 64)) return "disputes";
  return seed % 32 === 6 ? "clock" : undefined;
}

/** Of 64 seeds these, which had nothing else beside them. */
const disputed = [9, 11, 17, 19, 25, 27, 41, 49];
