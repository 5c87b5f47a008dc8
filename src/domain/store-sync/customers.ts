import { commit } from "../../base/db/commit.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { linkStatements } from "../profiles/customers.ts";
import { followCustomer } from "../profiles/follow-customer.ts";
import { findProfilesOfCustomer } from "../profiles/queries.ts";

/** Updates the profiles of a customer to what the store has now; those of one who is gone there may have another one. */
export async function refreshCustomer(ctx: Ctx, customerId: string): Promise<JobOutcome> {
  const found = await findProfilesOfCustomer(ctx, customerId);
  if (found.length > 0 && ctx.store.hasCustomer && !(await ctx.store.hasCustomer(customerId)))
    await unlink(ctx, customerId);
  const customer = found.length > 0 ? await ctx.store.records?.findCustomer(customerId) : undefined;
  if (customer) for (const { id } of found) await followCustomer(ctx, id, customer);
  return "done";
}

/**
 * Two customers have become one at the store: the profiles of the one that is gone are linked to the one that remains, so that
 * their contracts are found there. `subject` names both, the remaining one first. Nothing is done while the store has both.
 */
export async function mergeCustomers(ctx: Ctx, subject: string): Promise<JobOutcome> {
  const [keptId = "", goneId = ""] = subject.split(" ");
  const { records } = ctx.store;
  if (!records || (await findProfilesOfCustomer(ctx, goneId)).length === 0) return "done";
  const kept = await records.findCustomer(keptId);
  if (!kept) return "done";
  if (await records.findCustomer(goneId)) return "later";
  await retryOnConflict(async () => {
    for (const profile of await findProfilesOfCustomer(ctx, goneId))
      await commit({ db: ctx.db }, linkStatements(ctx, profile, kept.store_customer_id));
  });
  return "done";
}

function unlink(ctx: Ctx, customerId: string): Promise<void> {
  return retryOnConflict(async () => {
    for (const profile of await findProfilesOfCustomer(ctx, customerId))
      await commit({ db: ctx.db }, linkStatements(ctx, profile, null));
  });
}
