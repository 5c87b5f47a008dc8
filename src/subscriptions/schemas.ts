import { z } from "@hono/zod-openapi";
import { DeliveryDayBody, DeliverySlotBody } from "../delivery/schemas.ts";
import { EntityBody } from "../entities/schemas.ts";
import { moneyOut } from "../http/money.ts";
import { listOf } from "../http/pagination.ts";
import { dateOut, instant, int64, intervalUnitOut, orNull } from "../http/params.ts";
import { PlainOrderBody, SubscriptionStatus } from "../orders/schemas.ts";
import { PaymentMethodBody } from "../payment-methods/schemas.ts";
import { ProfileBody } from "../profiles/schemas.ts";
import { DiscountType } from "../selling-plans/schemas.ts";
import { targetTypes } from "./amounts.ts";
import { reminderStatuses } from "./tables.ts";

/** The amount that a discount reduces. */
export const DiscountTarget = z.enum(targetTypes).openapi("DiscountTarget");
const ReminderStatus = z.enum(reminderStatuses).openapi("PaymentReminderStatus");

const LineBody = z
  .strictObject({
    id: z.string(),
    store_product_id: z.string(),
    store_variant_id: z.string(),
    subscription_variant_id: z.string().nullable(),
    product_title: z.string(),
    variant_title: z.string().nullable(),
    sku: z.string().nullable(),
    selling_plan_id: z.string(),
    selling_plan_name: z.string(),
    entity_id: z.string().nullable(),
    price: moneyOut,
    quantity: z.int(),
    selection_items: z
      .array(
        z.strictObject({
          slot_id: z.string(),
          store_product_id: z.string(),
          store_variant_id: z.string(),
          product_title: z.string(),
          variant_title: z.string().nullable(),
          quantity: z.int(),
          price: moneyOut,
        }),
      )
      .nullable(),
    is_one_time: z.boolean(),
    line_total: moneyOut,
    discount_amount: moneyOut,
  })
  .openapi("SubscriptionLine");

