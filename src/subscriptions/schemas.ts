import { z } from "@hono/zod-openapi";
import { DeliveryDayBody, DeliverySlotBody } from "../delivery/schemas.ts";
import { demoId, demoPlanIds } from "../demo.ts";
import { EntityBody } from "../entities/schemas.ts";
import { moneyIn, moneyOut } from "../http/money.ts";
import { listOf, pageQuery } from "../http/pagination.ts";
import {
  dateIn,
  dateOut,
  instant,
  intervalCount,
  intervalUnit,
  nullableText,
  queryBoolean,
  queryInteger,
  queryList,
  text,
} from "../http/params.ts";
import { intervalUnits } from "../lib/intervals.ts";
import { PlainOrderBody } from "../orders/schemas.ts";
import { PaymentMethodBody } from "../payment-methods/schemas.ts";
import { ProfileBody } from "../profiles/schemas.ts";
import { targetTypes, valueTypes } from "./amounts.ts";
import { reminderStatuses, subscriptionStatuses } from "./tables.ts";

const maxText = 10_000;
const title = text({ min: 1, max: maxText });
const storeId = text({ min: 1, max: 255 });
const quantity = z.int().min(1).max(1_000_000).openapi({ example: 1 });

const SelectionItem = z
  .strictObject({
    slot_id: storeId,
    store_product_id: storeId,
    store_variant_id: storeId,
    product_title: title,
    variant_title: nullableText(maxText).optional(),
    quantity,
    price: moneyIn,
  })
  .openapi("SelectionItem");

const lineFields = {
  store_product_id: storeId,
  store_variant_id: storeId,
  product_title: title,
  selling_plan_id: storeId,
  price: moneyIn,
  quantity,
};
const optionalLineFields = {
  variant_title: nullableText(maxText).optional(),
  sku: nullableText(maxText).optional(),
  subscription_variant_id: nullableText(255).optional(),
  selection_items: z.array(SelectionItem).max(100).nullable().optional(),
};
const exampleLine = {
  store_product_id: "product-1",
  store_variant_id: "variant-1",
  product_title: "Beef and carrot, 1.5 kg",
  selling_plan_id: demoPlanIds.monthly,
  price: 39.95,
  quantity: 1,
};

const NewLine = z
  .strictObject({ ...lineFields, ...optionalLineFields, entity_id: z.string().nullable().optional() })
  .openapi("SubscriptionLineCreate", { example: exampleLine });

export const AddedLine = z
  .strictObject({
    ...NewLine.shape,
    is_one_time: z.boolean().optional().openapi({ description: "In the next order only." }),
  })
  .openapi("SubscriptionLineAdd", { example: { ...exampleLine, is_one_time: true } });

export const LineChange = z
  .strictObject({ ...z.object(lineFields).partial().shape, ...optionalLineFields })
  .openapi("SubscriptionLineUpdate", { example: { quantity: 2 } });

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

/** INTERFACE: Subscription discount. */
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
    target_type: z.enum(targetTypes),
    value_type: z.enum(valueTypes).nullable(),
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

const addressFields = {
  address1: title,
  city: title,
  zip: title,
  country: title,
  country_code: title,
  address2: nullableText(maxText).optional(),
  phone: nullableText(maxText).optional(),
  first_name: nullableText(maxText).optional(),
  last_name: nullableText(maxText).optional(),
  company: nullableText(maxText).optional(),
  province: nullableText(maxText).optional(),
  province_code: nullableText(maxText).optional(),
};

/** What a subscription keeps of where it goes. */
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

