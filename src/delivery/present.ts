import type { z } from "@hono/zod-openapi";
import type { DeliverySlotBody } from "./schemas.ts";
import type { DeliverySlot } from "./tables.ts";

export const presentDeliverySlot = (row: DeliverySlot): z.input<typeof DeliverySlotBody> => ({
  id: row.id,
  delivery_day_id: row.delivery_day_id,
  label: row.label,
  start_time: row.start_time,
  end_time: row.end_time,
  is_all_day: row.is_all_day === 1,
  position: row.position,
  is_active: row.is_active === 1,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
