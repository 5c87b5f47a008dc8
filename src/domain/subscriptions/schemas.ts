import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import {
  dateOut,
  instant,
  instantIn,
  int64,
  intervalUnitOut,
  orNull,
} from "../../kit/http/document/params.ts";
import { dataOf, listOf } from "../../kit/http/list/pagination.ts";
import { DeliveryDayBody, DeliverySlotBody } from "../delivery/schemas.ts";
import { EntityBody } from "../entities/schemas.ts";
import { AddressOut } from "../orders/content-schemas.ts";
import { PlainOrderBody, SubscriptionStatus } from "../orders/schemas.ts";
import { PaymentMethodBody } from "../payment-methods/schemas.ts";
import { ProfileBody } from "../profiles/schemas.ts";
import { notRecorded } from "./as-of/not-recorded.ts";
import { DiscountBody } from "./lines/discount-schemas.ts";
import { LineBody } from "./lines/line-schemas.ts";
import { ReminderStatus } from "./list/list-query.ts";
import { warningCodes } from "./warnings.ts";

/** The descriptions of a subscription's fields, in both representations. */
const subscriptionTexts = {
  ...commonTexts,
  ...referenceTexts,
  number: ["The subscription's number, which people use: counted from 1001 in each account.", "1001"],
  id: ["The subscription's id.", demoId("subscription", 1)],
  status: "The subscription's state.",
  is_active: ["Whether the status is ACTIVE.", true],
  subtotal: ["The lines' totals before discounts, of the next order: major units of currency_code.", 39.95],
  discount_amount: ["What all discounts take off the next order: major units of currency_code.", 4],
  total: [
    "What the next billing charges: subtotal less discount_amount, with shipping_amount and tax_amount, and never below 0. Major units of currency_code.",
    40.9,
  ],
  shipping_amount: ["What shipping costs before discounts: major units of currency_code.", 4.95],
  tax_amount: ["Tax in the total: 0, because the store adds tax itself when it charges.", 0],
  total_revenue: ["What its paid orders came to, less refunds: major units of currency_code.", 124.7],
  billing_interval: "The unit of the interval at which the customer is charged.",
  billing_interval_count: ["How many of these units lie between two charges.", 1],
  delivery_interval: "The unit of the interval at which deliveries are made.",
  delivery_interval_count: [
    "How many of these units lie between two deliveries. A prepaid subscription delivers more often than it bills.",
    1,
  ],
  delivery_slot_valid:
    "Whether the delivery slot is still offered and the next delivery is on its day. True where there is no slot.",
  current_billing_cycle: [
    "The number of the cycle that the next billing pays for, counted from 1 in each life of the subscription.",
    4,
  ],
  can_cancel: "Whether the caller can cancel it now. A customer cannot before the plan's min_cycles.",
  min_cycles_remaining: [
    "How many more cycles of the plan's min_cycles have to be billed before the caller can cancel. 0 for staff and the merchant's keys, which are not bound.",
    0,
  ],
  can_cancel_from: [
    "The calendar date of the last of these billings, after which the caller can cancel, if nothing moves the dates; in the account's time zone. Null where min_cycles_remaining is 0, while nothing is billed, a payment is owed or billing stands still, and beyond 400 deliveries.",
    null,
  ],
  next_delivery_cutoff_at: [
    "The instant from which the customer can no longer skip, move or change the next delivery: the cut-off of its slot. Null where the slot has none, and where no delivery is to come.",
    null,
  ],
  can_change_next_delivery:
    "Whether the caller can change the next delivery now: skip or move it, change its address, instructions or lines. False for a customer from the cut-off on; staff and the merchant's keys are not bound by it.",
  can_pause: ["Whether the caller can pause it now.", true],
  can_resume: ["Whether the caller can resume it now.", false],
  can_reactivate: ["Whether the caller can reactivate it now.", false],
  can_retry_payment: [
    "Whether a payment is owed, or billing waits: retry-payment tries it at once. False while a dispute or a missing address blocks billing, and before no_charge_before.",
    false,
  ],
  is_in_dunning: ["Whether retries of a failed payment run. The status is ACTIVE all the while.", false],
  frequency_label: ["How often it is billed, in English.", "Every month"],
  payment_reminder_status: "How far the reminder of the next billing is.",
  store_contract_id: [
    "The number of its contract at the connected store; null until the store has made it, within seconds of the creation.",
    1_000_001,
  ],
  store_sync_error: ["Why the store does not agree with the subscription; null where it does.", null],
  billing_blocked_reason: [
    "Why billing stands still: the error code of the billing attempt under REVIEW, or of what the merchant or the store has to put right, after which it is tried again by itself. import_held: it was moved in and is not released. disputed: the customer disputes one of its payments, or such a dispute was lost, and a person decides (resume-billing). address_missing: the account's `require_address` is on, and the delivery address is not complete; nothing is tried until it is. Null while nothing stands in the way.",
    null,
  ],
  next_billing_date: [
    "The calendar date of the next charge by its schedule, in the account's time zone; null if none is planned. A paused subscription keeps it: what will really be charged is in its upcoming deliveries.",
    "2026-11-21",
  ],
  next_delivery_date: [
    "The calendar date of the next delivery, in the account's time zone; null if none is planned.",
    "2026-11-24",
  ],
  next_production_date: [
    "The calendar date on which the next delivery is packed, in the account's time zone; null if not planned.",
    "2026-11-23",
  ],
  no_charge_before: [
    "The calendar date before which nothing is charged, in the account's time zone: charge_from of the import that moved it in. Null for none.",
    null,
  ],
  ends_on: [
    "The calendar date on which it ends by itself, in the account's time zone: it is cancelled then, and nothing is charged from that day on. Null for none, and once it has ended.",
    null,
  ],
  ends_after_cycle: [
    "The last billing cycle that is charged, where its customer has cancelled before the minimum of cycles that was agreed on: its success ends the subscription. Null for none, and once it has ended.",
    null,
  ],
  cancelled_at: ["When it was cancelled: UTC. Null unless it is CANCELLED.", null],
  paused_at: ["When it was paused: UTC. Null unless it is PAUSED.", null],
  pause_until: [
    "The calendar date on which a pause ends by itself, in the account's time zone; nothing is charged before the day after it. Null for a pause that lasts until it is resumed, and unless it is PAUSED.",
    null,
  ],
  restart_billing_date: [
    "The calendar date of the first charge once the pause has ended by itself, in the account's time zone. Null without pause_until, and while a charge is under way.",
    null,
  ],
  cancellation_reason: [
    "Why it was cancelled: the label of the reason that was chosen, or else the caller's words. Null if nobody said, or unless it is CANCELLED.",
    null,
  ],
  cancellation_reason_id: ["The id of the cancellation reason that was given; null for none.", null],
  pause_reason: [
    "Why it was paused: the caller's words, or else the label of the reason. Null if nobody said, or unless it is PAUSED.",
    null,
  ],
  pause_reason_id: ["The id of the pause reason that was given; null for none.", null],
  payment_method_brand: ["The brand of the card that is charged; null if not known.", "visa"],
  payment_method_last4: ["The last four digits of the card that is charged; null if not known.", "4242"],
  delivery_instructions: ["What the courier is told, at most 10,000 bytes; null for nothing.", "Ring twice"],
  delivery_address: "Where it delivers; null if the customer has given no whole address.",
  store_origin_order_id: [
    "The plain id of the store's order by which the customer subscribed at the store's checkout; null for others.",
    null,
  ],
  migration_source_ref: [
    "What the subscription was called in the system that it comes from, at most 255 characters; null for none.",
    "legacy-4711",
  ],
  note: ["A note of the merchant's, at most 10,000 bytes; null for none, and for the customer.", null],
  custom_attributes: ["An object of the caller's own, stored as it is; null for none.", { source: "quiz" }],
  payment_day_of_week: [
    "The day of the week of next_billing_date: 1 is Monday, 7 is Sunday (ISO 8601). Null where that is null.",
    6,
  ],
  last_payment_reminder_sent_at: [
    "When the last reminder was accepted: UTC. Null if never, or while the one that is shown is DUE.",
    null,
  ],
  last_payment_reminder_billing_date: [
    "The calendar date of the billing that the last reminder is about; null if there was none.",
    null,
  ],
  discounts: "Every discount that was given to it, in the order in which they were applied.",
  lines: "What it delivers.",
  has_shipping_discount: "Whether an active discount reduces the shipping.",
  entity_label: ["The entity's name when the subscription was made; null for none.", "Biscuit"],
  current_dunning_episode: ["The id of the open dunning episode; null while no payment is owed.", null],
  profile: "The customer.",
  delivery_day: "The day of the delivery slot; null where deliveries have no slot.",
  delivery_slot: "The slot in which it delivers; null where deliveries have no slot.",
  entity: "The entity that it is for; absent for none.",
  entities: "The entity that it is for, as a list of one; empty for none.",
} as const satisfies Record<string, FieldText>;

