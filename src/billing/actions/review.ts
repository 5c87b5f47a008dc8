import { and, asc, eq } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { build, rows, statement } from "../../db/statement.ts";
import { notCharged } from "../../dunning/policy.ts";
import { DomainError, notFound } from "../../errors.ts";
import { findAttempt } from "../queries.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";
import { recordFailure } from "./record-failure.ts";
import { recordSuccess } from "./record-success.ts";

/** Attempts under review, oldest first. */
export const listUnderReview = (ctx: Ctx): Promise<BillingAttempt[]> =>
  rows(
    ctx.db,
    statement(
      build
        .select()
        .from(attempts)
        .where(and(eq(attempts.account_id, ctx.account.id), eq(attempts.status, "REVIEW")))
        .orderBy(asc(attempts.requested_at), asc(attempts.id)),
    ),
  );

/**
 * Ends a review with what a person found at the store: charged, with the order that the store made, or not charged.
 * Throws NOT_FOUND, and INVALID_STATE for an attempt that is not under review.
 */
export const settleReview = async (
  ctx: Ctx,
  id: string,
  storeOrderId: string | null,
): Promise<BillingAttempt> => {
  const attempt = await findAttempt(ctx, id);
  if (!attempt) throw notFound("Billing attempt");
  if (attempt.status !== "REVIEW")
    throw new DomainError("INVALID_STATE", `The billing attempt is ${attempt.status}, not under review`);
  const { amount, currency_code } = attempt;
  if (storeOrderId === null) await recordFailure(ctx, attempt, notCharged);
  else
    await recordSuccess(ctx, attempt, {
      outcome: "succeeded",
      reference: attempt.store_reference ?? storeOrderId,
      store_order_id: storeOrderId,
      store_order_number: null,
      amount,
      tax_amount: 0,
      currency_code,
    });
  return (await findAttempt(ctx, id)) ?? attempt;
};
