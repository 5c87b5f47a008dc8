import { updateRow } from "../../../base/db/row-writes.ts";
import { toMajor } from "../../../base/lib/money.ts";
import type { Ctx } from "../../../kit/context.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import type { Part } from "../../subscriptions/part.ts";
import { challengeEnd } from "../challenge.ts";
import { selectAttempt } from "../queries.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";
import { guardClaim, isStillOpen } from "./settle.ts";
import { recordTries } from "./tries.ts";

/**
 * Records that the customer has to confirm the payment: the attempt waits for that, and the history says where and until when, in
 * one batch. It is an event, by which whoever writes to customers can send them there.
 */
export async function recordChallenge(
  ctx: Ctx,
  attempt: BillingAttempt,
  columns: Partial<BillingAttempt>,
): Promise<void> {
  const { account_seq, id, amount, currency_code } = attempt;
  const challenged = { ...attempt, ...columns };
  const metadata = {
    url: challenged.next_action_url,
    expires_at: challengeEnd(challenged),
    amount: toMajor(amount, currency_code),
    currency_code,
  };
  const options = { alongside: { now: selectAttempt(ctx, id) }, tries: recordTries };
  await changeSubscription(ctx, attempt.subscription_id, options, (_, { now: [now] }): Part | undefined => {
    if (!isStillOpen(now, attempt)) return undefined;
    return {
      entry: { action: "billing_action_required", metadata },
      writes: [
        guardClaim(attempt),
        updateRow(attempts, { account_seq, id }, { ...columns, updated_at: ctx.now }),
      ],
    };
  });
}
