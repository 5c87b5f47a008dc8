import { type Account, builtInStore } from "./tables.ts";

/** The settings of a new account. */
export const defaultSettings = {
  store: builtInStore,
  dunning_retry_days: "[1,3,7]",
  dunning_final_action: "fail",
  payment_reminder_days_before: 3,
  out_of_stock_action: "retry",
  prepaid_on_end: "deliver",
  on_foreign_charge: "wait",
  on_dispute: "block",
  clock_at: null,
  clock_target: null,
  clock_lease_until: null,
  due_busy_until: null,
  portal: "{}",
  notify_payment_update: 0,
  store_currencies: null,
  store_is_live: null,
  store_missing_scopes: null,
  notify_every_retry: 0,
  require_address: 0,
  support_max_discount_percent: 20,
  support_max_refund: null,
  closed_days: null,
  is_test: 0,
  engine: "d1",
  moving: null,
} as const satisfies Partial<Account>;

export function retryDaysOf({ dunning_retry_days }: Pick<Account, "dunning_retry_days">): number[] {
  return JSON.parse(dunning_retry_days);
}
