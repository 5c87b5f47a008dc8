import type { Ctx } from "../../context.ts";
import { afterFailure } from "../../dunning/actions.ts";
import { isNoDecline, notCharged } from "../../dunning/policy.ts";
import { type Decision, perform } from "../../subscriptions/actions/perform.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { frozenOf } from "../frozen.ts";
import type { BillingAttempt } from "../tables.ts";
import { recordTries } from "./record-success.ts";
import { settled, stillOpen } from "./settle.ts";
import { type Start, sendCharges, startAttempt } from "./start.ts";

type Decline = { code: string; message: string; isFinal: boolean };

/** Whether what was billed is still wanted, in the life that was billed, by a subscription in one of these states. */
const isWanted = (row: Subscription, attempt: BillingAttempt, statuses: Subscription["status"][]): boolean =>
  row.activation === attempt.activation && statuses.includes(row.status);

/** Another payment method than the one that was not charged is tried at once (DECISIONS §6). */
const anotherTry = async (
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  code: string,
): Promise<Start | undefined> => {
  if (!isWanted(view.row, attempt, ["ACTIVE", "PAYMENT_FAILED"])) return undefined;
  if (view.row.payment_method_id === frozenOf(attempt).payment_method_id) return undefined;
  const withdrawn = endOf(code) === "CANCELLED" ? attempt.id : undefined;
  return startAttempt(ctx, view, { origin: "DUNNING", withdrawn });
};

/**
 * What the store has never seen is withdrawn: the cycle's next attempt has the same number and key. Counted on instead, a
 * database restored to before it would ask under the key that was passed over, and be charged again.
 */
const endOf = (code: string): "FAILED" | "CANCELLED" => (code === notCharged.code ? "CANCELLED" : "FAILED");

const failed = async (
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  { code, message, isFinal }: Decline,
): Promise<{ decision: Decision; again: Start | undefined }> => {
  const { cycle, attempt_number } = attempt;
  const isRefused = !isNoDecline(code);
  const again = await anotherTry(ctx, view, attempt, code);
  const dunning =
    isRefused && isWanted(view.row, attempt, ["ACTIVE"])
      ? await afterFailure(ctx, view.row, { cycle, code, message, isFinal, triesAgain: again !== undefined })
      : { after: {}, also: [], writes: [] };
  const decision: Decision = {
    action: "billing_failed",
    metadata: {
      billing_attempt_id: attempt.id,
      cycle,
      attempt_number,
      error_code: code,
      error_message: message,
    },
    after: { ...dunning.after, open_attempt_id: null, ...again?.after },
    also: [...dunning.also, ...(again ? [again.told] : [])],
    writes: [
      ...settled(ctx, attempt, { status: endOf(code), error_code: code, error_message: message }),
      ...dunning.writes,
      ...(again?.writes ?? []),
    ],
  };
  return { decision, again };
};

/** Records that no charge was made: the attempt's end and what dunning makes of it, in one guarded batch. */
export const recordFailure = async (ctx: Ctx, attempt: BillingAttempt, decline: Decline): Promise<void> => {
  let again: Start | undefined;
  const choose = async (view: SubscriptionView): Promise<Decision | undefined> => {
    again = undefined;
    if (!(await stillOpen(ctx, attempt))) return undefined;
    const made = await failed(ctx, view, attempt, decline);
    again = made.again;
    return made.decision;
  };
  await perform(ctx, attempt.subscription_id, false, choose, recordTries);
  if (again) await sendCharges(ctx, [again.attempt.id]);
};
