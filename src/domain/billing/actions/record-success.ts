import type { StatementsOf } from "../../../base/db/statement.ts";
import { toMajor } from "../../../base/lib/money.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ChargeAnswer } from "../../../stores/port.ts";
import { recovery } from "../../dunning/actions.ts";
import { linkedOrder, type OrderOfStore, orderOfStore } from "../../orders/queries.ts";
import {
  type ActivityEntry,
  changeSubscription,
  type Decision,
} from "../../subscriptions/actions/change-subscription.ts";
import { isWaiting, notWaiting } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { progressAfterCharge } from "../after-charge.ts";
import { orderOfCharge } from "../order.ts";
import { billedContent } from "../order-content.ts";
import { attemptNow } from "../queries.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { waitEnded } from "../waiting.ts";
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
  const alongside: StatementsOf<[BillingAttempt, OrderOfStore]> = [
    attemptNow(ctx, attempt.id),
    orderOfStore(ctx, success.store_order_id),
  ];
  const { result: review } = await changeSubscription(
    ctx,
    attempt.subscription_id,
    { alongside, tries: recordTries },
    (view, [now], [order]) =>
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
): Decision<ReviewReason> {
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
  const { columns, expires, metadata } = progressAfterCharge(ctx, view, { ...paid, activation, cycle });
  const ended: ActivityEntry[] = expires
    ? [{ action: "subscription_expired", metadata: { cycles: cycle } }]
    : [];
  const recovered =
    row.activation === attempt.activation ? recovery(ctx, row) : { writes: [], ownEntries: [] };
  const amount = ownAmount(success);
  const end = {
    status: "SUCCEEDED",
    amount,
    store_reference: success.reference,
    order_id: order.id,
    error_code: null,
    error_message: null,
  } as const;
  return {
    entry: {
      action: "billing_succeeded",
      order_id: order.id,
      metadata: {
        billing_attempt_id: attempt.id,
        cycle: attempt.cycle,
        store_order_id: success.store_order_id,
        ...(success.fees_amount > 0
          ? { fees_amount: toMajor(success.fees_amount, attempt.currency_code) }
          : {}),
        ...(amount === attempt.amount ? {} : { amount: toMajor(amount, attempt.currency_code) }),
        ...metadata,
      },
    },
    columns: {
      ...columns,
      ...notWaiting,
      open_attempt_id: null,
      last_order_id: order.id,
      total_revenue: row.total_revenue + order.revenue,
    },
    ownEntries: [...(isWaiting(row) ? [waitEnded] : []), ...recovered.ownEntries, ...ended],
    relatedEntries: [order.entry],
    writes: [...settlement(ctx, attempt, end), ...order.writes, ...recovered.writes],
  };
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
