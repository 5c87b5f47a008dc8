import type { z } from "@hono/zod-openapi";
import { toMajor } from "../lib/money.ts";
import type { BillingAttemptBody, BillingStarted } from "./schemas.ts";
import { snapshotOf } from "./snapshot.ts";
import type { AttemptStatus, Billed, BillingAttempt } from "./tables.ts";

export const presentAttempt = (row: BillingAttempt): z.input<typeof BillingAttemptBody> => {
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
    order_id: row.order_id,
    settled_at: row.settled_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
};

const outcomes: Record<AttemptStatus, string> = {
  QUEUED: "has started",
  PROCESSING: "is in progress",
  ACTION_REQUIRED: "waits for the customer to confirm the payment",
  REVIEW: "is under review: its outcome is not known",
  SUCCEEDED: "has succeeded",
  FAILED: "has failed",
  CANCELLED: "was cancelled",
};

/** The answer to a request to bill: the state of the attempt, new or repeated. */
export const presentBilled = ({ attempt, isNew }: Billed): z.input<typeof BillingStarted> => {
  const { id, status, error_message } = attempt;
  if (isNew) return { success: true, message: "The billing attempt has started", billing_attempt_id: id };
  const why = status === "FAILED" && error_message !== null ? `: ${error_message}` : "";
  return {
    success: true,
    message: `No new billing attempt was started: the last one ${outcomes[status]}${why}`,
    billing_attempt_id: id,
    status,
  };
};

/** The answer to a dry run of a request to bill, which starts nothing. */
export const presentDryRun = ({ attempt, isNew }: Billed): z.input<typeof BillingStarted> => {
  const { cycle, amount, currency_code, billing_date, delivery_date, production_date, delivery_slot_id } =
    presentAttempt(attempt);
  return {
    success: true,
    message: isNew
      ? "Dry run: a billing attempt would start; nothing was charged"
      : `Dry run: no billing attempt would start, as the last one ${outcomes[attempt.status]}`,
    dry_run: { cycle, amount, currency_code, billing_date, delivery_date, production_date, delivery_slot_id },
  };
};
