import type Stripe from "stripe";
import type { Member, Members } from "../members.ts";

/** A list that names every member of an object of Stripe's API, version 2026-10-28, and those of older versions besides. */
type Covering<Resource> = { readonly [name in keyof Resource]-?: Member } & Members;

const coupon = {
  ...{ id: "harmless", object: "harmless", name: "harmless", duration: "used", duration_in_months: "used" },
  ...{ percent_off: "used", amount_off: "used", currency: "used", currency_options: "used" },
  ...{ applies_to: "decides", created: "harmless", livemode: "harmless", metadata: "harmless" },
  ...{ max_redemptions: "harmless", redeem_by: "harmless", times_redeemed: "harmless", valid: "harmless" },
  deleted: "harmless",
} as const satisfies Covering<Stripe.Coupon>;

const discount = {
  ...{ id: "used", object: "harmless", start: "harmless", end: "used" },
  ...{ coupon, source: { coupon, type: ["coupon"] } },
  ...{ checkout_session: "harmless", customer: "harmless", customer_account: "harmless" },
  ...{ invoice: "harmless", invoice_item: "harmless", promotion_code: "harmless" },
  ...{ subscription: "harmless", subscription_item: "harmless", deleted: "harmless" },
} as const satisfies Covering<Stripe.Discount>;

const recurring = {
  ...{ interval: "used", interval_count: "used", usage_type: ["licensed"], meter: "decides" },
  ...{ trial_period_days: "harmless", aggregate_usage: "decides" },
} as const satisfies Covering<Stripe.Price.Recurring>;

const price = {
  ...{ id: "used", object: "harmless", product: "used", nickname: "used", lookup_key: "harmless" },
  ...{ active: "harmless", created: "harmless", livemode: "harmless", metadata: "harmless" },
  ...{ currency: "used", currency_options: "used", unit_amount: "used", unit_amount_decimal: "used" },
  ...{ billing_scheme: ["per_unit"], tiers: "decides", tiers_mode: "decides" },
  ...{ custom_unit_amount: "decides", transform_quantity: "decides", tax_behavior: "used" },
  ...{ type: ["recurring"], recurring, deleted: "harmless" },
} as const satisfies Covering<Stripe.Price>;

const item = {
  ...{ id: "harmless", object: "harmless", subscription: "harmless", created: "harmless" },
  ...{ metadata: "harmless", plan: "harmless", deleted: "decides", price, quantity: "used" },
  ...{ current_period_end: "used", current_period_start: "harmless", billed_until: "harmless" },
  ...{ discounts: discount, tax_rates: "used", billing_thresholds: "decides", current_trial: "decides" },
} as const satisfies Covering<Stripe.SubscriptionItem>;

const cashBalance = {
  ...{ object: "harmless", available: "decides", customer: "harmless", customer_account: "harmless" },
  ...{ livemode: "harmless", settings: "harmless" },
} as const satisfies Covering<Stripe.CashBalance>;

const customer = {
  ...{ id: "used", object: "harmless", email: "used", name: "used", phone: "used", address: "used" },
  ...{ business_name: "used", individual_name: "harmless", shipping: "used", description: "harmless" },
  ...{ default_source: "used", invoice_settings: "used", sources: "harmless", customer_account: "harmless" },
  ...{ balance: "decides", invoice_credit_balance: "decides", cash_balance: cashBalance },
  ...{ discount, currency: "harmless", delinquent: "harmless", invoice_prefix: "harmless" },
  ...{ next_invoice_sequence: "harmless", preferred_locales: "harmless", subscriptions: "harmless" },
  ...{ tax: "harmless", tax_exempt: "harmless", tax_ids: "harmless", test_clock: "harmless" },
  ...{ created: "harmless", livemode: "harmless", metadata: "harmless", deleted: "decides" },
} as const satisfies Covering<Stripe.Customer>;

const items = {
  ...{ object: "harmless", data: item, has_more: "decides", url: "harmless", total_count: "harmless" },
} as const satisfies Covering<Stripe.ApiList<Stripe.SubscriptionItem>>;

/** The members of a subscription of Stripe's. Those that the mapping reads judge their own values. */
export const stripeMembers = {
  ...{ id: "used", object: "harmless", application: "harmless", livemode: "harmless", created: "used" },
  ...{ status: "used", status_details: "harmless", start_date: "used", ended_at: "used" },
  ...{ canceled_at: "used", cancel_at: "used", cancel_at_period_end: "used", cancellation_details: "used" },
  ...{ pause_collection: "used", trial_start: "harmless", trial_end: "used", trial_settings: "harmless" },
  ...{ billing_cycle_anchor: "used", billing_cycle_anchor_config: "used", billing_mode: "harmless" },
  ...{ billing_schedules: "decides", schedule: "decides", pending_update: "decides" },
  ...{ current_period_start: "harmless", current_period_end: "used", days_until_due: "decides" },
  ...{ currency: "used", items, plan: "harmless", quantity: "harmless" },
  ...{ discount, discounts: discount, collection_method: ["charge_automatically"] },
  ...{ automatic_tax: "used", default_tax_rates: "used", tax_percent: "decides" },
  ...{ application_fee_percent: "decides", transfer_data: "decides", on_behalf_of: "decides" },
  ...{ billing_thresholds: "decides", pending_invoice_item_interval: "decides" },
  ...{ next_pending_invoice_item_invoice: "decides", presentment_details: "decides" },
  ...{ managed_payments: { enabled: "decides" } },
  ...{ customer, customer_account: "harmless", default_payment_method: "used", default_source: "used" },
  ...{ payment_settings: "harmless", pending_setup_intent: "harmless", latest_invoice: "harmless" },
  ...{ invoice_settings: "harmless", description: "harmless", metadata: "used", test_clock: "harmless" },
} as const satisfies Covering<Stripe.Subscription>;
