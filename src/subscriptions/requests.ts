import { z } from "@hono/zod-openapi";
import { demoId, demoPlanIds } from "../demo.ts";
import { type FieldText, named } from "../http/describe.ts";
import { addressTexts, referenceTexts, storeIdText } from "../http/fields.ts";
import { moneyIn } from "../http/money.ts";
import { pageQuery } from "../http/pagination.ts";
import {
  dateIn,
  freeForm,
  futureDateIn,
  idIn,
  idInPath,
  intervalCount,
  intervalUnit,
  nullableText,
  queryBoolean,
  queryInteger,
  queryList,
  searchText,
  sortDirection,
  storeId,
  storeIdQuery,
  text,
} from "../http/params.ts";
import { intervalFault } from "../lib/intervals.ts";
import { DiscountType } from "../selling-plans/schemas.ts";
import { DiscountTarget, discountTexts, lineTexts, selectionItemTexts } from "./schemas.ts";
import { subscriptionStatuses } from "./tables.ts";

const maxText = 10_000;
const title = text({ min: 1, max: maxText });
const quantity = z.int().min(1).max(1_000_000).openapi({ example: 1 });

const SelectionItem = named(
  "SelectionItem",
  z.strictObject({
    slot_id: text({ min: 1, max: 255 }),
    store_product_id: storeId("Product"),
    store_variant_id: storeId("ProductVariant"),
    product_title: title,
    variant_title: nullableText(maxText).optional(),
    quantity,
    price: moneyIn,
  }),
  selectionItemTexts,
  { description: "An item of a box that is sold as one line." },
);

