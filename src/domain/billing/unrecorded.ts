import { later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { MadeCharge } from "../../stores/port.ts";

/** A restore goes back so far at most: a charge that has been recorded by then by nobody never is. */
export const longestUnrecordedMs = 30 * dayMs;

/** Whether a payment that no order has is a charge of ours which may still be recorded. */
export async function mayBeRecorded(ctx: Ctx, reference: string): Promise<boolean> {
  const made = await ctx.store.findMadeCharge?.(reference);
  return made !== undefined && mayStillCome(ctx, made);
}

/** Whether the attempt of a charge may still come. */
export function mayStillCome({ realNow }: Ctx, { created_at }: MadeCharge): boolean {
  return created_at >= later(realNow, -longestUnrecordedMs);
}
