import type { z } from "@hono/zod-openapi";
import { toMajor } from "../lib/money.ts";
import { frozenOf } from "./frozen.ts";
import type { BillingAttemptBody } from "./schemas.ts";
import type { BillingAttempt } from "./tables.ts";

export const presentAttempt = (row: BillingAttempt): z.input<typeof BillingAttemptBody> => {
  const { billing_date, delivery_date, production_date, delivery_slot_id } = frozenOf(row);
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
