import { insertRows } from "../../src/db/bulk.ts";
import type { Value } from "../../src/db/client.ts";
import { demoId } from "../../src/demo.ts";
import type { Part } from "./index.ts";

const windows = [
  ["Morning", "08:00", "12:00"],
  ["Afternoon", "12:00", "17:00"],
] as const;

/** Tuesdays and Fridays, packed the day before and billed two days before that, each with a morning and an afternoon. */
export const deliveryPart: Part = (now) => {
  const common = {
    account_id: demoId("account", 1),
    is_active: 1,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  const days = [2, 5].map((day_of_week, index) => ({
    id: demoId("delivery_day", index + 1),
    ...common,
    day_of_week,
    packing_day_of_week: day_of_week - 1,
    billing_day_of_week: day_of_week === 2 ? 6 : 2,
    courier_lead_time_days: 1,
  }));
  const slots = days.flatMap((day, dayIndex) =>
    windows.map(
      ([label, start_time, end_time], index): Record<string, Value> => ({
        id: demoId("delivery_slot", dayIndex * windows.length + index + 1),
        ...common,
        delivery_day_id: day.id,
        label,
        start_time,
        end_time,
        is_all_day: 0,
        position: index,
      }),
    ),
  );
  return [...insertRows("delivery_days", days), ...insertRows("delivery_slots", slots)];
};
