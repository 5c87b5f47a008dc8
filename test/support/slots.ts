import fc from "fast-check";
import type { SlotWithDay } from "../../src/domain/delivery/queries.ts";
import type { Calendar } from "../../src/domain/subscriptions/dates/index.ts";

/** A delivery slot on a day of the week, with its packing day, billing day and lead time where it has them. */
export function slotOn(
  day_of_week: number,
  packing: number | null = null,
  billing: number | null = null,
  lead: number | null = null,
) {
  return {
    id: "slot",
    day: {
      day_of_week,
      packing_day_of_week: packing,
      billing_day_of_week: billing,
      courier_lead_time_days: lead,
    },
  } as SlotWithDay;
}

/** The calendar of a subscription in a slot, or in none, whose account has no closed days. */
export function calendarIn(slot: SlotWithDay | undefined, today = "2000-01-01"): Calendar {
  return { slot, closed: [], today };
}

const weekday = fc.integer({ min: 1, max: 7 });

/** Any delivery slot, or none. */
export const aSlot: fc.Arbitrary<SlotWithDay | undefined> = fc.option(
  fc
    .tuple(weekday, fc.option(weekday), fc.option(weekday), fc.option(fc.nat(10)))
    .map((days) => slotOn(...days)),
  { nil: undefined },
);
