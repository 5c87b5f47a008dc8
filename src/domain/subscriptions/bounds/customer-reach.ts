import { customerSettings, longestPauseDays } from "../../../base/accounts/portal-settings.ts";
import { invalid } from "../../../base/errors.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { dayOfSingleMove, deliveryOf, nthDelivery, scheduleOf } from "../dates/index.ts";
import type { Subscription } from "../tables.ts";

type Scheduled = Pick<
  Subscription,
  | "anchor_date"
  | "anchor_day"
  | "next_index"
  | "scheduled_index"
  | "scheduled_delivery_date"
  | "next_delivery_date"
  | "delivery_interval"
  | "delivery_interval_count"
>;

type Delivered = { row: Scheduled; slot: SlotWithDay | undefined };

/**
 * A customer's next delivery lies at most the longest pause and one delivery interval ahead, whatever moves it. Slots and closed days move it
 * after that. A date that does not move later is left, wherever the merchant has put it. Throws VALIDATION_FAILED at `path`.
 */
export function requireWithinReach(
  ctx: Pick<Ctx, "account" | "actor">,
  { before, after }: { before: Delivered; after: Delivered & { today: CalendarDate } },
  path: string,
): void {
  const settings = customerSettings(ctx);
  if (!settings) return;
  const planned = laterDelivery(before, after);
  if (planned === undefined) return;
  const last = farthestDelivery(after.row, after.today, longestPauseDays(settings));
  if (planned <= last) return;
  const rule = path === "next_delivery_date" ? "must be" : "must leave the next delivery on";
  throw invalid([{ path, message: `${rule} ${last} or earlier` }]);
}

/** The last day on which a customer may have the next delivery. */
export function farthestDelivery(
  {
    delivery_interval: unit,
    delivery_interval_count: count,
  }: Pick<Scheduled, "delivery_interval" | "delivery_interval_count">,
  today: CalendarDate,
  days: number,
): CalendarDate {
  return nthDelivery(addDays(today, days), { unit, count }, 1, undefined);
}

/** The day to which the next delivery moves, where that is a later one. */
function laterDelivery(before: Delivered, after: Delivered): CalendarDate | undefined {
  if (after.row.next_delivery_date === null) return undefined;
  const planned = plannedDelivery(after);
  return planned > plannedDelivery(before) ? planned : undefined;
}

/** The next delivery by the schedule alone, or the day to which it was moved by itself. */
function plannedDelivery({ row, slot }: Delivered): CalendarDate {
  const moved = dayOfSingleMove(row, slot);
  if (moved !== undefined) return moved;
  return deliveryOf(scheduleOf(row, undefined), row.scheduled_index ?? row.next_index);
}
