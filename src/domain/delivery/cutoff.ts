import { toDate, toDay } from "../../base/lib/time/calendar.ts";
import { type CalendarDate, type Instant, parseInstantIn } from "../../base/lib/time/dates.ts";
import type { DeliverySlot } from "./tables.ts";

/** A slot's cut-off: until so many days before a delivery, at this time, customers change it. */
export type Cutoff = Pick<DeliverySlot, "cutoff_days" | "cutoff_time">;

/**
 * The instant from which customers can no longer change a delivery of this date; undefined where the slot has no cut-off.
 * Where the clocks show its time twice, the first counts; where they never show it, the moment at which they would have.
 */
export function cutoffOf(
  { cutoff_days, cutoff_time }: Cutoff,
  delivery: CalendarDate,
  timezone: string,
): Instant | undefined {
  if (cutoff_days === null) return undefined;
  const day = toDate(toDay(delivery) - cutoff_days);
  return parseInstantIn(`${day}T${cutoff_time ?? "00:00"}`, timezone);
}

/** A cut-off as its own clock shows it, such as "2026-12-08 18:00". */
export function cutoffText({ cutoff_days, cutoff_time }: Cutoff, delivery: CalendarDate): string {
  return `${toDate(toDay(delivery) - (cutoff_days ?? 0))} ${cutoff_time ?? "00:00"}`;
}
