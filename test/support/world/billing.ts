import { billingAttempts } from "../../../src/domain/billing/tables.ts";
import { dunningEpisodes } from "../../../src/domain/dunning/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now, stamps } from "./part.ts";

export const billingPart: MakePart = ({ account }, mark, ids) => ({
  writes: [
    insertOf(billingAttempts, {
      ...attemptValues(mark, ids.slot),
      id: ids.attempt,
      account_id: account.id,
      subscription_id: ids.subscription,
      status: "FAILED",
      store_key: mark,
      settled_at: now,
    }),
    insertOf(billingAttempts, {
      ...attemptValues(mark, ids.slot),
      id: ids.reviewed,
      account_id: account.id,
      subscription_id: ids.billed,
      status: "REVIEW",
      store_key: `reviewed-${mark}`,
    }),
    insertOf(billingAttempts, {
      ...attemptValues(mark, ids.slot),
      id: ids.paid,
      account_id: account.id,
      subscription_id: ids.billed,
      cycle: 9,
      status: "SUCCEEDED",
      store_key: `paid-${mark}`,
      store_reference: `paid-${mark}`,
      order_id: ids.sold,
      settled_at: now,
    }),
    insertOf(dunningEpisodes, {
      id: ids.episode,
      account_id: account.id,
      subscription_id: ids.subscription,
      cycle: 1,
      status: "CLOSED",
      attempt_count: 1,
      retry_days: "[1,3,7]",
      last_error_code: mark,
      last_error_message: mark,
      opened_at: now,
      closed_at: now,
      retries_from: now,
    }),
  ],
  paths: {
    "/api/subscriptions/{id}/billing-attempts/{attemptId}": {
      id: ids.subscription,
      attemptId: ids.attempt,
    },
    "/api/billing-attempts/{id}/settle": { id: ids.reviewed },
    "/api/billing-attempts/{id}/explain": { id: ids.attempt },
  },
  bodies: {
    settleBillingAttempt: { charged: true, store_order_id: `found-${mark}`, amount: 39 },
    updateAccount: { name: "Another name" },
    advanceTestClock: { advance_to: new Date(Date.now() + 86_400_000).toISOString() },
  },
});

function attemptValues(mark: string, slot: string) {
  return {
    activation: 1,
    cycle: 1,
    attempt_number: 1,
    origin: "RECURRING" as const,
    amount: 3900,
    currency_code: "USD",
    snapshot: JSON.stringify({
      billing_date: "2026-01-01",
      delivery_date: "2026-01-03",
      production_date: "2026-01-02",
      delivery_slot_id: slot,
      payment_method_id: null,
      lines: [],
      discounts: [],
      deliveries: 1,
      subtotal: 3900,
      discount_amount: 0,
      isOffSchedule: false,
    }),
    claims: 1,
    unanswered: 0,
    requested_at: now,
    error_code: mark,
    error_message: mark,
    is_refused: 0 as const,
    challenged_at: null,
    uncounted_claims: 0,
    is_switch: 0 as const,
    noted_reference: null,
    ...stamps,
  };
}