const lineFields = {
  store_product_id: storeId("Product"),
  store_variant_id: storeId("ProductVariant"),
  product_title: title,
  selling_plan_id: storeId("SellingPlan"),
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

const NewLine = named(
  "SubscriptionLineCreate",
  z.strictObject({ ...lineFields, ...optionalLineFields, entity_id: idIn.nullable().optional() }),
  {
    ...lineTexts,
    selling_plan_id: ["The id of an active selling plan of the account.", demoPlanIds.monthly],
    entity_id: [
      "The id of an entity of the profile that the line is for. Null or absent: none.",
      demoId("entity", 1),
    ],
  },
  { description: "A product to deliver.", example: exampleLine },
);

export const AddedLine = named(
  "SubscriptionLineAdd",
  z.strictObject({ ...NewLine.shape, is_one_time: z.boolean().optional() }),
  {
    ...lineTexts,
    selling_plan_id: ["The id of an active selling plan of the account.", demoPlanIds.monthly],
    entity_id: [
      "The subscription's own entity, or absent: all lines of a subscription are for one. Null where it has none.",
      demoId("entity", 1),
    ],
  },
  { description: "A product to add.", example: { ...exampleLine, is_one_time: true } },
);

export const LineChange = named(
  "SubscriptionLineUpdate",
  z.strictObject({ ...z.object(lineFields).partial().shape, ...optionalLineFields }),
  {
    ...lineTexts,
    selling_plan_id: [
      "The id of an active selling plan, whose discount and shipping the line takes. The subscription's intervals stay.",
      demoPlanIds.monthly,
    ],
  },
  {
    description: "Fields that are absent stay as they are; null clears one.",
    example: { quantity: 2 },
  },
);

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

const ofRecord = (what: string, example: string) =>
  idIn.optional().openapi({ description: `Only subscriptions ${what}.`, example });

export const SubscriptionQuery = z.strictObject({
  ...pageQuery,
  status: queryList(subscriptionStatuses).optional(),
  profile_id: ofRecord("of this profile", demoId("profile", 1)),
  entity_id: ofRecord("for this entity", demoId("entity", 1)),
  cancellation_reason_id: ofRecord("that were cancelled for this reason", demoId("cancellation_reason", 1)),
  store_contract_id: storeIdQuery("SubscriptionContract").optional().openapi({
    description:
      "Only the subscription with this contract at the connected store: its number, such as 123, or gid://shopify/SubscriptionContract/123.",
    example: "1000001",
  }),
  search: searchText("SubscriptionContract").optional().openapi({
    description:
      "Part of the number, the store's contract id, or the customer's e-mail or name, in any case: 1 to 256 characters.",
    example: "1001",
  }),
  failed_payment: queryBoolean.optional().openapi({
    param: {
      description:
        "Only subscriptions whose payment has failed (in dunning, or PAYMENT_FAILED), or only others.",
    },
  }),
  next_billing_before: dated("billed next before this date"),
  next_billing_after: dated("billed next after this date"),
  next_delivery_before: dated("delivered next before this date"),
  next_delivery_after: dated("delivered next after this date"),
  next_production_before: dated("packed next before this date"),
  next_production_after: dated("packed next after this date"),
  created_before: created("before"),
  created_after: created("after"),
  sort_by: z
    .enum([
      "created_at",
      "next_billing_date",
      "next_delivery_date",
      "next_production_date",
      "total",
      "status",
    ])
    .optional()
    .openapi({
      description:
        "What the list is sorted by: `created_at` (the default), `next_billing_date`, `next_delivery_date`, `next_production_date`, `total` or `status`.",
    }),
  sort_order: sortDirection
    .optional()
    .openapi({ param: { description: "The direction: `desc` by default, `asc` for `status`." } }),
});

export const DryRunQuery = z.strictObject({
  dry_run: queryBoolean.optional().openapi({
    param: {
      description:
        "Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default.",
    },
  }),
});

/** They are read with every list of subscriptions. */
const maxAttributes = 20_000;

const customAttributes = freeForm.refine(
  (value) => JSON.stringify(value).length <= maxAttributes,
  `must have at most ${maxAttributes} characters as JSON`,
);

export const SubscriptionCreate = named(
  "SubscriptionCreate",
  z.strictObject({
    profile_id: idIn,
    store_payment_method_id: storeId("CustomerPaymentMethod"),
    next_delivery_date: futureDateIn,
    lines: z.array(NewLine).min(1).max(250),
    delivery_slot_id: idIn.nullable().optional(),
    delivery_address_id: idIn.nullable().optional(),
    note: nullableText(maxText).optional(),
    migration_source_ref: nullableText(255).optional(),
    custom_attributes: customAttributes.nullable().optional(),
  }),
  {
    profile_id: referenceTexts.profile_id,
    store_payment_method_id: [
      "The id of the customer's payment method at the connected store, plain, such as 4a7b, or as gid://shopify/CustomerPaymentMethod/4a7b. The sandbox store takes any; `pm_success` is charged at once, others answer as test cards do.",
      "pm_success",
    ],
    next_delivery_date: [
      "The date of the first delivery: today or later, on the slot's day if there is a slot. A calendar date, or a date-time, whose date in the account's time zone counts.",
      "2030-01-15",
    ],
    lines:
      "What is delivered: 1 to 250 lines. Those for different entities or intervals become several subscriptions.",
    delivery_slot_id: [
      "The id of an active delivery slot. Null or absent: deliveries have no slot, and are billed on their date.",
      null,
    ],
    delivery_address_id: [
      "The id of a saved delivery address of the profile. Null or absent: the profile's own address.",
      null,
    ],
    note: ["A note of the merchant's, at most 10,000 characters. Null or absent: none.", null],
    migration_source_ref: [
      "What the subscription was called in the system that it comes from, at most 255 characters. Null or absent: nothing.",
      "legacy-4711",
    ],
    custom_attributes: [
      `An object of the caller's own, stored as it is: at most ${maxAttributes} characters as JSON. Null or absent: none.`,
      { source: "quiz" },
    ],
  },
  {
    example: {
      profile_id: demoId("profile", 1),
      store_payment_method_id: "pm_success",
      next_delivery_date: "2030-01-15",
      lines: [exampleLine],
    },
  },
);

export const FrequencyChange = named(
  "FrequencyChange",
  z.strictObject({ interval: intervalUnit, interval_count: intervalCount }),
  {
    interval: "The unit of the new interval between two charges.",
    interval_count: ["How many of these units: at most 365 days, 52 weeks, 24 months or 3 years.", 2],
  },
  { example: { interval: "WEEK", interval_count: 2 } },
).superRefine(({ interval, interval_count }, c) => {
  const message = intervalFault(interval, interval_count);
  if (message) c.addIssue({ code: "custom", path: ["interval_count"], message });
});

export const InstructionsChange = named(
  "DeliveryInstructionsChange",
  z.strictObject({ delivery_instructions: text({ max: 10_000 }), update_all_active: z.boolean().optional() }),
  {
    delivery_instructions: [
      "What the courier is told, at most 10,000 characters; an empty text for nothing.",
      "Leave it with the neighbour",
    ],
    update_all_active: "Whether to change every active subscription of the customer. False by default.",
  },
  { example: { delivery_instructions: "Leave it with the neighbour" } },
);

const reason = text({ max: maxText });

/** What the fields of a reason say in a request. */
const reasonTexts = {
  reason: ["Why, in the caller's words, at most 10,000 characters. Null or absent: nothing is said.", null],
} as const satisfies Record<string, FieldText>;

export const SkipRequest = named(
  "SkipRequest",
  z.strictObject({
    skip_weeks: z.int().min(1).max(52),
    reason: reason.nullable().optional(),
    skip_reason_id: idIn.nullable().optional(),
  }),
  {
    ...reasonTexts,
    skip_weeks: ["By how many weeks the next dates are moved, 1 to 52.", 1],
    skip_reason_id: [
      "The id of an active skip reason. Staff may leave it out; others must choose one while the account has any.",
      demoId("skip_reason", 1),
    ],
  },
  { example: { skip_weeks: 1, skip_reason_id: demoId("skip_reason", 1) } },
);

/** The body of an operation without fields. Unknown fields are still refused by name. */
export const NoFields = z
  .strictObject({})
  .openapi("NoFields", { description: "An object without fields. The body may be left out.", example: {} });

export const PauseRequest = named(
  "PauseRequest",
  z.strictObject({
    pause_until: futureDateIn.nullable().optional(),
    reason: reason.nullable().optional(),
    pause_reason_id: idIn.nullable().optional(),
  }),
  {
    ...reasonTexts,
    pause_until: [
      "The date on which it resumes by itself, tomorrow or later: a calendar date, or a date-time, whose date in the account's time zone counts. Null or absent: it stays paused until it is resumed.",
      "2030-01-15",
    ],
    pause_reason_id: ["The id of an active pause reason. Null or absent: none.", demoId("pause_reason", 1)],
  },
  { example: { pause_reason_id: demoId("pause_reason", 1) } },
);

export const RestartRequest = named(
  "RestartRequest",
  z.strictObject({ next_delivery_date: futureDateIn.optional() }),
  {
    next_delivery_date: [
      "The date of the next delivery, on the slot's day if there is a slot: a calendar date, or a date-time, whose date in the account's time zone counts. Tomorrow or later to resume, today or later to reactivate. Absent: the first date of its schedule from tomorrow on.",
      "2030-01-15",
    ],
  },
  { example: {} },
);

export const CancelRequest = named(
  "CancelRequest",
  z.strictObject({
    reason: reason.nullable().optional(),
    cancellation_reason_id: idIn.nullable().optional(),
  }),
  {
    ...reasonTexts,
    cancellation_reason_id: [
      "The id of an active cancellation reason. Null or absent: none.",
      demoId("cancellation_reason", 1),
    ],
  },
  { example: { cancellation_reason_id: demoId("cancellation_reason", 1) } },
);

export const ScheduleChange = named(
  "ScheduleChange",
  z.strictObject({
    next_delivery_date: futureDateIn.optional(),
    delivery_slot_id: idIn.nullable().optional(),
  }),
  {
    next_delivery_date: [
      "The new date of the next delivery, today or later, on the slot's day if there is a slot: a calendar date, or a date-time, whose date in the account's time zone counts. Absent: it stays.",
      "2030-01-15",
    ],
    delivery_slot_id: [
      "The id of an active delivery slot. Null: no slot. Absent: it stays.",
      demoId("delivery_slot", 1),
    ],
  },
  { example: { next_delivery_date: "2030-01-15", delivery_slot_id: null } },
);

const SavedAddress = named(
  "SavedAddressReference",
  z.strictObject({ delivery_address_id: idIn }),
  {
    delivery_address_id: [
      "The id of a saved delivery address of the customer.",
      demoId("delivery_address", 1),
    ],
  },
  { description: "An address that the customer has saved." },
);
const SpelledAddress = named("SubscriptionAddressInput", z.strictObject(addressFields), addressTexts, {
  description: "An address as it is written, for this subscription alone.",
});

/** The id of a saved address, or an address. */
export const AddressChange = z
  .union([SavedAddress, SpelledAddress])
  .openapi("AddressChange", { example: { delivery_address_id: demoId("delivery_address", 1) } });

const OwnMethod = named(
  "PaymentMethodReference",
  z.strictObject({ payment_method_id: idIn }),
  { payment_method_id: ["The id of a payment method of the customer.", demoId("payment_method", 1)] },
  { description: "A payment method that is known here." },
);
const StoreMethod = named(
  "StorePaymentMethodReference",
  z.strictObject({ store_payment_method_id: storeId("CustomerPaymentMethod") }),
  {
    store_payment_method_id: storeIdText(
      "The id of the customer's payment method at the connected store, 1 to 255 characters",
      "CustomerPaymentMethod",
      "pm_success",
    ),
  },
  { description: "A payment method of the store's, which is looked up there." },
);

/** A payment method of the profile by our id, or one of the store by its id. */
export const PaymentMethodChange = z
  .union([OwnMethod, StoreMethod])
  .openapi("PaymentMethodChange", { example: { store_payment_method_id: "pm_success" } });

export const DiscountCreate = named(
  "SubscriptionDiscountCreate",
  z.strictObject({
    title: text({ min: 1, max: 255 }),
    value: moneyIn,
    value_type: DiscountType,
    target_type: DiscountTarget,
    recurring_cycle_limit: z.int().min(1).max(10_000).nullable().optional(),
    discount_code: nullableText(255).optional(),
  }),
  discountTexts,
  {
    example: {
      title: "Thank you",
      value: 10,
      value_type: "PERCENTAGE",
      target_type: "ORDER",
      recurring_cycle_limit: 3,
    },
  },
);

export const UpcomingQuery = z.strictObject({
  count: queryInteger({ min: 1, max: 24, fallback: 6 }).openapi({
    description: "How many deliveries to list: 1 to 24, 6 by default.",
    example: 6,
  }),
});

export const SkipQuery = z.strictObject(pageQuery);

export const linePath = z.object({
  id: idInPath("id", "subscription", demoId("subscription", 1)),
  lineId: idInPath("lineId", "line", demoId("subscription_line", 1)),
});
export const discountPath = z.object({
  id: idInPath("id", "subscription", demoId("subscription", 2)),
  discountId: idInPath("discountId", "discount", demoId("subscription_discount", 2)),
});

function dated(what: string) {
  return dateIn.optional().openapi({
    description: `Only subscriptions ${what}: a calendar date, or a date-time, whose date in the account's time zone counts.`,
  });
}

function created(word: string) {
  return dateIn.optional().openapi({
    description: `Only subscriptions created ${word} this: a date-time, or a calendar date, which is its whole day in the account's time zone.`,
  });
}