/** In both representations. */
const common = {
  number: z.string(),
  id: z.string(),
  status: z.enum(subscriptionStatuses),
  is_active: z.boolean(),
  account_id: z.string(),
  profile_id: z.string(),
  currency_code: z.string(),
  subtotal: moneyOut,
  discount_amount: moneyOut,
  total: moneyOut,
  billing_interval: z.enum(intervalUnits),
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
  payment_reminder_status: z.enum(reminderStatuses),
  store_contract_id: z.int().nullable(),
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
  delivery_address: AddressOut.nullable(),
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
  delivery_day: DeliveryDayBody.nullable(),
  delivery_slot: DeliverySlotBody.nullable(),
  entities: z.array(EntityBody),
  created_at: instant,
  updated_at: instant,
};

/** INTERFACE: the full representation. */
export const SubscriptionBody = z
  .strictObject({
    ...common,
    shipping_amount: moneyOut,
    tax_amount: moneyOut,
    lines: z.array(LineBody),
    delivery_interval: z.enum(intervalUnits),
    delivery_interval_count: z.int(),
    has_shipping_discount: z.boolean(),
    total_revenue: moneyOut,
    last_order: z.string().nullable(),
  })
  .openapi("Subscription");

/** INTERFACE: the list form. entity is there where the subscription has one. */
export const SubscriptionItem = z
  .strictObject({ ...common, last_order: PlainOrderBody.nullable(), entity: EntityBody.optional() })
  .openapi("SubscriptionListItem");

export const SubscriptionData = z.strictObject({ data: SubscriptionBody }).openapi("SubscriptionData");
export const SubscriptionList = listOf(SubscriptionItem, "SubscriptionList");

const created = dateIn.openapi({
  description: "A date-time, or a date: the whole day in the account's time zone.",
});
const strictly = (word: string) => dateIn.openapi({ description: `Strictly ${word} this date.` });

export const SubscriptionQuery = z.strictObject({
  ...pageQuery,
  status: queryList(subscriptionStatuses).optional(),
  profile_id: z.string().optional(),
  entity_id: z.string().optional(),
  cancellation_reason_id: z.string().optional(),
  store_contract_id: z.string().optional(),
  search: text({ max: maxText }).optional().openapi({
    description: "Part of the number, the store's contract id, or the customer's e-mail or name.",
  }),
  failed_payment: queryBoolean.optional().openapi({ description: "In dunning, or PAYMENT_FAILED." }),
  next_billing_before: strictly("before").optional(),
  next_billing_after: strictly("after").optional(),
  next_delivery_before: strictly("before").optional(),
  next_delivery_after: strictly("after").optional(),
  next_production_before: strictly("before").optional(),
  next_production_after: strictly("after").optional(),
  created_before: created.optional(),
  created_after: created.optional(),
  sort_by: z
    .enum([
      "created_at",
      "next_billing_date",
      "next_delivery_date",
      "next_production_date",
      "total",
      "status",
    ])
    .optional(),
  sort_order: z.enum(["asc", "desc"]).optional(),
});

export const DryRunQuery = z.strictObject({
  dry_run: queryBoolean
    .optional()
    .openapi({ description: "Checks and answers the same, but writes nothing and sends nothing." }),
});

export const SubscriptionCreate = z
  .strictObject({
    profile_id: z.string(),
    store_payment_method_id: storeId,
    next_delivery_date: dateIn,
    lines: z.array(NewLine).min(1).max(250),
    delivery_slot_id: z.string().nullable().optional(),
    delivery_address_id: z.string().nullable().optional(),
    note: nullableText(maxText).optional(),
  })
  .openapi("SubscriptionCreate", {
    example: {
      profile_id: demoId("profile", 1),
      store_payment_method_id: "pm_success",
      next_delivery_date: "2030-01-15",
      lines: [exampleLine],
    },
  });

export const SubscriptionsCreated = z
  .strictObject({ ids: z.array(z.string()), data: z.array(SubscriptionBody).optional() })
  .openapi("SubscriptionsCreated");

export const FrequencyChange = z
  .strictObject({ interval: intervalUnit, interval_count: intervalCount })
  .openapi("FrequencyChange", { example: { interval: "WEEK", interval_count: 2 } });

