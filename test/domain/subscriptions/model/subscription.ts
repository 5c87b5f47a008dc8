import { anchorFrom, deliveryOf, type Schedule } from "../../../../src/domain/subscriptions/dates/index.ts";
import { inDays } from "../../../support/shops.ts";

type Status = "ACTIVE" | "PAUSED" | "CANCELLED" | "EXPIRED" | "PAYMENT_FAILED";
export type Unit = Schedule["interval"]["unit"];

/** A skip, and whether it may be undone; the rules leave some cases open. */
type Skip = {
  anchor: string;
  anchorDay: number | null;
  index: number;
  delivery: string;
  by: { weeks: number } | { deliveries: number };
  undo: "allowed" | "refused" | "unspecified";
};

/** A subscription by the written rules: dates without slots, so that it is billed on the day of delivery. */
export type Model = {
  status: Status;
  inDunning: boolean;
  anchor: string;
  anchorDay: number | null;
  index: number;
  next: string | null;
  unit: Unit;
  count: number;
  cycle: number;
  instructions: string | null;
  pauseReason: string | null;
  lines: { price: number; quantity: number }[];
  discounts: { type: "PERCENTAGE" | "FIXED_AMOUNT"; value: number; isActive: boolean }[];
  skips: Skip[];
  /** A skip has moved the next date of a schedule of months off the anchor's grid. */
  offGrid: boolean;
  entries: number;
  log: string[];
};

export const today = inDays(0);
export const tomorrow = inDays(1);

/** A subscription as the test creates it: weekly, first in a week, one line. */
export function newModel(): Model {
  return {
    status: "ACTIVE",
    inDunning: false,
    anchor: inDays(7),
    anchorDay: null,
    index: 0,
    next: inDays(7),
    unit: "WEEK",
    count: 1,
    cycle: 1,
    instructions: null,
    pauseReason: null,
    lines: [{ price: 1000, quantity: 1 }],
    discounts: [],
    skips: [],
    offGrid: false,
    entries: 1,
    log: [],
  };
}

/** The fields that the API returns of a subscription in this state. */
export function responseOf(m: Model) {
  return {
    status: m.status,
    is_active: m.status === "ACTIVE",
    can_pause: m.status === "ACTIVE" || m.status === "PAUSED",
    can_resume: m.status === "PAUSED",
    can_cancel: !isOver(m),
    can_reactivate: isOver(m),
    can_retry_payment: m.status === "PAYMENT_FAILED" || (m.status === "ACTIVE" && m.inDunning),
    is_in_dunning: m.inDunning,
    next_delivery_date: m.next,
    next_billing_date: m.next,
    next_production_date: null,
    current_billing_cycle: m.cycle,
    billing_interval: m.unit,
    billing_interval_count: m.count,
    delivery_interval: m.unit,
    delivery_interval_count: m.count,
    delivery_instructions: m.instructions,
    pause_reason: m.pauseReason,
    ...amountsOf(m),
  };
}

/**
 * The next deliveries: missed ones are caught up on once, then the grid goes on after today. Nothing comes while it is paused, or its
 * payment has failed; its dunning has no episode here, so nothing is tried again either.
 */
export function upcomingDatesOf(m: Model, count: number): string[] {
  if (m.next === null || m.status !== "ACTIVE" || m.inDunning) return [];
  const first = [m.next, today].toSorted()[1]!;
  return [first, ...deliveriesAfter(m, first, count - 1).map(({ date }) => date)];
}

/** The next deliveries of the grid after that one and after today, by index. */
export function deliveriesAfter(
  m: Model,
  delivery: string,
  count: number,
): { index: number; date: string }[] {
  const after: { index: number; date: string }[] = [];
  for (let index = m.index + 1; after.length < count; index++) {
    const date = deliveryAt(m, index);
    if (date > (after.at(-1)?.date ?? delivery) && date > today) after.push({ index, date });
  }
  return after;
}

export function amountsOf({ lines, discounts }: Model) {
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  let left = subtotal;
  for (const { type, value, isActive } of discounts)
    if (isActive)
      left -= Math.min(left, type === "PERCENTAGE" ? Math.floor((left * value + 50) / 100) : value);
  return { subtotal: subtotal / 100, discount_amount: (subtotal - left) / 100, total: left / 100 };
}

export function deliveryAt({ anchor, anchorDay, unit, count }: Model, index: number): string {
  return deliveryOf({ anchor, anchorDay, interval: { unit, count }, rhythm: undefined }, index);
}

export function firstDeliveryFrom(m: Model, earliest: string): { index: number; date: string } {
  for (let index = m.index; ; index++)
    if (deliveryAt(m, index) >= earliest) return { index, date: deliveryAt(m, index) };
}

/** Counts from this date on, which keeps the day of the month in units that have one. */
export function restartOn(m: Model, date: string, unit = m.unit): void {
  const counted = { anchor_date: m.anchor, anchor_day: m.anchorDay, delivery_interval: m.unit };
  const { anchor_date, anchor_day } = anchorFrom(counted, date, undefined, { delivery_interval: unit });
  Object.assign(m, { anchor: anchor_date, anchorDay: anchor_day, index: 0, next: date, offGrid: false });
}

/** Whether leaving a cycle out delays the next by a month at most. */
export function isBilledOften({ unit, count }: Model): boolean {
  return unit === "DAY" || unit === "WEEK" || (unit === "MONTH" && count === 1);
}

/** Changes what undoing the skips does that may still be undone. */
export function setUndo(m: Model, undo: Skip["undo"]): void {
  for (const skip of m.skips) if (skip.undo === "allowed") skip.undo = undo;
}

export function isOver({ status }: Model): boolean {
  return status === "CANCELLED" || status === "EXPIRED";
}
