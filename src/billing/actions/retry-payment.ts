import type { Ctx } from "../../context.ts";
import { type Decision, perform } from "../../subscriptions/actions/perform.ts";
import { invalidState, isWaiting, owesPayment } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { findAttempt } from "../queries.ts";
import type { Billed } from "../tables.ts";
import { requireFewer } from "./ship-now.ts";
import { requireBillable, sendCharges, startAttempt } from "./start.ts";

/**
 * Tries a payment that is owed, or that waits, again, now: answers the attempt in progress, or a new one; for a dry run the
 * one that would be started. Throws INVALID_STATE where nothing is owed, NOT_BILLABLE, RATE_LIMITED.
 */
export const retryPayment = async (ctx: Ctx, id: string, dryRun: boolean): Promise<Billed> => {
  let billed: Billed | undefined;
  const choose = async (view: SubscriptionView): Promise<Decision | undefined> => {
    if (!owesPayment(view.row) && !isWaiting(view.row))
      throw invalidState("retry the payment: nothing is owed", view.row);
    const row = requireBillable(view.row, ["ACTIVE", "PAYMENT_FAILED"]);
    const open = row.open_attempt_id === null ? undefined : await findAttempt(ctx, row.open_attempt_id);
    if (open) {
      billed = { attempt: open, isNew: false };
      return undefined;
    }
    await requireFewer(ctx, row, "RETRY");
    await ctx.store.requireConnection?.();
    const { attempt, after, writes, told } = await startAttempt(ctx, view, { origin: "RETRY" });
    billed = { attempt, isNew: true };
    return { ...told, after, writes };
  };
  await perform(ctx, id, dryRun, choose, 20);
  if (!billed) throw new Error("A decision to bill has no attempt");
  if (!dryRun && billed.attempt.status === "QUEUED") await sendCharges(ctx, [billed.attempt.id]);
  return billed;
};
