import { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../../../stores/port.ts";
import { followCycle } from "../../subscriptions/actions/follow-cycle.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";

/** Whether the store has made no charge because the cycle that it would bill now is skipped there. */
export function isSkippedAtStore({ outcome, code }: { outcome: string; code?: string }): boolean {
  return outcome === "declined" && code === "billing_cycle_skipped";
}

/**
 * Follows the skip that a charge was refused for, whose webhook may be lost: the cycle is read, and skipped here as its webhook would do it,
 * instead of waiting for a person. Nothing was charged, and the failure is recorded. Where the store does not answer now, billing waits, and
 * the next try is refused in the same way.
 */
export async function followSkippedCycle(ctx: Ctx, attempt: BillingAttempt): Promise<void> {
  const { subscription_id } = attempt;
  try {
    const { store_contract_id } = snapshotOf(attempt);
    const cycle = await ctx.store.contracts?.findCycle(store_contract_id, { date: ctx.realNow });
    if (cycle?.is_skipped) await followCycle(ctx, subscription_id, cycle, { isNews: isFirstTry });
  } catch (error) {
    if (error instanceof DomainError && error.code === "BILLING_IN_PROGRESS") return;
    if (!(error instanceof UnknownOutcomeError || error instanceof StoreRefusalError)) throw error;
    ctx.log("store_cycle_not_read", { subscription_id, cause: error.message });
  }
}

/** Later tries find the same, and say nothing that people have not been told. */
function isFirstTry({ billing_wait_count }: Pick<Subscription, "billing_wait_count">): boolean {
  return billing_wait_count <= 1;
}
