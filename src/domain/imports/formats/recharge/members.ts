import type { Members } from "../members.ts";

const address = {
  ...{ id: "harmless", customer_id: "harmless", payment_method_id: "harmless", include: "harmless" },
  ...{ first_name: "used", last_name: "used", company: "used", address1: "used", address2: "used" },
  ...{ city: "used", province: "used", zip: "used", country_code: "used", country: "used", phone: "used" },
  ...{ discounts: "decides:discount_type", shipping_lines_override: "decides:shipping_amount" },
  ...{ shipping_lines_conserved: "decides:shipping_amount", presentment_currency: "harmless" },
  ...{ order_attributes: "harmless", order_note: "harmless", note_attributes: "harmless" },
  ...{ is_gift: "harmless", created_at: "harmless", updated_at: "harmless" },
} as const satisfies Members;

const customer = {
  ...{ id: "harmless", email: "used", first_name: "used", last_name: "used", phone: "used" },
  ...{ external_customer_id: "used", hash: "harmless", analytics_data: "harmless", tax_exempt: "harmless" },
  ...{ apply_credit_to_next_recurring_charge: "decides", created_at: "harmless", updated_at: "harmless" },
  ...{ apply_credit_to_next_recurring_charge_channel: "harmless" },
  ...{ apply_credit_to_next_checkout_charge: "harmless" },
  ...{ apply_credit_to_next_checkout_charge_channel: "harmless" },
  ...{ backup_payment_methods_enabled: "harmless", first_charge_processed_at: "harmless" },
  ...{ has_payment_method_in_dunning: "harmless", has_valid_payment_method: "harmless" },
  ...{ subscriptions_active_count: "harmless", subscriptions_total_count: "harmless" },
  ...{ subscription_related_charge_streak: "harmless", facets: "harmless", include: "harmless" },
} as const satisfies Members;

/** The members of a subscription of Recharge's API, version 2021-11, with what may be included or put beside it. */
export const rechargeMembers = {
  ...{ id: "used", address_id: "harmless", customer_id: "harmless", email: "used", customer, address },
  include: {
    ...{ customer, address, metafields: "harmless", charge_activities: "harmless" },
    ...{ bundle_product: "harmless", bundle_selections: "decides" },
  },
  ...{ status: "used", type: ["subscription"], cancelled_at: "used", cancellation_reason: "used" },
  ...{ cancellation_reason_comments: "harmless", max_retries_reached: "used", created_at: "used" },
  ...{ next_charge_scheduled_at: "used", charge_interval_frequency: "used", is_prepaid: "used" },
  ...{ charge_interval_unit_type: "harmless", order_interval_unit: "used", order_interval_frequency: "used" },
  ...{ order_day_of_month: "used", order_day_of_week: "used", charge_delay: "decides" },
  ...{ cutoff_day_of_month_before_and_after: "decides", cutoff_day_of_week_before_and_after: "decides" },
  ...{ expire_after_specific_number_of_charges: "used", first_charge_date: "harmless" },
  ...{ external_product_id: "used", external_variant_id: "used", product_title: "used" },
  ...{ variant_title: "used", sku: "used", sku_override: "harmless", quantity: "used", price: "used" },
  ...{ presentment_currency: "used", properties: "used", analytics_data: "harmless" },
  ...{ has_queued_charges: "harmless", locked_pending_charge_id: "harmless", is_skippable: "harmless" },
  ...{ is_swappable: "harmless", commit_update: "harmless", updated_at: "harmless" },
} as const satisfies Members;

/** The columns of Recharge's migration template, in its newer and older names, and a `subscription_ref` that may be added. */
export const templateMembers = {
  ...{ subscription_ref: "used", external_product_name: "used", external_variant_name: "used" },
  ...{ external_product_id: "used", external_variant_id: "used", quantity: "used", recurring_price: "used" },
  ...{ charge_interval_unit_type: "used", charge_interval_frequency: "used", is_prepaid: "used" },
  ...{ shipping_interval_unit_type: "used", shipping_interval_frequency: "used" },
  ...{ order_interval_unit_type: "used", order_interval_frequency: "used" },
  ...{ charge_on_day_of_month: "used", last_charge_date: "used", last_success_charge: "used" },
  ...{ next_charge_date: "used", number_charges_until_expiration: "used", status: "used" },
  ...{ customer_stripe_id: "harmless", authorizedotnet_customer_profile_id: "harmless" },
  ...{ authorizedotnet_customer_payment_profile_id: "harmless", customer_created_at: "harmless" },
  ...{ shipping_email: "used", shipping_first_name: "used", shipping_last_name: "used" },
  ...{ shipping_phone: "used", shipping_address_1: "used", shipping_address_2: "used" },
  ...{ shipping_city: "used", shipping_province: "used", shipping_zip: "used", shipping_country: "used" },
  ...{ shipping_company: "used", billing_first_name: "used", billing_last_name: "used" },
  ...{ billing_phone: "used", billing_address_1: "harmless", billing_address_2: "harmless" },
  ...{ billing_city: "harmless", billing_postalcode: "harmless", billing_province_state: "harmless" },
  billing_country: "harmless",
} as const satisfies Members;

export const rechargeColumns = Object.keys(templateMembers);
