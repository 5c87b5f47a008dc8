import type { z } from "@hono/zod-openapi";
import { minorOf } from "../../../base/amounts.ts";
import { DomainError, notFound } from "../../../base/errors.ts";
import { type Ctx, isRehearsed } from "../../../kit/context.ts";
import { notCharged } from "../../retries/policy.ts";
import { type CommandWith, changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { requireWithinSupportAmount } from "../../subscriptions/bounds/support-discount.ts";
import { type Part, withResult } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { findAttempt } from "../queries.ts";
import type { SettleRequest } from "../requests.ts";
import type { BillingAttempt } from "../tables.ts";
import { chargeFound } from "./charge-found.ts";
import { readForSwitch } from "./new-method.ts";
import { decideFailure } from "./record-failure.ts";
import { decideSuccess, ownAmount, type RecordedCharge, readForCharge } from "./record-success.ts";
import { recordTries } from "./tries.ts";

/** The result that a person found at the store. */
export type ReviewFinding = z.output<typeof SettleRequest>;

/**
 * Ends a review with what a person found at the store: charged, with the order that the store made, or not charged. Returns the attempt,
 * and the one that tries another payment method, if that has come meanwhile.
 * Throws NOT_FOUND, INVALID_STATE for an attempt that is not under review and for an order that belongs to another charge,
 * and VALIDATION_FAILED for an order that the store does not have.
 */
export async function settleReview(
  ctx: Ctx,
  { id, request: finding }: CommandWith<ReviewFinding>,
): Promise<Settled> {
  const attempt = requireReviewed(await findAttempt(ctx, id));
  const charge = finding.charged ? await findStatedCharge(ctx, attempt, finding) : undefined;
  const alongside = {
    ...readForCharge(ctx, attempt, charge?.store_order_id ?? ""),
    ...readForSwitch(ctx, attempt.subscription_id),
  };
  const { result } = await changeSubscription(
    ctx,
    attempt.subscription_id,
    { alongside, tries: recordTries },
    (view, { now: [now], order: [order], held: [held], ...known }) => {
      const current = requireReviewed(now);
      if (charge) return settleCharged(ctx, view, current, { ...charge, order, held });
      return settleNotCharged(ctx, view, current, { failure: notCharged, ...known });
    },
  );
  const { settled, started } = result as Settled;
  return { settled: isRehearsed(ctx) ? settled : ((await findAttempt(ctx, id)) ?? settled), started };
}

type Settled = { settled: BillingAttempt; started: BillingAttempt | undefined };

function requireReviewed(attempt: BillingAttempt | undefined): BillingAttempt {
  if (!attempt) throw notFound("Billing attempt");
  if (attempt.status === "REVIEW") return attempt;
  throw new DomainError("INVALID_STATE", `The billing attempt is ${attempt.status}, not under review`);
}

/** The charge to record: the person's figures, then the store's, then those of the attempt. */
async function findStatedCharge(
  ctx: Ctx,
  attempt: BillingAttempt,
  { store_order_id, amount }: Extract<ReviewFinding, { charged: true }>,
): Promise<RecordedCharge> {
  const { currency_code } = attempt;
  const stated = amount === undefined ? undefined : minorOf(amount, currency_code, "amount");
  if (stated !== undefined) requireWithinSupportAmount(ctx, "a charge", { of: attempt.amount, paid: stated });
  const found = await chargeFound(ctx, attempt, store_order_id, stated === undefined);
  return {
    reference: attempt.store_reference ?? store_order_id,
    store_order_id,
    store_order_number: null,
    amount: attempt.amount,
    tax_amount: 0,
    fees_amount: 0,
    ...found,
    ...(stated === undefined ? {} : { amount: stated, tax_amount: 0, fees_amount: 0, isStated: true }),
    currency_code,
  };
}

function settleCharged(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  charge: Parameters<typeof decideSuccess>[3],
): Part<Settled> {
  const success = decideSuccess(ctx, view, attempt, charge);
  if (success.result) throw new DomainError("INVALID_STATE", `Cannot settle: ${success.result.message}`);
  const amount = ownAmount(charge);
  const settled = endAttempt(ctx, attempt, { status: "SUCCEEDED", amount });
  return withResult(success, { settled, started: undefined });
}

async function settleNotCharged(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  failed: Parameters<typeof decideFailure>[3],
): Promise<Part<Settled>> {
  const { code: error_code, message: error_message } = failed.failure;
  const failure = await decideFailure(ctx, view, attempt, failed);
  const settled = endAttempt(ctx, attempt, { status: "CANCELLED", error_code, error_message });
  return withResult(failure, { settled, started: failure.result });
}

/** The attempt as a dry run shows it: settled, and without an order, which nobody has made. */
function endAttempt(ctx: Ctx, attempt: BillingAttempt, end: Partial<BillingAttempt>): BillingAttempt {
  const settled = { settled_at: ctx.now, updated_at: ctx.now, next_action_url: null };
  return { ...attempt, error_code: null, error_message: null, ...settled, ...end };
}
