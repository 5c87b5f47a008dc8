import type { z } from "@hono/zod-openapi";
import type { SubscriptionBody } from "../../subscriptions/schemas.ts";
import type { Member, Members } from "./members.ts";

type Field = keyof z.output<typeof SubscriptionBody>;

/** The members of a subscription as the API answers it, with those that an export adds. A new field of the API does not compile until it stands here. */
export const subscriptionMembers = {
  ...{ id: "used", number: "harmless", account_id: "harmless", profile_id: "harmless", profile: "used" },
  ...{ status: "used", is_active: "harmless", is_in_dunning: "used", current_dunning_episode: "harmless" },
  ...{ can_cancel: "harmless", can_pause: "harmless", can_resume: "harmless", can_reactivate: "harmless" },
  ...{ can_retry_payment: "harmless", can_cancel_from: "harmless", can_change_next_delivery: "harmless" },
  ...{ currency_code: "used", subtotal: "harmless", discount_amount: "harmless", total: "used" },
  ...{ shipping_amount: "used", tax_amount: "decides", total_revenue: "harmless", last_order: "harmless" },
  ...{ billing_interval: "used", billing_interval_count: "used", delivery_interval: "used" },
  ...{ delivery_interval_count: "used", frequency_label: "harmless", current_billing_cycle: "used" },
  ...{ min_cycles_remaining: "harmless", next_billing_date: "used", next_delivery_date: "used" },
  ...{ no_charge_before: "used", ends_on: "used", ends_after_cycle: "used" },
  ...{ restart_billing_date: "harmless" },
  ...{
    next_production_date: "harmless",
    next_delivery_cutoff_at: "harmless",
    payment_day_of_week: "harmless",
  },
  ...{ paused_at: "used", pause_until: "used", pause_reason: "used", pause_reason_id: "harmless" },
  ...{ cancelled_at: "used", cancellation_reason: "used", cancellation_reason_id: "harmless" },
  ...{ payment_method_brand: "harmless", payment_method_last4: "harmless" },
  ...{ payment_reminder_status: "harmless", last_payment_reminder_sent_at: "harmless" },
  ...{ last_payment_reminder_billing_date: "harmless", billing_blocked_reason: "used" },
  ...{ store_contract_id: "harmless", store_sync_error: "harmless", store_origin_order_id: "used" },
  ...{ delivery_slot_id: "used", delivery_slot: "harmless", delivery_day: "harmless" },
  ...{ delivery_slot_valid: "harmless", delivery_instructions: "used", delivery_address: "used" },
  ...{ discounts: "used", has_shipping_discount: "harmless", lines: "used", import_values: "used" },
  ...{ entities: "used", entity_label: "used", migration_source_ref: "harmless" },
  ...{ note: "used", custom_attributes: "used", created_at: "used", updated_at: "harmless" },
} as const satisfies { readonly [name in Field]: Member } & Members;
