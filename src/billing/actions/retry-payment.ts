import type { Ctx } from "../../context.ts";
import { type Decision, perform } from "../../subscriptions/actions/perform.ts";
import { invalidState, owesPayment } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { findAttempt } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";
import { requireFewer } from "./ship-now.ts";
import { requireBillable, sendCharges, startAttempt } from "./start.ts";

/**
 * Tries a payment that is owed again, now: answers the attempt in progress, or a new one; none for a dry run.
 * Throws INVALID_STATE where nothing is owed, NOT_BILLABLE, RATE_LIMITED.
 */
export const retryPayment = async (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
): Promise<BillingAttempt | undefined> => {
  let answered: BillingAttempt | undefined;
  const choose = async (view: SubscriptionView): Promise<Decision | undefined> => {
    answered = undefined;
    if (!owesPayment(view.row)) throw invalidState("retry the payment: nothing is owed", view.row);
    const row = requireBillable(view.row, ["ACTIVE", "PAYMENT_FAILED"]);
    if (row.open_attempt_id !== null) {
      answered = await findAttempt(ctx, row.open_attempt_id);
      return undefined;
    }
    await requireFewer(ctx, row, "RETRY");
    await ctx.store.requireConnection?.();
    const { attempt, after, writes, told } = await startAttempt(ctx, view, { origin: "RETRY" });
    answered = attempt;
    return { ...told, after, writes };
  };
  await perform(ctx, id, dryRun, choose, 20);
  if (dryRun || !answered) return undefined;
  if (answered.status === "QUEUED") await sendCharges(ctx, [answered.id]);
  return answered;
};
