import { insertRows } from "../../src/base/db/bulk.ts";
import type { Value } from "../../src/base/db/port.ts";
import { demoId } from "../../src/base/demo.ts";
import type { DeliveryRhythm } from "../../src/domain/subscriptions/dates/index.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

/** Each day has a morning and an afternoon, with room for so many deliveries; slots are numbered through. */
export function demoSlotDay(slot: number): number {
  return Math.ceil(slot / windows.length);
}

const windows = [
  ["Morning", "08:00", "12:00", 40],
  ["Afternoon", "12:00", "17:00", 30],
] as const;

/** Tuesdays and Fridays, packed the day before and billed two or three days before that. */
export const demoDays: Record<number, DeliveryRhythm> = {
  1: { day_of_week: 2, packing_day_of_week: 1, billing_day_of_week: 6, courier_lead_time_days: 1 },
  2: { day_of_week: 5, packing_day_of_week: 4, billing_day_of_week: 2, courier_lead_time_days: 1 },
};

export const deliveryPart: Part = (now) => {
  const common = {
    account_seq: demoAccountSeq,
    is_active: 1,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  const days = Object.entries(demoDays).map(([day, rhythm]) => ({
    id: demoId("delivery_day", Number(day)),
    ...common,
    ...rhythm,
  }));
  const slots = [1, 2, 3, 4].map((slot): Record<string, Value> => {
    const [label, start_time, end_time, room] = windows[(slot - 1) % windows.length] ?? windows[0];
    return {
      id: demoId("delivery_slot", slot),
      ...common,
      delivery_day_id: demoId("delivery_day", demoSlotDay(slot)),
      label,
      start_time,
      end_time,
      is_all_day: 0,
      position: slot,
      cutoff_days: 2,
      cutoff_time: "18:00",
      max_deliveries_per_day: room,
    };
  });
  return [
    ...insertRows("delivery_days", days),
    ...insertRows("delivery_slots", slots),
    ...insertRows("closed_days", [christmasAfter(now)]),
  ];
};

/** The Christmas of next year, on which no subscription of the seed has a date yet. */
function christmasAfter(now: Date): Record<string, Value> {
  const year = now.getUTCFullYear() + 1;
  return {
    id: demoId("closed_day", 1),
    account_seq: demoAccountSeq,
    from_date: `${year}-12-25`,
    to_date: `${year}-12-26`,
    applies_to: JSON.stringify(["delivery", "production", "billing"]),
    slot_ids: "[]",
    rule: "later",
    label: "Christmas",
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}
