import type { Statement } from "../../../base/db/port.ts";
import type { StatementsOf } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import type { Job } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import { commitStatements } from "../../../kit/journal/write.ts";
import { findSubscriptionsAnd } from "../queries.ts";
import { type Decide, prepareChange } from "./change-subscription.ts";

/**
 * Changes several subscriptions, each as `changeSubscription` does: read in one trip, with the rows of `alongside`, and written in one
 * batch. False if one of them could not be decided on or written, as it has changed meanwhile: then none is changed. Throws UNAVAILABLE,
 * after which none may have been changed, or all.
 */
export async function changeSubscriptions<Found extends unknown[]>(
  ctx: Ctx,
  ids: string[],
  alongside: StatementsOf<Found>,
  decide: Decide<undefined, Found>,
): Promise<boolean> {
  const [views, ...found] = await findSubscriptionsAnd(ctx, ids, alongside);
  const statements: Statement[] = [];
  const jobs: Job[] = [];
  try {
    for (const view of views) {
      const decision = await decide(view, ...found);
      const prepared = decision && prepareChange(ctx, view.row, decision);
      statements.push(...(prepared?.statements ?? []));
      jobs.push(...(prepared?.jobs ?? []));
    }
    if (statements.length > 0) await commitStatements(ctx, statements);
  } catch (error) {
    if (error instanceof DomainError && error.code === "UNAVAILABLE") throw error;
    return false;
  }
  if (jobs.length > 0) await ctx.send(jobs);
  return true;
}
