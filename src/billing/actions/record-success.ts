import type { Ctx } from "../../context.ts";
import { recovery } from "../../dunning/actions.ts";
import { toMajor } from "../../lib/money.ts";
import type { ChargeAnswer } from "../../store/port.ts";
import {
  type ActivityEntry,
  changeSubscription,
  type Decision,
} from "../../subscriptions/actions/change-subscription.ts";
import { afterCycle, type Discount, type Line, lineAfterCycle } from "../../subscriptions/amounts.ts";
import { isOver, isWaiting, notWaiting, over, unpaused } from "../../subscriptions/lifecycle.ts";
import { pricedColumns } from "../../subscriptions/lines.ts";
import { creditLateCharge } from "../../subscriptions/prepaid.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { discountsOf, linesOf } from "../../subscriptions/row-codec.ts";
import { deliveriesOwed, nextAfter, todayOf } from "../../subscriptions/schedule.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { orderOfCharge } from "../order.ts";
import { billedContent } from "../order-content.ts";
import { type ChargeSnapshot, deliveriesPaidFor, snapshotOf } from "../snapshot.ts";
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
export const recordSuccess = async (ctx: Ctx, attempt: BillingAttempt, success: Success): Promise<void> => {
  if (ownAmount(success) !== attempt.amount || success.currency_code !== attempt.currency_code)
    return requireReview(ctx, attempt, amountMismatch);
  const { result: review } = await changeSubscription<ReviewReason>(
    ctx,
    attempt.subscription_id,
    { tries: recordTries },
    async (view) =>
      (await isStillOpen(ctx, attempt)) ? decideSuccess(ctx, view, attempt, success) : undefined,
  );
  if (review) await requireReview(ctx, attempt, review);
  else reportFees(ctx, attempt, success);
};

function reportFees(ctx: Ctx, { id }: BillingAttempt, { amount, fees_amount }: Success): void {
  if (fees_amount > 0) ctx.log("charge_with_fees", { alert: true, attempt_id: id, amount, fees_amount });
}

/** The part of a charge that is the subscription's: without what the store has added. */
export function ownAmount({ amount, tax_amount, fees_amount }: RecordedCharge): number {
  return amount - tax_amount - fees_amount;
}

const amountMismatch: ReviewReason = {
  code: "amount_mismatch",
  message: "The store has charged another amount for this key",
};

const orderTaken: ReviewReason = {
  code: "order_taken",
  message: "The store's order belongs to another charge or subscription",
};

/** The change that records a charge; only a reason for a review where the order belongs to another charge or subscription. */
export async function decideSuccess(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  success: RecordedCharge,
): Promise<Decision<ReviewReason>> {
  const { row } = view;
  const content = billedContent(snapshotOf(attempt), deliveriesPaidFor(attempt, row));
  const order = await orderOfCharge(ctx, row, content, { ...success, attemptId: attempt.id });
  if (!order) return { result: orderTaken };
  const { columns, ownEntries, metadata } = progress(ctx, view, attempt);
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
    ownEntries: [...(isWaiting(row) ? [waitEnded] : []), ...recovered.ownEntries, ...ownEntries],
    relatedEntries: [order.entry],
    writes: [...settlement(ctx, attempt, end), ...order.writes, ...recovered.writes],
  };
}

/** The part of the change that a paid cycle decides; `metadata` joins that of the entry of success. */
type Progress = {
  columns: Partial<Subscription>;
  ownEntries: ActivityEntry[];
  metadata?: Record<string, unknown>;
};

/**
 * Moves the life that the paid cycle belongs to on. In a life that has ended, or begun anew, the charge changes only which
 * deliveries are paid for.
 */
function progress(ctx: Ctx, view: SubscriptionView, attempt: BillingAttempt): Progress {
  const { row } = view;
  const frozen = { ...snapshotOf(attempt), deliveries: deliveriesPaidFor(attempt, row) };
  if (row.activation !== attempt.activation)
    return { ...creditLateCharge(ctx, view, frozen), ownEntries: [] };
  const columns = { current_billing_cycle: attempt.cycle + 1, ...withoutOrdered(ctx, row, frozen) };
  if (isOver(row)) {
    const late = creditLateCharge(ctx, view, frozen);
    return { ...late, columns: { ...columns, ...late.columns }, ownEntries: [] };
  }
  const isLast = row.max_cycles !== null && attempt.cycle >= row.max_cycles;
  const { ends, dates } = datesAfter(ctx, view, frozen, isLast);
  if (ends)
    return {
      columns: { ...columns, ...over, ...unpaused, status: "EXPIRED" },
      ownEntries: [{ action: "subscription_expired", metadata: { cycles: attempt.cycle } }],
    };
  const status = row.status === "PAYMENT_FAILED" ? "ACTIVE" : row.status;
  return { columns: { ...columns, ...dates, status, dunning_episode_id: null }, ownEntries: [] };
}

/** The order takes the one-time lines out of the subscription, and uses up a cycle of each discount. */
function withoutOrdered(
  ctx: Ctx,
  row: Subscription,
  { lines, discounts }: ChargeSnapshot,
): Partial<Subscription> {
  const ordered = new Set(lines.filter(({ is_one_time }) => is_one_time).map(({ id }) => id));
  const served = new Set(discounts.filter(({ status }) => status === "ACTIVE").map(({ id }) => id));
  const billed = new Set(lines.map(({ id }) => id));
  const left: Line[] = linesOf(row)
    .filter(({ id }) => !ordered.has(id))
    .map((line) => (billed.has(line.id) ? lineAfterCycle(line) : line));
  const counted: Discount[] = discountsOf(row).map((discount) =>
    served.has(discount.id) ? afterCycle(discount, ctx.now) : discount,
  );
  return pricedColumns(left, counted, row.tax_amount);
}

/** The dates after the delivery that was billed. After the last cycle only prepaid deliveries are left. */
function datesAfter(ctx: Ctx, { row, place }: SubscriptionView, frozen: ChargeSnapshot, isLast: boolean) {
  const owed = deliveriesOwed(row) + frozen.deliveries - 1;
  const { delivery_date: delivery, isOffSchedule } = frozen;
  const isPassed = owed === 0 && isResumedBehind(row, frozen, todayOf(ctx));
  const dates = isPassed
    ? datesIn(row)
    : nextAfter(row, place, { delivery, owed, isOffSchedule }, todayOf(ctx));
  return { ends: isLast && owed === 0, dates: isLast ? { ...dates, next_billing_date: null } : dates };
}

/** A pause and a resume have moved the schedule past this delivery while its charge was under way, to a date that is still to come. */
function isResumedBehind(row: Subscription, frozen: ChargeSnapshot, today: string): boolean {
  const { next_delivery_date: delivery, next_billing_date: billing } = row;
  const isLater = delivery !== null && delivery > frozen.delivery_date;
  return !frozen.isOffSchedule && isLater && billing !== null && billing > today;
}

function datesIn(row: Subscription) {
  const { anchor_date, next_index, next_billed_index } = row;
  const { next_delivery_date, next_production_date, next_billing_date } = row;
  return {
    anchor_date,
    next_index,
    next_billed_index,
    next_delivery_date,
    next_production_date,
    next_billing_date,
  };
}
