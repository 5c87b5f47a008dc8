import type { Ctx } from "../../context.ts";
import { challengeExpired } from "../../dunning/policy.ts";
import type { Outcome } from "../../job.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { owesPayment } from "../../subscriptions/lifecycle.ts";
import { hasCharged, knownChargeOf } from "../known-charge.ts";
import { latestAttempts, latestOf } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";
import { startOwed } from "./start.ts";

/**
 * Follows a challenge that was given up here and that its customer has confirmed since. While the cycle is owed it is tried again: the new
 * attempt finds that charge, which pays the cycle (earlier-challenge.ts). If something else has paid it, or it is not to be paid any more,
 * people have to refund it. While another attempt is open, that one may still find it: `later`.
 */
export async function followConfirmedLate(ctx: Ctx, attempt: BillingAttempt): Promise<Outcome> {
  if (attempt.status !== "FAILED" || attempt.error_code !== challengeExpired.code) return "done";
  const answer = await ctx.store.findCharge(knownChargeOf(attempt));
  if (!hasCharged(answer)) return "done";
  const { result } = await changeSubscription<"owed" | "open" | "recorded", [BillingAttempt, BillingAttempt]>(
    ctx,
    attempt.subscription_id,
    { alongside: [latestAttempts(ctx, [attempt.subscription_id]), latestOf(ctx, attempt)] },
    async (view, [before], [latest]) => {
      const { row } = view;
      if (row.open_attempt_id !== null) return { result: "open" };
      if (latest?.status === "SUCCEEDED" && latest.store_reference === answer.reference)
        return { result: "recorded" };
      const isOwed = row.activation === attempt.activation && row.current_billing_cycle === attempt.cycle;
      const start = isOwed && owesPayment(row) ? await startOwed(ctx, view, before) : undefined;
      return start && { ...start, result: "owed" };
    },
  );
  if (result === "open") return "later";
  if (result === undefined)
    ctx.log("charge_not_reconciled", {
      alert: true,
      account_id: ctx.account.id,
      problem: "recorded_as_not_charged",
      store_key: attempt.store_key,
      reference: answer.reference,
      attempt_id: attempt.id,
      subscription_id: attempt.subscription_id,
    });
  return "done";
}
