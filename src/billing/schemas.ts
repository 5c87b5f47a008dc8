import { z } from "@hono/zod-openapi";
import { moneyOut } from "../http/money.ts";
import { listOf } from "../http/pagination.ts";
import { dateOut, instant } from "../http/params.ts";
import { attemptOrigins, attemptStatuses } from "./tables.ts";

const AttemptStatus = z.enum(attemptStatuses).openapi("BillingAttemptStatus", {
  description:
    "The state of a billing attempt. QUEUED: not sent to the store yet. PROCESSING: sent, the outcome is open. ACTION_REQUIRED: the customer has to confirm the payment. REVIEW: the outcome has been open for too long, people have to look. SUCCEEDED, FAILED and CANCELLED (nothing was charged) are final.",
});

export const AttemptTrigger = z.enum(attemptOrigins).openapi("BillingAttemptTrigger", {
  description:
    "What started a billing attempt. SHIP_NOW: a request to ship now. RECURRING: the schedule, or the end of a wait. DUNNING: a retry of a failed payment, or a new payment method. RETRY: a request to try the payment again.",
});

/** The answer to a request to bill; `status` is present if the attempt was started before. */
export const BillingStarted = z
  .strictObject({
    success: z.literal(true),
    message: z.string().openapi({
      description: "The state of the billing attempt, in a sentence for people.",
      example: "The billing attempt has started",
    }),
    billing_attempt_id: z.string().optional().openapi({
      description: "The attempt that was started, or that answers the request; absent for a dry run.",
    }),
    status: AttemptStatus.optional(),
    dry_run: z
      .strictObject({
        cycle: z.int(),
        amount: moneyOut,
        currency_code: z.string(),
        billing_date: dateOut,
        delivery_date: dateOut,
        production_date: dateOut.nullable(),
        delivery_slot_id: z.string().nullable(),
      })
      .optional()
      .openapi({ description: "For a dry run: what would be billed and delivered, and when." }),
  })
  .openapi("BillingStarted");

export const BillingAttemptBody = z
  .strictObject({
    id: z.string(),
    subscription_id: z.string(),
    cycle: z.int(),
    attempt_number: z.int(),
    trigger: AttemptTrigger,
    status: AttemptStatus,
    amount: moneyOut.openapi({
      description:
        "What is charged, without tax that the store adds; after a settled review, what was charged. Major units of currency_code.",
    }),
    currency_code: z.string(),
    billing_date: dateOut,
    delivery_date: dateOut,
    production_date: dateOut.nullable(),
    delivery_slot_id: z.string().nullable(),
    error_code: z.string().nullable(),
    error_message: z.string().nullable(),
    next_action_url: z.string().nullable(),
    order_id: z.string().nullable(),
    settled_at: instant.nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("BillingAttempt");

export const BillingAttemptData = z.strictObject({ data: BillingAttemptBody }).openapi("BillingAttemptData");
export const BillingAttemptList = listOf(BillingAttemptBody, "BillingAttemptList");