export const InstructionsChange = z
  .strictObject({ delivery_instructions: text({ max: 10_000 }), update_all_active: z.boolean().optional() })
  .openapi("DeliveryInstructionsChange", {
    example: { delivery_instructions: "Leave it with the neighbour" },
  });

/** One subscription, or with update_all_active what was changed. */
export const InstructionsChanged = z
  .strictObject({
    data: z.union([
      SubscriptionBody,
      z.strictObject({ updated: z.int(), subscription_ids: z.array(z.string()) }),
    ]),
  })
  .openapi("DeliveryInstructionsChanged");

const reason = text({ max: maxText });

export const SkipRequest = z
  .strictObject({
    skip_weeks: z.int().min(1).max(52),
    reason: reason.optional(),
    skip_reason_id: z.string().optional(),
  })
  .openapi("SkipRequest", { example: { skip_weeks: 1, skip_reason_id: demoId("skip_reason", 1) } });

export const PauseRequest = z
  .strictObject({
    pause_until: dateIn.nullable().optional(),
    reason: reason.nullable().optional(),
    pause_reason_id: z.string().nullable().optional(),
  })
  .openapi("PauseRequest", { example: { pause_reason_id: demoId("pause_reason", 1) } });

export const RestartRequest = z
  .strictObject({ next_delivery_date: dateIn.optional() })
  .openapi("RestartRequest", { example: {} });

export const CancelRequest = z
  .strictObject({
    reason: reason.nullable().optional(),
    cancellation_reason_id: z.string().nullable().optional(),
  })
  .openapi("CancelRequest", { example: { cancellation_reason_id: demoId("cancellation_reason", 1) } });

export const ScheduleChange = z
  .strictObject({ next_delivery_date: dateIn.optional(), delivery_slot_id: z.string().nullable().optional() })
  .openapi("ScheduleChange", { example: { next_delivery_date: "2030-01-15", delivery_slot_id: null } });

/** A kept address, or one written out. */
export const AddressChange = z
  .union([z.strictObject({ delivery_address_id: z.string() }), z.strictObject(addressFields)])
  .openapi("AddressChange", { example: { delivery_address_id: demoId("delivery_address", 1) } });

/** One of the profile's methods by our id, or any by the store's. */
export const PaymentMethodChange = z
  .union([
    z.strictObject({ payment_method_id: z.string() }),
    z.strictObject({ store_payment_method_id: storeId }),
  ])
  .openapi("PaymentMethodChange", { example: { store_payment_method_id: "pm_success" } });

export const PaymentMethods = z
  .strictObject({
    data: z.strictObject({ current: PaymentMethodBody.nullable(), alternatives: z.array(PaymentMethodBody) }),
  })
  .openapi("SubscriptionPaymentMethods");

export const DiscountCreate = z
  .strictObject({
    title: text({ min: 1, max: 255 }),
    value: z.number().min(0).openapi({ description: "Percent, or major units." }),
    value_type: z.enum(valueTypes),
    target_type: z.enum(targetTypes),
    recurring_cycle_limit: z.int().min(1).max(10_000).nullable().optional(),
    discount_code: nullableText(255).optional(),
  })
  .openapi("SubscriptionDiscountCreate", {
    example: {
      title: "Thank you",
      value: 10,
      value_type: "PERCENTAGE",
      target_type: "ORDER",
      recurring_cycle_limit: 3,
    },
  });

export const UpcomingQuery = z.strictObject({ count: queryInteger({ min: 1, max: 24, fallback: 6 }) });

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
export const SkipQuery = z.strictObject(pageQuery);

export const linePath = z.object({
  id: z.string().openapi({ example: demoId("subscription", 1) }),
  lineId: z.string().openapi({ example: demoId("subscription_line", 1) }),
});
export const discountPath = z.object({
  id: z.string().openapi({ example: demoId("subscription", 2) }),
  discountId: z.string().openapi({ example: demoId("subscription_discount", 2) }),
});
