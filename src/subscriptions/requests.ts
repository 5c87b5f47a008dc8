import { z } from "@hono/zod-openapi";
import { demoId, demoPlanIds } from "../demo.ts";
import { moneyIn } from "../http/money.ts";
import { pageQuery } from "../http/pagination.ts";
import {
  anyText,
  dateIn,
  freeForm,
  futureDateIn,
  idIn,
  intervalCount,
  intervalUnit,
  nullableText,
  queryBoolean,
  queryInteger,
  queryList,
  searchText,
  sortDirection,
  storeId,
  text,
} from "../http/params.ts";
import { intervalFault } from "../lib/intervals.ts";
import { DiscountType } from "../selling-plans/schemas.ts";
import { DiscountTarget } from "./schemas.ts";
import { subscriptionStatuses } from "./tables.ts";

const maxText = 10_000;
const title = text({ min: 1, max: maxText });
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
  .strictObject({ ...lineFields, ...optionalLineFields, entity_id: idIn.nullable().optional() })
  .openapi("SubscriptionLineCreate", { example: exampleLine });

export const AddedLine = z
  .strictObject({
    ...NewLine.shape,
    is_one_time: z
      .boolean()
      .optional()
      .openapi({ description: "Whether the line is in the next order only. Default: false." }),
  })
  .openapi("SubscriptionLineAdd", { example: { ...exampleLine, is_one_time: true } });

export const LineChange = z
  .strictObject({ ...z.object(lineFields).partial().shape, ...optionalLineFields })
  .openapi("SubscriptionLineUpdate", { example: { quantity: 2 } });

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

const created = dateIn.openapi({
  description: "A date-time, or a date: the whole day in the account's time zone.",
});

export const SubscriptionQuery = z.strictObject({
  ...pageQuery,
  status: queryList(subscriptionStatuses).optional(),
  profile_id: idIn.optional(),
  entity_id: idIn.optional(),
  cancellation_reason_id: idIn.optional(),
  store_contract_id: anyText.optional(),
  search: searchText.optional().openapi({
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
  sort_order: sortDirection.optional(),
});

export const DryRunQuery = z.strictObject({
  dry_run: queryBoolean
    .optional()
    .openapi({ description: "Checks and answers the same, but writes nothing and sends nothing." }),
});

/** They are read with every list of subscriptions. */
const maxAttributes = 20_000;

const customAttributes = freeForm
  .refine(
    (value) => JSON.stringify(value).length <= maxAttributes,
    `must have at most ${maxAttributes} characters as JSON`,
  )
  .openapi({
    description: `An object of the caller's own, stored as it is: at most ${maxAttributes} characters as JSON.`,
    example: { source: "quiz" },
  });

export const SubscriptionCreate = z
  .strictObject({
    profile_id: idIn,
    store_payment_method_id: storeId,
    next_delivery_date: futureDateIn,
    lines: z.array(NewLine).min(1).max(250),
    delivery_slot_id: idIn.nullable().optional(),
    delivery_address_id: idIn.nullable().optional(),
    note: nullableText(maxText).optional(),
    migration_source_ref: nullableText(255).optional().openapi({
      description: "What the subscription was called in the system that it comes from.",
      example: "legacy-4711",
    }),
    custom_attributes: customAttributes.nullable().optional(),
  })
  .openapi("SubscriptionCreate", {
    example: {
      profile_id: demoId("profile", 1),
      store_payment_method_id: "pm_success",
      next_delivery_date: "2030-01-15",
      lines: [exampleLine],
    },
  });

export const FrequencyChange = z
  .strictObject({ interval: intervalUnit, interval_count: intervalCount })
  .superRefine(({ interval, interval_count }, c) => {
    const message = intervalFault(interval, interval_count);
    if (message) c.addIssue({ code: "custom", path: ["interval_count"], message });
  })
  .openapi("FrequencyChange", { example: { interval: "WEEK", interval_count: 2 } });

export const InstructionsChange = z
  .strictObject({ delivery_instructions: text({ max: 10_000 }), update_all_active: z.boolean().optional() })
  .openapi("DeliveryInstructionsChange", {
    example: { delivery_instructions: "Leave it with the neighbour" },
  });

const reason = text({ max: maxText });

export const SkipRequest = z
  .strictObject({
    skip_weeks: z.int().min(1).max(52),
    reason: reason.nullable().optional(),
    skip_reason_id: idIn.nullable().optional(),
  })
  .openapi("SkipRequest", { example: { skip_weeks: 1, skip_reason_id: demoId("skip_reason", 1) } });

/** The body of an operation without fields. Unknown fields are still refused by name. */
export const NoFields = z.strictObject({}).openapi("NoFields", { example: {} });

export const PauseRequest = z
  .strictObject({
    pause_until: futureDateIn.nullable().optional(),
    reason: reason.nullable().optional(),
    pause_reason_id: idIn.nullable().optional(),
  })
  .openapi("PauseRequest", { example: { pause_reason_id: demoId("pause_reason", 1) } });

export const RestartRequest = z
  .strictObject({ next_delivery_date: futureDateIn.optional() })
  .openapi("RestartRequest", { example: {} });

export const CancelRequest = z
  .strictObject({
    reason: reason.nullable().optional(),
    cancellation_reason_id: idIn.nullable().optional(),
  })
  .openapi("CancelRequest", { example: { cancellation_reason_id: demoId("cancellation_reason", 1) } });

export const ScheduleChange = z
  .strictObject({ next_delivery_date: futureDateIn.optional(), delivery_slot_id: idIn.nullable().optional() })
  .openapi("ScheduleChange", { example: { next_delivery_date: "2030-01-15", delivery_slot_id: null } });

/** The id of a saved address, or an address. */
export const AddressChange = z
  .union([z.strictObject({ delivery_address_id: idIn }), z.strictObject(addressFields)])
  .openapi("AddressChange", { example: { delivery_address_id: demoId("delivery_address", 1) } });

/** A payment method of the profile by our id, or one of the store by its id. */
export const PaymentMethodChange = z
  .union([z.strictObject({ payment_method_id: idIn }), z.strictObject({ store_payment_method_id: storeId })])
  .openapi("PaymentMethodChange", { example: { store_payment_method_id: "pm_success" } });

export const DiscountCreate = z
  .strictObject({
    title: text({ min: 1, max: 255 }),
    value: moneyIn.openapi({
      description: "A percentage for PERCENTAGE, an amount in major units for FIXED_AMOUNT.",
      example: 10,
    }),
    value_type: DiscountType,
    target_type: DiscountTarget,
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

export const SkipQuery = z.strictObject(pageQuery);

export const linePath = z.object({
  id: idIn.openapi({ example: demoId("subscription", 1) }),
  lineId: idIn.openapi({ example: demoId("subscription_line", 1) }),
});
export const discountPath = z.object({
  id: idIn.openapi({ example: demoId("subscription", 2) }),
  discountId: idIn.openapi({ example: demoId("subscription_discount", 2) }),
});

function strictly(word: string) {
  return dateIn.openapi({ description: `Strictly ${word} this date.` });
}
