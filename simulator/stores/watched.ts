import type { Job } from "../../src/base/job.ts";
import type { Authority, StoreCharge } from "../kernel/store.ts";
import type { Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";

/** Whoever watches what a store does. */
export type StoreWatch = {
  /** The attempt that a job charges for; that of a webhook names none, but the charge, which was noted with one. */
  authorize: (world: World, task: Task, job: Job | undefined, noted?: string) => Authority;
  /** A charge was entered, or has another state. */
  charged: (world: World, charge: StoreCharge) => void;
  /** A customer has confirmed a challenge. */
  confirmed: (world: World, charge: StoreCharge) => void;
  /** The store was asked to sell what is out of stock, or not to. */
  oversells: (world: World, isAsked: boolean) => void;
};

/** The code of goods that are out of stock. */
export const outOfStock = "insufficient_inventory";