/** The fields of both representations. */
const common = {
  number: z.string(),
  id: idOut,
  status: SubscriptionStatus,
  is_active: z.boolean(),
  account_id: idOut,
  profile_id: idOut,
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
  store_sync_error: z.string().nullable(),
  billing_blocked_reason: z.string().nullable(),
  next_billing_date: dateOut.nullable(),
  next_delivery_date: dateOut.nullable(),
  next_production_date: dateOut.nullable(),
  no_charge_before: dateOut.nullable(),
  ends_on: dateOut.nullable(),
  ends_after_cycle: z.int().nullable(),
  cancelled_at: instant.nullable(),
  paused_at: instant.nullable(),
  pause_until: dateOut.nullable(),
  restart_billing_date: dateOut.nullable(),
  cancellation_reason: z.string().nullable(),
  cancellation_reason_id: idOut.nullable(),
  pause_reason: z.string().nullable(),
  pause_reason_id: idOut.nullable(),
  payment_method_brand: z.string().nullable(),
  payment_method_last4: z.string().nullable(),
  delivery_slot_id: idOut.nullable(),
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
  current_dunning_episode: idOut.nullable(),
  profile: ProfileBody,
  delivery_day: orNull(DeliveryDayBody),
  delivery_slot: orNull(DeliverySlotBody),
  entities: z.array(EntityBody),
  created_at: instant,
  updated_at: instant,
};

