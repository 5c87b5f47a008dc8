import type { z } from "@hono/zod-openapi";
import { toMajor } from "../../base/lib/money.ts";
import { type Ctx, isRehearsed } from "../../kit/context.ts";
import type { SwitchedAll } from "./actions/payment-method-of-all.ts";
import { challengeEnd } from "./challenge.ts";
import type { BillingAttemptBody, BillingStarted } from "./schemas.ts";
import { snapshotOf } from "./snapshot.ts";
import type { AttemptStatus, Billed, BillingAttempt } from "./tables.ts";

export function presentAttempt(row: BillingAttempt): z.input<typeof BillingAttemptBody> {
  const { billing_date, delivery_date, production_date, delivery_slot_id } = snapshotOf(row);
  return {
    id: row.id,
    subscription_id: row.subscription_id,
    cycle: row.cycle,
    attempt_number: row.attempt_number,
    trigger: row.origin,
    status: row.status,
    amount: toMajor(row.amount, row.currency_code),
    currency_code: row.currency_code,
    billing_date,
    delivery_date,
    production_date,
    delivery_slot_id,
    error_code: row.error_code,
    error_message: row.error_message,
    next_action_url: row.next_action_url,
    next_action_expires_at: challengeEnd(row),
    order_id: row.order_id,
    settled_at: row.settled_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The answer to a request to bill: the state of the attempt, new or repeated. */
export function presentBilled({ attempt, isNew }: Billed): z.input<typeof BillingStarted> {
  const { id: billing_attempt_id, status } = attempt;
  if (isNew) return { success: true, message: "The billing attempt has started", billing_attempt_id };
  const message = `No new billing attempt was started: the last one ${outcomeOf(attempt)}`;
  return { success: true, message, billing_attempt_id, status };
}

/** The answer to a dry run of a request to bill, which starts nothing. It names an amount only where that would be charged. */
export function presentDryRun({ attempt, isNew, following }: Billed): z.input<typeof BillingStarted> {
  if (!isNew) {
    const message = `Dry run: no billing attempt would start, as the last one ${outcomeOf(attempt)}`;
    return { success: true, message, status: attempt.status, dry_run: null };
  }
  const { delivery_date, production_date, delivery_slot_id } = snapshotOf(attempt);
  return {
    success: true,
    message: "Dry run: a billing attempt would start; nothing was charged",
    dry_run: { ...presentCharge(attempt), delivery_date, production_date, delivery_slot_id },
    following_delivery_date: following ?? null,
  };
}

/**
 * The part of an answer beside its data, of an operation that may charge at once: the attempt that it starts, or would start, if
 * any.
 */
export function presentCharged(ctx: Ctx, attempt: BillingAttempt | undefined) {
  return isRehearsed(ctx)
    ? { dry_run: attempt ? presentCharge(attempt) : null }
    : { billing_attempt_id: attempt?.id ?? null };
}

/** The answer to a switch of all subscriptions of a customer, which may charge what several of them owe. */
export function presentSwitched(ctx: Ctx, { ids, attempts }: SwitchedAll) {
  const data = { updated: ids.length, subscription_ids: ids };
  if (!isRehearsed(ctx)) return { data, billing_attempt_ids: attempts.map(({ id }) => id) };
  const charges = attempts.map((attempt) => ({
    subscription_id: attempt.subscription_id,
    ...presentCharge(attempt),
  }));
  return { data, dry_run: charges };
}

const outcomes: Record<AttemptStatus, string> = {
  QUEUED: "has started",
  PROCESSING: "is in progress",
  ACTION_REQUIRED: "waits for the customer to confirm the payment",
  REVIEW: "is under review: its outcome is not known",
  SUCCEEDED: "has succeeded",
  FAILED: "has failed",
  CANCELLED: "was cancelled",
};

/** The outcome of an attempt, as the end of a sentence. */
function outcomeOf({ status, error_message }: BillingAttempt): string {
  const why = status === "FAILED" && error_message !== null ? `: ${error_message}` : "";
  return `${outcomes[status]}${why}`;
}

function presentCharge(attempt: BillingAttempt) {
  const { cycle, amount, currency_code } = attempt;
  const { billing_date } = snapshotOf(attempt);
  return { cycle, amount: toMajor(amount, currency_code), currency_code, billing_date };
}
