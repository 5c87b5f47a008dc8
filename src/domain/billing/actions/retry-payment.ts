import type { RowsBy } from "../../../base/db/statement.ts";
import { chargeJob } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import { type Command, changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { requireBelowHourlyLimit, selectAttemptsOfHour } from "../../subscriptions/bounds/hourly-limit.ts";
import { invalidState, isWaiting, owesPayment } from "../../subscriptions/lifecycle.ts";
import { type Part, withResult } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { selectLatestAttempts, selectOpenOrLatestAttempt } from "../queries.ts";
import type { Billed } from "../tables.ts";
import { newlyBilled, requireBillable, startAttempt } from "./start.ts";

/**
 * Tries a payment that is owed, or that waits, again now: returns the attempt in progress, or a new one; for a dry run the
 * one that would be started. Throws INVALID_STATE if nothing is owed, NOT_BILLABLE, RATE_LIMITED.
 */
export async function retryPayment(ctx: Ctx, { id }: Command): Promise<Billed> {
  const { result } = await changeSubscription(
    ctx,
    id,
    { alongside: readForRetry(ctx, id), tries: 20 },
    (view, found) => decideRetry(ctx, view, found),
  );
  return result as Billed;
}

function readForRetry(ctx: Ctx, id: string) {
  return {
    latest: selectLatestAttempts(ctx, [id]),
    openOrLatest: selectOpenOrLatestAttempt(ctx, id),
    recent: selectAttemptsOfHour(ctx, id),
  };
}

async function decideRetry(
  ctx: Ctx,
  view: SubscriptionView,
  { latest: [before], openOrLatest: [last], recent }: RowsBy<ReturnType<typeof readForRetry>>,
): Promise<Part<Billed>> {
  if (!owesPayment(view.row) && !isWaiting(view.row))
    throw invalidState(
      view.row.status === "PAUSED" ? "retry the payment" : "retry the payment: nothing is owed",
      view.row,
    );
  const row = requireBillable(ctx, view.row, ["ACTIVE", "PAYMENT_FAILED"]);
  const open = row.open_attempt_id === null ? undefined : last;
  if (open)
    return {
      result: { attempt: open, isNew: false },
      jobs: open.status === "QUEUED" ? [chargeJob(ctx.account.id, open)] : [],
    };
  requireBelowHourlyLimit(ctx, recent);
  await ctx.store.requireConnection?.();
  const start = await startAttempt(ctx, view, { origin: "RETRY", before });
  return withResult(start, newlyBilled(ctx, view, start.result));
}
