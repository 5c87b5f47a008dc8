import { toMajor } from "../../../base/lib/money.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ChargeAnswer } from "../../../stores/port.ts";
import { recoverEpisode } from "../../dunning/actions.ts";
import { linkedOrder, type OrderOfStore, orderOfStore } from "../../orders/queries.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { combine, type Part } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { progressAfterCharge } from "../after-charge.ts";
import { orderOfCharge } from "../order.ts";
import { billedContent } from "../order-content.ts";
import { attemptNow } from "../queries.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { endWait } from "../waiting.ts";
import { type ReviewReason, requireReview } from "./review-required.ts";
import { isStillOpen, settlement } from "./settle.ts";
import { recordTries } from "./tries.ts";

type Success = Extract<ChargeAnswer, { outcome: "succeeded" }>;
/** A charge to record; `isStated`: a person has stated its amount, which counts even where the order has another. */
export type RecordedCharge = Omit<Success, "outcome"> & { isStated?: boolean };

/**
 * Records a charge: its order, the cycle that it pays for, the schedule's next step, the end of dunning and of the attempt, in
 * one batch that the claim and the subscription's revision guard.
 */
export async function recordSuccess(ctx: Ctx, attempt: BillingAttempt, success: Success): Promise<void> {
  if (ownAmount(success) !== attempt.amount || success.currency_code !== attempt.currency_code)
    return requireReview(ctx, attempt, amountMismatch);
  const alongside = {
    now: attemptNow(ctx, attempt.id),
    order: orderOfStore(ctx, success.store_order_id),
  };
  const { result: review } = await changeSubscription(
    ctx,
    attempt.subscription_id,
    { alongside, tries: recordTries },
    (view, { now: [now], order: [order] }) =>
      isStillOpen(now, attempt) ? decideSuccess(ctx, view, attempt, { ...success, order }) : undefined,
  );
  if (review) await requireReview(ctx, attempt, review);
  else reportFees(ctx, attempt, success);
}

/** The part of a charge that is the subscription's: without what the store has added. */
export function ownAmount({ amount, tax_amount, fees_amount }: RecordedCharge): number {
  return amount - tax_amount - fees_amount;
}

/**
 * The change that records a charge; only a reason for a review where the order belongs to another charge or subscription. `order` is
 * what `orderOfStore` finds of the charge's order.
 */
export function decideSuccess(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  { order: found, ...success }: RecordedCharge & { order: OrderOfStore | undefined },
): Part<ReviewReason> {
  const { row } = view;
  const paid = snapshotOf(attempt);
  const content = billedContent(paid, paid.deliveries);
  const order = orderOfCharge(ctx, row, content, {
    ...success,
    attemptId: attempt.id,
    known: found && linkedOrder(found),
  });
  if (!order) return { result: orderTaken };
  const { activation, cycle } = attempt;
  const amount = ownAmount(success);
  const end = {
    status: "SUCCEEDED",
    amount,
    store_reference: success.reference,
    order_id: order.id,
    error_code: null,
    error_message: null,
  } as const;
  const metadata = {
    billing_attempt_id: attempt.id,
    cycle,
    store_order_id: success.store_order_id,
    ...(success.fees_amount > 0 ? { fees_amount: toMajor(success.fees_amount, attempt.currency_code) } : {}),
    ...(amount === attempt.amount ? {} : { amount: toMajor(amount, attempt.currency_code) }),
  };
  return combine(
    {
      entry: { action: "billing_succeeded", order_id: order.id, metadata },
      columns: { open_attempt_id: null },
      writes: settlement(ctx, attempt, end),
    },
    order.part,
    endWait(row),
    row.activation === activation ? recoverEpisode(ctx, row) : {},
    progressAfterCharge(ctx, view, { ...paid, activation, cycle }),
  );
}

function reportFees(ctx: Ctx, { id }: BillingAttempt, { amount, fees_amount }: Success): void {
  if (fees_amount > 0) ctx.log("charge_with_fees", { alert: true, attempt_id: id, amount, fees_amount });
}

const amountMismatch: ReviewReason = {
  code: "amount_mismatch",
  message: "The store has charged another amount for this key",
};

const orderTaken: ReviewReason = {
  code: "order_taken",
  message: "The store's order belongs to another charge or subscription",
};