/** The full representation of one subscription. */
export const SubscriptionBody = named(
  "Subscription",
  z.strictObject({
    ...common,
    shipping_amount: moneyOut,
    tax_amount: moneyOut,
    lines: z.array(LineBody),
    delivery_interval: intervalUnitOut,
    delivery_interval_count: z.int(),
    has_shipping_discount: z.boolean(),
    total_revenue: moneyOut,
    last_order: idOut.nullable(),
    min_cycles_remaining: z.int(),
    can_cancel_from: dateOut.nullable(),
    next_delivery_cutoff_at: instant.nullable(),
    can_change_next_delivery: z.boolean(),
  }),
  {
    ...subscriptionTexts,
    last_order: ["The id of its latest order; null before the first.", demoId("order", 1)],
  },
  { description: "A recurring order of a customer: what is delivered, how often, and how it is paid for." },
);

/** The representation in lists. It has entity where the subscription has one. */
export const SubscriptionItem = named(
  "SubscriptionListItem",
  z.strictObject({ ...common, last_order: orNull(PlainOrderBody), entity: EntityBody.optional() }),
  { ...subscriptionTexts, last_order: "Its latest order; null before the first." },
  { description: "A subscription as lists show it: without its lines, but with its latest order." },
);

export const SubscriptionData = dataOf(SubscriptionBody, "SubscriptionData", "The subscription.");

type Full = typeof SubscriptionBody.shape;
type OrNull<Field extends z.ZodType> = z.ZodUnion<[Field, z.ZodNull]>;

const unknownThen = Object.fromEntries(
  notRecorded.map((name) => {
    const field: z.ZodType = SubscriptionBody.shape[name];
    return [name, field.safeParse(null).success ? field : orNull(field)];
  }),
) as { [Name in (typeof notRecorded)[number]]: OrNull<Full[Name]> };

const SubscriptionThen = named(
  "SubscriptionThen",
  z.strictObject({ ...SubscriptionBody.shape, ...unknownThen }),
  {
    ...subscriptionTexts,
    last_order: ["Always null: the history does not say it.", null],
  },
  { description: "A subscription as it was. Fields that its history does not say are null." },
);

