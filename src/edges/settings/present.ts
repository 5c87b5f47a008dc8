import type { z } from "@hono/zod-openapi";
import { retryDaysOf } from "../../base/accounts/settings.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { AccountBody } from "./schemas.ts";

export function presentAccount(account: Account): z.input<typeof AccountBody> {
  return {
    id: account.id,
    name: account.name,
    shop: account.shop,
    store: account.store,
    timezone: account.timezone,
    currency_code: account.currency_code,
    store_currencies: account.store_currencies === null ? null : JSON.parse(account.store_currencies),
    store_missing_scopes:
      account.store_missing_scopes === null ? null : JSON.parse(account.store_missing_scopes),
    dunning_retry_days: retryDaysOf(account),
    dunning_final_action: account.dunning_final_action,
    payment_reminder_days_before: account.payment_reminder_days_before,
    out_of_stock_action: account.out_of_stock_action,
    prepaid_on_end: account.prepaid_on_end,
    on_foreign_charge: account.on_foreign_charge,
    on_dispute: account.on_dispute,
    notify_payment_update: account.notify_payment_update === 1,
    notify_every_retry: account.notify_every_retry === 1,
    require_address: account.require_address === 1,
    support_max_discount_percent: account.support_max_discount_percent,
    support_max_refund:
      account.support_max_refund === null ? null : toMajor(account.support_max_refund, account.currency_code),
    created_at: account.created_at,
    updated_at: account.updated_at,
  };
}
