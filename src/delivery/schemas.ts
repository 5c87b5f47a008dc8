import { z } from "@hono/zod-openapi";
import { demoId } from "../demo.ts";
import { listOf, pageQuery } from "../http/pagination.ts";
import { idIn, instant, text } from "../http/params.ts";

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

/** A day of the week on which the merchant delivers. */
export const DeliveryDayBody = z
  .strictObject({
    id: z.string(),
    delivery_configuration_id: z
      .string()
      .openapi({ description: "The account: each has one configuration." }),
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
  })
  .openapi("DeliveryDay");

/** A span of hours of a delivery day. */
export const DeliverySlotBody = z
  .strictObject({
    id: z.string(),
    delivery_day_id: z.string(),
    label: z.string(),
    start_time: z.string(),
    end_time: z.string(),
    is_all_day: z.boolean(),
    position: z.int(),
    is_active: z.boolean(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("DeliverySlot");

export const DeliveryDayData = z.strictObject({ data: DeliveryDayBody }).openapi("DeliveryDayData");
export const DeliveryDayList = listOf(DeliveryDayBody, "DeliveryDayList");
export const DeliverySlotData = z.strictObject({ data: DeliverySlotBody }).openapi("DeliverySlotData");
export const DeliverySlotList = listOf(DeliverySlotBody, "DeliverySlotList");
export const DeliveryQuery = z.strictObject(pageQuery);

const dayFields = {
  packing_day_of_week: weekday.nullable().optional(),
  billing_day_of_week: weekday.nullable().optional(),
  courier_lead_time_days: leadTime.nullable().optional(),
  is_active: z.boolean().optional(),
};

export const DeliveryDayCreate = z
  .strictObject({ day_of_week: weekday, ...dayFields })
  .openapi("DeliveryDayCreate", {
    example: { day_of_week: 4, packing_day_of_week: 3, billing_day_of_week: 1, courier_lead_time_days: 1 },
  });
export const DeliveryDayUpdate = z
  .strictObject({ day_of_week: weekday.optional(), ...dayFields })
  .openapi("DeliveryDayUpdate", { example: { courier_lead_time_days: 2 } });

const slotFields = {
  is_all_day: z.boolean().optional(),
  position: z.int().min(0).max(2_147_483_647).optional(),
  is_active: z.boolean().optional(),
};
const label = text({ min: 1, max: 255 });

export const DeliverySlotCreate = z
  .strictObject({
    delivery_day_id: idIn,
    label,
    start_time: timeOfDay,
    end_time: timeOfDay,
    ...slotFields,
  })
  .openapi("DeliverySlotCreate", {
    example: {
      delivery_day_id: demoId("delivery_day", 1),
      label: "Evening",
      start_time: "17:00",
      end_time: "21:00",
    },
  });
export const DeliverySlotUpdate = z
  .strictObject({
    delivery_day_id: idIn.optional(),
    label: label.optional(),
    start_time: timeOfDay.optional(),
    end_time: timeOfDay.optional(),
    ...slotFields,
  })
  .openapi("DeliverySlotUpdate", { example: { label: "Early morning" } });

export type NewDeliveryDay = z.output<typeof DeliveryDayCreate>;
export type DeliveryDayChanges = z.output<typeof DeliveryDayUpdate>;
export type NewDeliverySlot = z.output<typeof DeliverySlotCreate>;
export type DeliverySlotChanges = z.output<typeof DeliverySlotUpdate>;
