import { processDueJob } from "../../../base/job.ts";
import { toMajor } from "../../../base/lib/money.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ChargeAnswer } from "../../../stores/port.ts";
import { recoverEpisode } from "../../dunning/actions.ts";
import { type HeldContent, selectHeldContent } from "../../orders/held-content.ts";
import { linkedOrder, type OrderOfStore, selectOrderOfStore } from "../../orders/queries.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { hasReachedEnd } from "../../subscriptions/bounds/agreed-end.ts";
import { calendarOf } from "../../subscriptions/dates/index.ts";
import { isOver } from "../../subscriptions/lifecycle.ts";
import { combine, type Part } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { countForOffers } from "../accepted-offers.ts";
import { progressAfterCharge } from "../after-cycle.ts";
import { orderOfCharge } from "../order.ts";
import { billedContent } from "../order-content.ts";
import { selectAttempt } from "../queries.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { endWait } from "../waiting.ts";
import { findContractDifferences } from "./contract-differences.ts";
import { type ReviewReason, requireReview } from "./review-required.ts";
import { isStillOpen, settlementStatements } from "./settle.ts";
import { recordTries } from "./tries.ts";

type Success = Extract<ChargeAnswer, { outcome: "succeeded" }>;
/**
 * A charge to record. `isStated`: a person has stated its amount, which counts even where the order has another. `contract_differs`: what of
 * its contract is not as it was to be charged, in the store's words.
 */
export type RecordedCharge = Omit<Success, "outcome"> & { isStated?: boolean; contract_differs?: string[] };

/**
 * Records a charge: its order, the cycle that it pays for, the schedule's next step, the end of dunning and of the attempt, in
 * one batch that the claim and the subscription's revision guard.
 */
export async function recordSuccess(ctx: Ctx, attempt: BillingAttempt, success: Success): Promise<void> {
  if (success.currency_code !== attempt.currency_code) return requireReview(ctx, attempt, currencyMismatch);
  const charge: RecordedCharge = { ...success, ...(await causeOfOtherAmount(ctx, attempt, success)) };
  reportOtherAmount(ctx, attempt, charge);
  const { result: review } = await changeSubscription(
    ctx,
    attempt.subscription_id,
    { alongside: readForCharge(ctx, attempt, success.store_order_id), tries: recordTries },
    (view, { now: [now], order: [order], held: [held] }) =>
      isStillOpen(now, attempt) ? decideSuccess(ctx, view, attempt, { ...charge, order, held }) : undefined,
  );
  if (review) await requireReview(ctx, attempt, review);
  else reportFees(ctx, attempt, success);
}

/** The statements that a charge is recorded by: its attempt, its order if that is known, and the content that the order may share. */
export function readForCharge(ctx: Ctx, { id, subscription_id }: BillingAttempt, storeOrderId: string) {
  return {
    now: selectAttempt(ctx, id),
    order: selectOrderOfStore(ctx, storeOrderId),
    held: selectHeldContent(ctx, subscription_id),
  };
}

/** The part of a charge that is the subscription's: without what the store has added. */
export function ownAmount({ amount, tax_amount, fees_amount }: RecordedCharge): number {
  return amount - tax_amount - fees_amount;
}

/**
 * The change that records a charge; only a reason for a review where the order belongs to another charge or subscription. `order` is
 * what `selectOrderOfStore` finds of the charge's order, `held` what `selectHeldContent` finds.
 */
export function decideSuccess(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  { order: found, held, ...success }: RecordedCharge & ReadForCharge,
): Part<ReviewReason> {
  const { row } = view;
  const paid = snapshotOf(attempt);
  const content = billedContent(paid, paid.deliveries);
  const order = orderOfCharge(ctx, row, content, {
    ...success,
    attemptId: attempt.id,
    known: found && linkedOrder(found),
    held,
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
    ...(amount === attempt.amount ? {} : amountsIn(attempt, success)),
  };
  const progress = progressAfterCharge(
    ctx,
    { row: view.row, calendar: calendarOf(view) },
    { ...paid, activation, cycle },
  );
  const goesOn = !isOver(row) && progress.columns?.status !== "EXPIRED";
  return combine(
    {
      entry: { action: "billing_succeeded", order_id: order.id, metadata },
      columns: { open_attempt_id: null },
      writes: settlementStatements(ctx, attempt, end),
    },
    order.part,
    endWait(row),
    row.activation === activation ? recoverEpisode(ctx, row) : {},
    progress,
    hasReachedEnd({ ends_on: null, ...progress.columns }, view.today)
      ? { jobs: [processDueJob(ctx.account.id, [row.id])] }
      : {},
    countForOffers(ctx, view, attempt, { amount, goesOn }),
  );
}

type ReadForCharge = { order: OrderOfStore | undefined; held: HeldContent | undefined };

function reportFees(ctx: Ctx, { id }: BillingAttempt, { amount, fees_amount }: Success): void {
  if (fees_amount > 0) ctx.log("charge_with_fees", { alert: true, attempt_id: id, amount, fees_amount });
}

/** The amount that was charged and the one that was asked for, in major units: the attempt has the first from now on. */
function amountsIn({ amount: requested, currency_code }: BillingAttempt, success: RecordedCharge) {
  const { contract_differs } = success;
  return {
    amount: toMajor(ownAmount(success), currency_code),
    requested_amount: toMajor(requested, currency_code),
    ...(contract_differs ? { contract_differs } : {}),
  };
}

/** A store that charges what its contract says charges another amount where somebody has edited the contract there meanwhile. */
async function causeOfOtherAmount(
  ctx: Ctx,
  attempt: BillingAttempt,
  success: Success,
): Promise<Pick<RecordedCharge, "contract_differs">> {
  if (ownAmount(success) === attempt.amount) return {};
  const contract_differs = await findContractDifferences(ctx, attempt);
  return contract_differs ? { contract_differs } : {};
}

/**
 * People have to see it where the store has charged another amount than it was asked for. They are told before it is recorded: should that
 * crash, they are told twice, and never not at all.
 */
function reportOtherAmount(ctx: Ctx, attempt: BillingAttempt, success: RecordedCharge): void {
  const amount = ownAmount(success);
  if (amount === attempt.amount) return;
  const { id: attempt_id, subscription_id, amount: requested_amount } = attempt;
  const names = { account_seq: ctx.account.seq, attempt_id, subscription_id };
  const { contract_differs } = success;
  ctx.log("charged_another_amount", { alert: true, ...names, amount, requested_amount, contract_differs });
}

const currencyMismatch: ReviewReason = {
  code: "currency_mismatch",
  message: "The store has charged in another currency for this key",
};

const orderTaken: ReviewReason = {
  code: "order_taken",
  message: "The store's order belongs to another charge or subscription",
};