/** A discount of a subscription. */
const DiscountBody = z
  .strictObject({
    id: z.string(),
    status: z.enum(["ACTIVE", "EXHAUSTED", "REMOVED"]),
    is_active: z.boolean(),
    discount_code: z.string().nullable(),
    title: z.string(),
    value: z.number().nullable(),
    store_discount_id: z.string(),
    currency_code: z.string().nullable(),
    target_type: DiscountTarget,
    value_type: orNull(DiscountType),
    recurring_cycle_limit: z.int().nullable(),
    applied_at: instant.nullable(),
    exhausted_at: instant.nullable(),
    removed_at: instant.nullable(),
    is_shipping_discount: z.boolean(),
    discount_label: z.string(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("SubscriptionDiscount");

/** A subscription's delivery address. */
const AddressOut = z
  .strictObject({
    address1: z.string(),
    city: z.string(),
    zip: z.string(),
    country: z.string(),
    country_code: z.string(),
    address2: z.string().optional(),
    phone: z.string().optional(),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    company: z.string().optional(),
    province: z.string().optional(),
    province_code: z.string().optional(),
  })
  .openapi("SubscriptionAddress");

/** The fields of both representations. */
const common = {
  number: z.string(),
  id: z.string(),
  status: SubscriptionStatus,
  is_active: z.boolean(),
  account_id: z.string(),
  profile_id: z.string(),
  currency_code: z.string(),
  subtotal: moneyOut,
  discount_amount: moneyOut,
  total: moneyOut,
  billing_interval: intervalUnitOut,
  billing_interval_count: z.int(),
  delivery_slot_valid: z.boolean(),
  current_billing_cycle: z.int(),
  can_cancel: z.boolean(),
  can_pause: z.boolean(),
  can_resume: z.boolean(),
  can_reactivate: z.boolean(),
  can_retry_payment: z.boolean(),
  is_in_dunning: z.boolean(),
  frequency_label: z.string(),
  payment_reminder_status: ReminderStatus,
  store_contract_id: int64.nullable(),
  store_sync_error: z.string().nullable().openapi({
    description: "Why the store does not agree with the subscription; null where it does.",
  }),
  billing_blocked_reason: z.string().nullable().openapi({
    description:
      "Why billing stands still, or null: the error code of the billing attempt under REVIEW, or of what the merchant or the store has to cure; then it is tried again by itself.",
    example: null,
  }),
  next_billing_date: dateOut.nullable(),
  next_delivery_date: dateOut.nullable(),
  next_production_date: dateOut.nullable(),
  cancelled_at: instant.nullable(),
  paused_at: instant.nullable(),
  cancellation_reason: z.string().nullable(),
  cancellation_reason_id: z.string().nullable(),
  pause_reason: z.string().nullable(),
  pause_reason_id: z.string().nullable(),
  payment_method_brand: z.string().nullable(),
  payment_method_last4: z.string().nullable(),
  delivery_slot_id: z.string().nullable(),
  delivery_instructions: z.string().nullable(),
  delivery_address: orNull(AddressOut),
  store_origin_order_id: z.string().nullable(),
  migration_source_ref: z.string().nullable(),
  note: z.string().nullable(),
  custom_attributes: z.record(z.string(), z.unknown()).nullable(),
  payment_day_of_week: z.int().min(1).max(7).nullable(),
  last_payment_reminder_sent_at: instant.nullable(),
  last_payment_reminder_billing_date: dateOut.nullable(),
  discounts: z.array(DiscountBody),
  entity_label: z.string().nullable(),
  current_dunning_episode: z.string().nullable(),
  profile: ProfileBody,
  delivery_day: orNull(DeliveryDayBody),
  delivery_slot: orNull(DeliverySlotBody),
  entities: z.array(EntityBody),
  created_at: instant,
  updated_at: instant,
};

/** The full representation of one subscription. */
export const SubscriptionBody = z
  .strictObject({
    ...common,
    shipping_amount: moneyOut,
    tax_amount: moneyOut,
    lines: z.array(LineBody),
    delivery_interval: intervalUnitOut,
    delivery_interval_count: z.int(),
    has_shipping_discount: z.boolean(),
    total_revenue: moneyOut,
    last_order: z.string().nullable(),
  })
  .openapi("Subscription");

/** The representation in lists. It has entity where the subscription has one. */
export const SubscriptionItem = z
  .strictObject({ ...common, last_order: orNull(PlainOrderBody), entity: EntityBody.optional() })
  .openapi("SubscriptionListItem");

export const SubscriptionData = z.strictObject({ data: SubscriptionBody }).openapi("SubscriptionData");
export const SubscriptionList = listOf(SubscriptionItem, "SubscriptionList");

export const SubscriptionsCreated = z
  .strictObject({ ids: z.array(z.string()), data: z.array(SubscriptionBody).optional() })
  .openapi("SubscriptionsCreated");

/** The subscription, or with update_all_active the ids of those that were changed. */
export const InstructionsChanged = z
  .strictObject({
    data: z.union([
      SubscriptionBody,
      z.strictObject({ updated: z.int(), subscription_ids: z.array(z.string()) }),
    ]),
  })
  .openapi("DeliveryInstructionsChanged");

export const PaymentMethods = z
  .strictObject({
    data: z.strictObject({ current: orNull(PaymentMethodBody), alternatives: z.array(PaymentMethodBody) }),
  })
  .openapi("SubscriptionPaymentMethods");

const UpcomingDelivery = z
  .strictObject({
    cycle: z.int(),
    billing_date: dateOut,
    delivery_date: dateOut,
    production_date: dateOut.nullable(),
    delivery_slot_id: z.string().nullable(),
    is_billed: z.boolean(),
    lines: z.array(LineBody),
    subtotal: moneyOut,
    discount_amount: moneyOut,
    shipping_amount: moneyOut,
    tax_amount: moneyOut,
    total: moneyOut,
    currency_code: z.string(),
  })
  .openapi("UpcomingDelivery");
export const Upcoming = z.strictObject({ data: z.array(UpcomingDelivery) }).openapi("Upcoming");

export const SkipBody = z
  .strictObject({
    id: z.string(),
    subscription_id: z.string(),
    cycle: z.int(),
    skip_weeks: z.int(),
    reason: z.string().nullable(),
    skip_reason_id: z.string().nullable(),
    skip_reason_label: z.string().nullable(),
    previous_billing_date: dateOut.nullable(),
    previous_delivery_date: dateOut.nullable(),
    previous_production_date: dateOut.nullable(),
    undone_at: instant.nullable(),
    created_at: instant,
  })
  .openapi("Skip");
export const SkipList = listOf(SkipBody, "SkipList");
