import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { chargeJob } from "../../job.ts";
import {
  type Command,
  changeSubscription,
  type Decision,
} from "../../subscriptions/actions/change-subscription.ts";
import { invalidState, isWaiting, owesPayment } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { findAttempt, latestAttempts } from "../queries.ts";
import type { Billed, BillingAttempt } from "../tables.ts";
import { requireBelowHourlyLimit } from "./ship-now.ts";
import { requireBillable, startAttempt } from "./start.ts";

/**
 * Tries a payment that is owed, or that waits, again now: returns the attempt in progress, or a new one; for a dry run the
 * one that would be started. Throws INVALID_STATE if nothing is owed, NOT_BILLABLE, RATE_LIMITED.
 */
export const retryPayment = async (ctx: Ctx, { id, dryRun }: Command): Promise<Billed> => {
  const alongside: [Statement<BillingAttempt>] = [latestAttempts(ctx, [id])];
  const decide = async (view: SubscriptionView, [before]: BillingAttempt[]): Promise<Decision<Billed>> => {
    if (!owesPayment(view.row) && !isWaiting(view.row))
      throw invalidState("retry the payment: nothing is owed", view.row);
    const row = requireBillable(view.row, ["ACTIVE", "PAYMENT_FAILED"]);
    const open = row.open_attempt_id === null ? undefined : await findAttempt(ctx, row.open_attempt_id);
    if (open)
      return {
        result: { attempt: open, isNew: false },
        jobs: open.status === "QUEUED" ? [chargeJob(ctx.account.id, open)] : [],
      };
    await requireBelowHourlyLimit(ctx, row, "RETRY");
    await ctx.store.requireConnection?.();
    const { attempt, ...start } = await startAttempt(ctx, view, { origin: "RETRY", before });
    return { ...start, result: { attempt, isNew: true } };
  };
  const { result } = await changeSubscription(ctx, id, { alongside, dryRun, tries: 20 }, decide);
  return result as Billed;
};
