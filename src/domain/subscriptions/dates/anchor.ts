import { addMonths, type CalendarDate, dayOfMonth, toDate, toDay } from "../../../base/lib/time/calendar.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import type { Subscription } from "../tables.ts";
import { deliveryOf } from "./cadence.ts";

type Anchor = Pick<Subscription, "anchor_date" | "anchor_day">;
type Counted = Anchor & Pick<Subscription, "delivery_interval">;

/**
 * The anchor of a schedule that is counted from this delivery on. In months and years it keeps its day of the month where that falls on the
 * delivery: 28 February is the 31st too, and in a slot so is the slot's first day after it. Any other day of the month is a new one.
 */
export function anchorFrom(
  row: Counted,
  delivery: CalendarDate,
  slot: SlotWithDay | undefined,
  { delivery_interval = row.delivery_interval }: Partial<Pick<Subscription, "delivery_interval">> = {},
): Anchor {
  const day = row.anchor_day ?? dayOfMonth(row.anchor_date);
  const interval = { unit: "MONTH", count: 1 } as const;
  const kept = [0, -1]
    .map((months) => toDate(addMonths(toDay(delivery), months, day)))
    .find((anchor) => deliveryOf({ anchor, interval, rhythm: slot?.day }, 0) === delivery);
  if (kept === undefined || !isOfMonths(row) || !isOfMonths({ delivery_interval }))
    return { anchor_date: delivery, anchor_day: null };
  return { anchor_date: kept, anchor_day: dayOfMonth(kept) === day ? null : day };
}

export function isOfMonths({ delivery_interval: unit }: Pick<Subscription, "delivery_interval">): boolean {
  return unit === "MONTH" || unit === "YEAR";
}
