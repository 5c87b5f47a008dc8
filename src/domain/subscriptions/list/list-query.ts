import { z } from "@hono/zod-openapi";
import { demoId, demoPlanIds } from "../../../base/demo.ts";
import {
  dateFilter,
  dateIn,
  idIn,
  queryBoolean,
  queryList,
  searchText,
  sortDirection,
  storeIdQuery,
  text,
} from "../../../kit/http/document/params.ts";
import { pageQuery } from "../../../kit/http/list/pagination.ts";
import { reminderStatuses, subscriptionStatuses } from "../tables.ts";

export const ReminderStatus = z.enum(reminderStatuses).openapi("PaymentReminderStatus", {
  description:
    "The reminder of the next billing. NONE: none is due. DUE: the event subscription.payment_reminder_due was recorded, and nobody has accepted it yet. SENT: a webhook endpoint that names this type, or the provider of mails, has accepted it.",
});

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
  migration_source_ref: text({ min: 1, max: 255 }).optional().openapi({
    description: "Only subscriptions with exactly this migration_source_ref: 1 to 255 characters.",
    example: "legacy-4711",
  }),
  store_variant_id: storeIdQuery("ProductVariant").optional().openapi({
    description:
      "Only subscriptions with a line of this variant at the connected store: its plain id, such as 456, or gid://shopify/ProductVariant/456.",
    example: "variant-1",
  }),
  selling_plan_id: storeIdQuery("SellingPlan").optional().openapi({
    description:
      "Only subscriptions with a line on this selling plan: the plan's id, plain or as gid://shopify/SellingPlan/789.",
    example: demoPlanIds.monthly,
  }),
  delivery_slot_id: ofRecord("delivered in this slot", demoId("delivery_slot", 1)),
  billing_blocked: queryBoolean.optional().openapi({
    param: {
      description:
        "Only subscriptions whose billing is held up (billing_blocked_reason is not null), or only others.",
    },
  }),
  card_expires_before: dateFilter("subscriptions paid with a card that expires before this date"),
  updated_after: dateIn.optional().openapi({
    description:
      "Only subscriptions changed after this: a date-time, or a calendar date, which is its whole day in the account's time zone.",
  }),
  search: searchText("SubscriptionContract").optional().openapi({
    description:
      "Part of the number, the store's contract id, or the customer's e-mail, name, phone number, postal code or city, in any case and with or without apostrophes: 1 to 256 characters.",
    example: "1001",
  }),
  failed_payment: queryBoolean.optional().openapi({
    param: {
      description:
        "Only subscriptions whose payment has failed (in dunning, or PAYMENT_FAILED), or only others.",
    },
  }),
  payment_reminder_status: ReminderStatus.optional().openapi({
    param: {
      description:
        "Only subscriptions with this payment_reminder_status: NONE, DUE (the reminder of the next billing is due, and nobody has accepted it yet) or SENT.",
      example: "DUE",
    },
  }),
  next_billing_before: describedDate("billed next before this date"),
  next_billing_after: describedDate("billed next after this date"),
  next_delivery_before: describedDate("delivered next before this date"),
  next_delivery_after: describedDate("delivered next after this date"),
  next_production_before: describedDate("packed next before this date"),
  next_production_after: describedDate("packed next after this date"),
  created_before: createdFilter("before"),
  created_after: createdFilter("after"),
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

function ofRecord(what: string, example: string) {
  return idIn.optional().openapi({ description: `Only subscriptions ${what}.`, example });
}

function describedDate(what: string) {
  return dateFilter(`subscriptions ${what}`);
}

function createdFilter(word: string) {
  return dateIn.optional().openapi({
    description: `Only subscriptions created ${word} this: a date-time, or a calendar date, which is its whole day in the account's time zone.`,
  });
}
