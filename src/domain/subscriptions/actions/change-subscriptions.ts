import type { Reads } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { commitInSlots } from "../bounds/places.ts";
import { findSubscriptionsAnd } from "../queries.ts";
import { type Decide, type PreparedChange, prepareChange } from "./change-subscription.ts";

/**
 * Changes several subscriptions, each as `changeSubscription` does: read in one trip, with the rows of `alongside`, and written in one
 * batch. False if one of them could not be decided on or written, as it has changed meanwhile: then none is changed. Throws UNAVAILABLE,
 * after which none may have been changed, or all.
 */
export async function changeSubscriptions<Named extends Reads>(
  ctx: Ctx,
  ids: string[],
  alongside: Named,
  decide: Decide<unknown, Named>,
): Promise<boolean> {
  const [views, found] = await findSubscriptionsAnd(ctx, ids, alongside);
  const prepared: PreparedChange[] = [];
  try {
    for (const view of views) prepared.push(prepareChange(ctx, view, (await decide(view, found)) ?? {}));
    const statements = prepared.flatMap((change) => change.statements);
    const slots = views.map(({ slot }) => slot);
    if (statements.length > 0) await commitInSlots(ctx, statements, slots);
  } catch (error) {
    if (error instanceof DomainError && error.code === "UNAVAILABLE") throw error;
    return false;
  }
  const jobs = prepared.flatMap((change) => change.jobs);
  if (jobs.length > 0) await ctx.send(jobs);
  return true;
}
