import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { idIn, instant, text } from "../../kit/http/document/params.ts";
import { changedOf, dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";

const weekday = z
  .int()
  .min(1)
  .max(7)
  .openapi({ description: "ISO 8601: 1 = Monday … 7 = Sunday.", example: 2 });
const leadTime = z.int().min(0).max(365);
const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time, HH:MM")
  .openapi({ example: "08:00" });

/** The descriptions of a delivery day's fields, in requests and responses. */
const dayTexts = {
  ...commonTexts,
  id: ["The delivery day's id.", demoId("delivery_day", 1)],
  day_of_week: ["The day on which deliveries are made: 1 is Monday, 7 is Sunday (ISO 8601).", 2],
  packing_day_of_week: [
    "The day on which deliveries are packed, 1 to 7: the last such day that leaves the courier's lead time. Null: no packing day is planned.",
    1,
  ],
  billing_day_of_week: [
    "The day on which customers are charged, 1 to 7: the last such day on or before packing, or before delivery where nothing is packed. Null: on that date itself.",
    6,
  ],
  courier_lead_time_days: [
    "How many days the courier needs at least between packing and delivery, 0 to 365. Null: 0.",
    1,
  ],
  is_active:
    "Whether the store delivers on the day; the slots of an inactive day cannot be chosen. True by default.",
} as const satisfies Record<string, FieldText>;

/** A day of the week on which the merchant delivers. */
export const DeliveryDayBody = named(
  "DeliveryDay",
  z.strictObject({
    id: idOut,
    delivery_configuration_id: idOut,
    day_of_week: weekday,
    day_name: z.string(),
    packing_day_of_week: weekday.nullable(),
    packing_day_name: z.string().nullable(),
    billing_day_of_week: weekday.nullable(),
    billing_day_name: z.string().nullable(),
    courier_lead_time_days: leadTime.nullable(),
    is_active: z.boolean(),
    created_at: instant,
    updated_at: instant,
  }),
  {
    ...dayTexts,
    delivery_configuration_id: [
      "The id of the account: each account has one delivery configuration.",
      demoId("account", 1),
    ],
    day_name: ["The English name of day_of_week.", "Tuesday"],
    packing_day_name: ["The English name of packing_day_of_week; null where that is null.", "Monday"],
    billing_day_name: ["The English name of billing_day_of_week; null where that is null.", "Saturday"],
  },
  { description: "A day of the week on which the store delivers, and when it packs and charges for it." },
);

/** The descriptions of a delivery slot's fields, in requests and responses. */
const slotTexts = {
  ...commonTexts,
  id: ["The slot's id.", demoId("delivery_slot", 1)],
  delivery_day_id: ["The id of the delivery day that the slot is on.", demoId("delivery_day", 1)],
  label: ["What customers see, 1 to 255 characters.", "Morning"],
  start_time: ["When the slot begins, in the account's time zone: HH:MM, 00:00 to 23:59.", "08:00"],
  end_time: ["When the slot ends, in the account's time zone: HH:MM, 00:00 to 23:59.", "12:00"],
  is_all_day: "Whether the slot is the whole day, whatever its times say. False by default.",
  position: ["The slot's place where it is shown with others, smallest first. 0 by default.", 1],
  is_active: "Whether subscriptions can choose the slot. True by default.",
  cutoff_days: [
    "How many days before a delivery customers can no longer change it, 0 to 14. Staff and keys still can. Null: there is no cut-off.",
    2,
  ],
  cutoff_time: [
    "The time of that day from which customers can no longer change the delivery, in the account's time zone: HH:MM, 00:00 to 23:59. Null: 00:00. Without cutoff_days it counts for nothing.",
    "18:00",
  ],
  max_deliveries_per_day: [
    "How many deliveries the slot has room for on one day, 1 to 1,000,000: next deliveries of active subscriptions, and orders that are not cancelled. A full day is refused where somebody chooses it; a renewal that the schedule brings there is still made. Null: there is no bound.",
    40,
  ],
} as const satisfies Record<string, FieldText>;

/** A span of hours of a delivery day. */
export const DeliverySlotBody = named(
  "DeliverySlot",
  z.strictObject({
    id: idOut,
    delivery_day_id: idOut,
    label: z.string(),
    start_time: z.string(),
    end_time: z.string(),
    is_all_day: z.boolean(),
    position: z.int(),
    is_active: z.boolean(),
    cutoff_days: z.int().nullable(),
    cutoff_time: z.string().nullable(),
    max_deliveries_per_day: z.int().nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  slotTexts,
  { description: "Hours of a delivery day at which deliveries arrive." },
);

export const DeliveryDayData = dataOf(DeliveryDayBody, "DeliveryDayData", "The delivery day.");
export const DeliveryDayChanged = changedOf(DeliveryDayBody, "DeliveryDayChanged", "The delivery day.");
export const DeliveryDayList = listOf(DeliveryDayBody, "DeliveryDayList");
export const DeliverySlotData = dataOf(DeliverySlotBody, "DeliverySlotData", "The delivery slot.");
export const DeliverySlotChanged = changedOf(DeliverySlotBody, "DeliverySlotChanged", "The delivery slot.");
export const DeliverySlotList = listOf(DeliverySlotBody, "DeliverySlotList");
export const DeliveryQuery = z.strictObject(pageQuery);

const dayFields = {
  packing_day_of_week: weekday.nullable().optional(),
  billing_day_of_week: weekday.nullable().optional(),
  courier_lead_time_days: leadTime.nullable().optional(),
  is_active: z.boolean().optional(),
};

export const DeliveryDayCreate = named(
  "DeliveryDayCreate",
  z.strictObject({ day_of_week: weekday, ...dayFields }),
  dayTexts,
  {
    example: { day_of_week: 4, packing_day_of_week: 3, billing_day_of_week: 1, courier_lead_time_days: 1 },
  },
);
export const DeliveryDayUpdate = named(
  "DeliveryDayUpdate",
  z.strictObject({ day_of_week: weekday.optional(), ...dayFields }),
  {
    ...dayTexts,
    is_active: "Whether the store delivers on the day; the slots of an inactive day cannot be chosen.",
  },
  {
    description: "Fields that are absent stay as they are; null clears one.",
    example: { courier_lead_time_days: 2 },
  },
);

const slotFields = {
  is_all_day: z.boolean().optional(),
  position: z.int().min(0).max(2_147_483_647).optional(),
  is_active: z.boolean().optional(),
  cutoff_days: z.int().min(0).max(14).nullable().optional(),
  cutoff_time: timeOfDay.nullable().optional(),
  max_deliveries_per_day: z.int().min(1).max(1_000_000).nullable().optional(),
};
const label = text({ min: 1, max: 255 });

export const DeliverySlotCreate = named(
  "DeliverySlotCreate",
  z.strictObject({
    delivery_day_id: idIn,
    label,
    start_time: timeOfDay,
    end_time: timeOfDay,
    ...slotFields,
  }),
  slotTexts,
  {
    example: {
      delivery_day_id: demoId("delivery_day", 1),
      label: "Evening",
      start_time: "17:00",
      end_time: "21:00",
      cutoff_days: 2,
      cutoff_time: "18:00",
      max_deliveries_per_day: 40,
    },
  },
);
export const DeliverySlotUpdate = named(
  "DeliverySlotUpdate",
  z.strictObject({
    delivery_day_id: idIn.optional(),
    label: label.optional(),
    start_time: timeOfDay.optional(),
    end_time: timeOfDay.optional(),
    ...slotFields,
  }),
  {
    ...slotTexts,
    is_all_day: "Whether the slot is the whole day, whatever its times say.",
    position: ["The slot's place where it is shown with others, smallest first.", 1],
    is_active: "Whether subscriptions can choose the slot.",
  },
  {
    description: "Fields that are absent stay as they are; null clears one.",
    example: { label: "Early morning" },
  },
);

export type NewDeliveryDay = z.output<typeof DeliveryDayCreate>;
export type DeliveryDayChanges = z.output<typeof DeliveryDayUpdate>;
export type NewDeliverySlot = z.output<typeof DeliverySlotCreate>;
export type DeliverySlotChanges = z.output<typeof DeliverySlotUpdate>;
