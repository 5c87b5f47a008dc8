import type { z } from "@hono/zod-openapi";
import type { Account } from "../../base/accounts/tables.ts";
import type { DeliveryDayBody, DeliverySlotBody } from "./schemas.ts";
import type { DeliveryDay, DeliverySlot } from "./tables.ts";

export function presentDeliveryDay(
  row: DeliveryDay,
  account: Pick<Account, "id">,
): z.input<typeof DeliveryDayBody> {
  return {
    id: row.id,
    delivery_configuration_id: account.id,
    day_of_week: row.day_of_week,
    day_name: dayName(row.day_of_week),
    packing_day_of_week: row.packing_day_of_week,
    packing_day_name: row.packing_day_of_week === null ? null : dayName(row.packing_day_of_week),
    billing_day_of_week: row.billing_day_of_week,
    billing_day_name: row.billing_day_of_week === null ? null : dayName(row.billing_day_of_week),
    courier_lead_time_days: row.courier_lead_time_days,
    is_active: row.is_active === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function presentDeliverySlot(row: DeliverySlot): z.input<typeof DeliverySlotBody> {
  return {
    id: row.id,
    delivery_day_id: row.delivery_day_id,
    label: row.label,
    start_time: row.start_time,
    end_time: row.end_time,
    is_all_day: row.is_all_day === 1,
    position: row.position,
    is_active: row.is_active === 1,
    cutoff_days: row.cutoff_days,
    cutoff_time: row.cutoff_time,
    max_deliveries_per_day: row.max_deliveries_per_day,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

function dayName(weekday: number): string {
  return dayNames[weekday - 1] ?? "";
}
