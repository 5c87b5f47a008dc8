import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { countWithinUnit, notBoth } from "../../kit/http/document/field-rules.ts";
import { addressTexts, referenceTexts, storeIdText } from "../../kit/http/document/fields.ts";
import { intervalIn } from "../../kit/http/document/interval.ts";
import {
  boundedText,
  freeForm,
  futureDateIn,
  idIn,
  nullableText,
  orNull,
  storeId,
} from "../../kit/http/document/params.ts";
import { addressFields, requiredOfAddress } from "../profiles/address-schemas.ts";
import { withKnownCountry } from "../profiles/country.ts";
import { ConsentRequest } from "./consents/schemas.ts";
import { exampleLine, NewLine } from "./lines/line-schemas.ts";

const SpelledAddress = withKnownCountry(
  named("SubscriptionAddressInput", z.strictObject(addressFields), addressTexts, {
    description: "An address as it is written, for this subscription alone.",
    required: requiredOfAddress,
  }),
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
    delivery_address: orNull(SpelledAddress).optional(),
    note: boundedText().nullable().optional(),
    migration_source_ref: nullableText(255).optional(),
    custom_attributes: freeForm.nullable().optional(),
    consent: ConsentRequest.optional(),
  }),
  {
    profile_id: referenceTexts.profile_id,
    store_payment_method_id: [
      "The id of the customer's payment method at the connected store, plain, such as 4a7b, or as gid://shopify/CustomerPaymentMethod/4a7b. The sandbox store takes any; `pm_success` is charged at once, others answer as test cards do.",
      "pm_success",
    ],
    next_delivery_date: [
      "The date of the first delivery: from today to ten years ahead, on the slot's day if there is a slot. A calendar date, or a date-time, whose date in the account's time zone counts.",
      "2030-01-15",
    ],
    lines:
      "What is delivered: 1 to 250 lines. Those for different entities or intervals become several subscriptions.",
    delivery_slot_id: [
      "The id of an active delivery slot. Null or absent: deliveries have no slot, and are billed on their date.",
      null,
    ],
    delivery_address_id: [
      "The id of a saved delivery address of the profile. Null or absent: `delivery_address`, or the profile's own address.",
      null,
    ],
    delivery_address: "The address itself, for these subscriptions alone. Not beside delivery_address_id.",
    note: ["A note of the merchant's, at most 10,000 bytes. Null or absent: none.", null],
    migration_source_ref: [
      "What the subscription was called in the system that it comes from, at most 255 characters. While a subscription with it is ACTIVE, PAUSED or PAYMENT_FAILED, a second creation is refused (INVALID_STATE, with the id of that one). Null, absent or empty: nothing.",
      "legacy-4711",
    ],
    custom_attributes: [
      "An object of the caller's own, stored as it is: at most 16,000 bytes as JSON. Null or absent: none.",
      { source: "quiz" },
    ],
    consent: "The customer's consent, which is kept. Absent: none.",
  },
  {
    dependentSchemas: notBoth("delivery_address", "delivery_address_id"),
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
  intervalIn,
  {
    interval: "The unit of the new interval between two charges.",
    interval_count: ["How many of these units: at most 365 days, 52 weeks, 24 months or 3 years.", 2],
  },
  {
    dependentSchemas: countWithinUnit("interval", "interval_count"),
    example: { interval: "WEEK", interval_count: 2 },
  },
);

export const InstructionsChange = named(
  "DeliveryInstructionsChange",
  z.strictObject({ delivery_instructions: boundedText(), update_all_active: z.boolean().optional() }),
  {
    delivery_instructions: [
      "What the courier is told, at most 10,000 bytes, from customers 1,000; an empty text for nothing.",
      "Leave it with the neighbour",
    ],
    update_all_active: "Whether to change every active subscription of the customer. False by default.",
  },
  { example: { delivery_instructions: "Leave it with the neighbour" } },
);

/** Which deliveries a new date moves: the next one alone, or those after it too. */
const rescheduleScopes = ["this", "following"] as const;

export const ScheduleChange = named(
  "ScheduleChange",
  z.strictObject({
    next_delivery_date: futureDateIn.optional(),
    delivery_slot_id: idIn.nullable().optional(),
    scope: z.enum(rescheduleScopes).optional(),
  }),
  {
    next_delivery_date: [
      "The new date of the next delivery, from today to ten years ahead, on the slot's day if there is a slot: a calendar date, or a date-time, whose date in the account's time zone counts. Absent: it stays.",
      "2030-01-15",
    ],
    delivery_slot_id: [
      "The id of an active delivery slot. Null: no slot. Absent: it stays.",
      demoId("delivery_slot", 1),
    ],
    scope: [
      "Which deliveries the date moves. `following`: this one and all that follow, which are counted from it; the default. `this`: this one alone, to before the day of the one after it; the others keep their days, and the slot stays.",
      "following",
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
/** The id of a saved address, or an address. */
export const AddressChange = z
  .union([SavedAddress, SpelledAddress])
  .openapi("AddressChange", { example: { delivery_address_id: demoId("delivery_address", 1) } });

const updateAllText =
  "Whether to switch every living subscription of the customer, all or none. False by default.";
const OwnMethod = named(
  "PaymentMethodReference",
  z.strictObject({ payment_method_id: idIn, update_all: z.boolean().optional() }),
  {
    payment_method_id: ["The id of a payment method of the customer.", demoId("payment_method", 1)],
    update_all: updateAllText,
  },
  { description: "A payment method that is known here." },
);
const StoreMethod = named(
  "StorePaymentMethodReference",
  z.strictObject({
    store_payment_method_id: storeId("CustomerPaymentMethod"),
    update_all: z.boolean().optional(),
  }),
  {
    store_payment_method_id: storeIdText(
      "The id of the customer's payment method at the connected store, 1 to 255 characters",
      "CustomerPaymentMethod",
      "pm_success",
    ),
    update_all: updateAllText,
  },
  { description: "A payment method of the store's, which is looked up there." },
);

/** A payment method of the profile by our id, or one of the store by its id. */
export const PaymentMethodChange = z
  .union([OwnMethod, StoreMethod])
  .openapi("PaymentMethodChange", { example: { store_payment_method_id: "pm_success" } });
