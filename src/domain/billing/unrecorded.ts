import { later } from "../../base/lib/dates.ts";
import { dayMs } from "../../base/lib/durations.ts";
import type { Ctx } from "../../kit/context.ts";

/** A restore goes back so far at most: a charge that has been recorded by then by nobody never is. */
export const longestUnrecordedMs = 30 * dayMs;

/** Whether a payment that no order has is a charge of ours which may still be recorded. */
export async function mayBeRecorded({ store, realNow }: Ctx, reference: string): Promise<boolean> {
  const made = await store.findMadeCharge?.(reference);
  return made !== undefined && made.created_at >= later(realNow, -longestUnrecordedMs);
}
