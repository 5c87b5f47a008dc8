import type { StatementsOf } from "../../../base/db/statement.ts";
import { chargeJob } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import {
  type Command,
  changeSubscription,
  type Decision,
} from "../../subscriptions/actions/change-subscription.ts";
import {
  attemptsOfHour,
  type RequestedAttempt,
  requireBelowHourlyLimit,
} from "../../subscriptions/hourly-limit.ts";
import { invalidState, isWaiting, owesPayment } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { latestAttempts, openOrLatestAttempt } from "../queries.ts";
import type { Billed, BillingAttempt } from "../tables.ts";
import { requireBillable, startAttempt } from "./start.ts";

/** The latest attempt at the cycle, the one in progress, and those of the last hour. */
type ReadAlongside = [BillingAttempt, BillingAttempt, RequestedAttempt];

/**
 * Tries a payment that is owed, or that waits, again now: returns the attempt in progress, or a new one; for a dry run the
 * one that would be started. Throws INVALID_STATE if nothing is owed, NOT_BILLABLE, RATE_LIMITED.
 */
export async function retryPayment(ctx: Ctx, { id, dryRun }: Command): Promise<Billed> {
  const alongside: StatementsOf<ReadAlongside> = [
    latestAttempts(ctx, [id]),
    openOrLatestAttempt(ctx, id),
    attemptsOfHour(ctx, id),
  ];
  const decide = async (
    view: SubscriptionView,
    [before]: BillingAttempt[],
    [last]: BillingAttempt[],
    recent: RequestedAttempt[],
  ): Promise<Decision<Billed>> => {
    if (!owesPayment(view.row) && !isWaiting(view.row))
      throw invalidState("retry the payment: nothing is owed", view.row);
    const row = requireBillable(view.row, ["ACTIVE", "PAYMENT_FAILED"]);
    const open = row.open_attempt_id === null ? undefined : last;
    if (open)
      return {
        result: { attempt: open, isNew: false },
        jobs: open.status === "QUEUED" ? [chargeJob(ctx.account.id, open)] : [],
      };
    requireBelowHourlyLimit(ctx, recent);
    await ctx.store.requireConnection?.();
    const { attempt, ...start } = await startAttempt(ctx, view, { origin: "RETRY", before });
    return { ...start, result: { attempt, isNew: true } };
  };
  const { result } = await changeSubscription(ctx, id, { alongside, dryRun, tries: 20 }, decide);
  return result as Billed;
}