const AsOfMeta = named(
  "AsOf",
  z.strictObject({ as_of: instant, not_recorded: z.array(z.string()) }),
  {
    as_of: ["The instant at which it was so: UTC.", "2026-11-20T12:00:00.000Z"],
    not_recorded: ["The names of the fields that the history does not say.", ["can_cancel"]],
  },
  { description: "The instant of an answer about the past." },
);

export const SubscriptionAsOf = named(
  "SubscriptionAsOf",
  z.strictObject({ data: SubscriptionThen, meta: AsOfMeta }),
  { data: "The subscription as it was.", meta: "When that was, and what is not known of it." },
  { description: "The answer to a request with `as_of`." },
);

/** A subscription as it is, or with as_of as it was. */
export const SubscriptionRead = z.union([SubscriptionData, SubscriptionAsOf]).openapi("SubscriptionRead");

export const SubscriptionReadQuery = z.strictObject({
  as_of: instantIn.optional().openapi({
    description:
      "As it was at this instant, by its history. Fields that the history does not say are null and named in meta.not_recorded. Refused with 409 where more than 5,000 entries are newer.",
  }),
});
export const SubscriptionList = listOf(SubscriptionItem, "SubscriptionList");

const CreationWarning = named(
  "CreationWarning",
  z.strictObject({ code: z.enum(warningCodes), message: z.string(), subscription_id: idOut }),
  {
    code: "What it is about. address_missing: the delivery address is not complete. province_unknown: the store needs its province, and knows none of that name.",
    message: ["The warning in words.", "The delivery address is not complete without zip"],
    subscription_id: ["The id of the subscription.", demoId("subscription", 1)],
  },
  { description: "Something to look at in a subscription that was created." },
);

export const SubscriptionsCreated = named(
  "SubscriptionsCreated",
  z.strictObject({
    ids: z.array(idOut),
    data: z.array(SubscriptionBody).optional(),
    warnings: z.array(CreationWarning).optional(),
  }),
  {
    ids: ["The ids of the new subscriptions; empty for a dry run.", [demoId("subscription", 1)]],
    data: "For a dry run: the subscriptions as they would be. Absent otherwise.",
    warnings: "What to look at in the new subscriptions; absent where there is nothing.",
  },
);

const InstructionsOfAll = named(
  "DeliveryInstructionsOfAll",
  z.strictObject({ updated: z.int(), subscription_ids: z.array(idOut) }),
  {
    updated: ["How many subscriptions were changed.", 1],
    subscription_ids: ["The ids of those that were changed.", [demoId("subscription", 1)]],
  },
  { description: "The subscriptions of a customer that were changed together." },
);

export const SubscriptionsSwitched = named(
  "SubscriptionsSwitched",
  z.strictObject({ updated: z.int(), subscription_ids: z.array(idOut) }),
  {
    updated: ["How many subscriptions have the payment method now.", 1],
    subscription_ids: ["Their ids.", [demoId("subscription", 1)]],
  },
  { description: "The living subscriptions of a customer, which have one payment method." },
);

/** The subscription, or with update_all_active the ids of those that were changed. */
export const InstructionsChanged = dataOf(
  z.union([SubscriptionBody, InstructionsOfAll]),
  "DeliveryInstructionsChanged",
  "The subscription; with update_all_active the ids of those that were changed.",
);

export const Rescheduled = named(
  "Rescheduled",
  z.strictObject({ data: SubscriptionBody, following_delivery_date: dateOut.nullable() }),
  {
    data: "The changed subscription.",
    following_delivery_date: [
      "The date of the delivery after the next one; null where none follows, or where that depends on a payment that is owed or on the end of a pause.",
      "2030-02-15",
    ],
  },
);

const MethodChoice = named(
  "PaymentMethodChoice",
  z.strictObject({ current: orNull(PaymentMethodBody), alternatives: z.array(PaymentMethodBody) }),
  {
    current: "The payment method that is charged; null if the store has named none.",
    alternatives: "The customer's other payment methods, without those that are REVOKED.",
  },
);

export const PaymentMethods = dataOf(
  MethodChoice,
  "SubscriptionPaymentMethods",
  "The payment method in use, and those that it could be switched to.",
);
