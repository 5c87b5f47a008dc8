import type { Platform } from "../kernel/store.ts";

/**
 * One of these goes on beside billing in a share of the schedules, each with rules of its own: pushes of selling plans, a test clock, the
 * portal's sign-in links, declarations of leaving, closed days, imports, bulk jobs, customers on their way
 * out, an account that is deleted, refunds, disputes, people who take back what was done, and a row that breaks.
 */
export type BesideBilling =
  | "plans"
  | "clock"
  | "links"
  | "declarations"
  | "days"
  | "imports"
  | "bulk"
  | "leaving"
  | "removal"
  | "refunds"
  | "disputes"
  | "undo"
  | "poison";

/** Names what goes on beside the billing of a seed's schedule, if anything does: by the seed alone, so that no choice of the other schedules is another one. */
export function besideOf(seed: number, platform: Platform, isMoving = false): BesideBilling | undefined {
  if (isMoving) return platform === "stripe" && seed % 4 === 0 ? "refunds" : undefined;
  if (platform === "shopify") return Math.floor(seed / 5) % 3 === 1 ? "plans" : undefined;
  if (seed % 32 === 3) return "links";
  if (seed % 64 === 5 || seed % 64 === 37) return "declarations";
  if (seed % 64 === 13) return "imports";
  if (seed % 128 === 45) return "removal";
  if (seed % 64 === 23 || seed % 64 === 29) return "days";
  if (seed % 64 === 31 || seed % 64 === 53) return "bulk";
  if (seed % 64 === 33 || seed % 64 === 61) return "leaving";
  if (seed % 64 === 7 || seed % 64 === 39) return "undo";
  if (seed % 64 === 15) return "poison";
  if (seed % 64 === 12 || seed % 64 === 44) return "refunds";
  if (platform === "stripe" && disputed.includes(seed % 64)) return "disputes";
  return seed % 32 === 6 ? "clock" : undefined;
}

/** Of 64 seeds these, which had nothing else beside them. */
const disputed = [9, 11, 17, 19, 25, 27, 41, 49];
