import { DomainError } from "../../base/errors.ts";
import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { plainId } from "../../stores/ids.ts";
import { findSubscriptionOfContract } from "../contracts/import.ts";
import { followCycle } from "../subscriptions/actions/follow-cycle.ts";
import { refreshContract } from "./contracts.ts";

/**
 * Makes a cycle's skip at the store one here, and takes it back where the store has. `subject` is the contract's global id and the cycle's
 * number there. While the subscription is being billed that has to wait.
 */
export async function refreshCycle(ctx: Ctx, subject: string): Promise<JobOutcome> {
  const [storeId = "", index] = subject.split(" ");
  const id = Number(plainId("SubscriptionContract", storeId));
  const subscription = (await findSubscriptionOfContract(ctx, id)) ?? (await takeOver(ctx, id, storeId));
  if (!subscription) return "done";
  const cycle = await ctx.store.contracts?.findCycle(id, { index: Number(index) });
  if (!cycle) return "done";
  try {
    await followCycle(ctx, subscription.id, cycle);
  } catch (error) {
    if (error instanceof DomainError && error.code === "BILLING_IN_PROGRESS") return "later";
    throw error;
  }
  return "done";
}

/** The subscription that a contract nobody here knows becomes, if it can be taken over. */
async function takeOver(ctx: Ctx, id: number, storeId: string): Promise<{ id: string } | undefined> {
  await refreshContract(ctx, storeId);
  return await findSubscriptionOfContract(ctx, id);
}
