import { z } from "@hono/zod-openapi";
import { instant } from "../http/params.ts";

/** INTERFACE: Delivery slot. */
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
