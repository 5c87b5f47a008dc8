import { billingAttempts } from "../../../src/billing/tables.ts";
import { dunningEpisodes } from "../../../src/dunning/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now, stamps } from "./part.ts";

export const billingPart: MakePart = ({ account }, mark, { subscription, attempt, episode, slot }) => ({
  writes: [
    insertOf(billingAttempts, {
      id: attempt,
      account_id: account.id,
      subscription_id: subscription,
      activation: 1,
      cycle: 1,
      attempt_number: 1,
      origin: "RECURRING",
      status: "FAILED",
      store_key: mark,
      amount: 3900,
      currency_code: "USD",
      frozen: JSON.stringify({
        billing_date: "2026-01-01",
        delivery_date: "2026-01-03",
        production_date: "2026-01-02",
        delivery_slot_id: slot,
      }),
      claims: 1,
      unanswered: 0,
      requested_at: now,
      error_code: mark,
      error_message: mark,
      settled_at: now,
      is_refused: 0,
      uncounted_claims: 0,
      ...stamps,
    }),
    insertOf(dunningEpisodes, {
      id: episode,
      account_id: account.id,
      subscription_id: subscription,
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
    "/api/subscriptions/{id}/billing-attempts/{attemptId}": { id: subscription, attemptId: attempt },
  },
  bodies: {
    updateAccount: { name: "Another name" },
    advanceTestClock: { advance_to: new Date(Date.now() + 86_400_000).toISOString() },
  },
});
