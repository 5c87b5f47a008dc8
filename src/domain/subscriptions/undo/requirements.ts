import { type PortalPermission, requirePermission } from "../../../base/accounts/portal-settings.ts";
import { DomainError } from "../../../base/errors.ts";
import { dayOfWeek } from "../../../base/lib/time/calendar.ts";
import { type CalendarDate, dateIn, later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ActivityLog } from "../../../kit/journal/tables.ts";
import { isServed } from "../../delivery/queries.ts";
import { hasReachedEnd } from "../bounds/agreed-end.ts";
import { dayToWaitFor } from "../bounds/no-charge-before.ts";
import { calendarOf, datesOfScheduleFromTomorrow, datesToFollow } from "../dates/index.ts";
import { isWaiting, owesPayment, requireAllowed, requireNotBilling } from "../lifecycle.ts";
import { recurringLines } from "../lines/amounts.ts";
import type { SubscriptionView } from "../queries.ts";
import { linesOf } from "../row-codec.ts";
import type { Subscription } from "../tables.ts";
import type { ImageChanges } from "./image.ts";
import type { FoundImage } from "./queries.ts";
import type { Restoration } from "./restorations.ts";

export const what = "undo the change";

export function newUndoRefusal(why: string): DomainError {
  return new DomainError("INVALID_STATE", `Cannot undo: ${why}`);
}

/** For how long whoever undoes a change may do so, and whether also after a charge. */
export type UndoTerms = {
  withinMs: number | null;
  outlivesCharges: boolean;
  /**
   * Whether dates that have passed, or that closed days have other ones for, become the next of the same schedule, and the place in a slot is taken
   * even if that is full; otherwise these are refused.
   */
  movesOn?: true;
};

/** People undo a change within a day, as if it had not been made. */
export const termsOfPeople: UndoTerms = { withinMs: dayMs, outlivesCharges: false };

/** A job is taken back as long as its rows are kept, whatever was charged meanwhile with what it has written. */
export const termsOfJobs: UndoTerms = { withinMs: null, outlivesCharges: true };

/** Customers undo their own changes, where the merchant lets them make these. Throws FORBIDDEN. */
export function requireOwn(
  ctx: Ctx,
  entry: ActivityLog,
  { needs }: Restoration,
  { lines }: ImageChanges,
): void {
  if (ctx.actor.type !== "customer") return;
  if (entry.actor_type !== "customer" && !isByStandIn(ctx, entry))
    throw new DomainError("FORBIDDEN", "Customers undo changes of their own only");
  for (const permission of needs === "lines" ? permissionsOf(lines) : needs ? [needs] : [])
    requirePermission(ctx, permission);
}

/** Whether staff who act as this customer have made the change, and undo it as such. */
function isByStandIn({ actor: { standIn, profile_id } }: Ctx, { metadata }: ActivityLog): boolean {
  const { on_behalf_of } = JSON.parse(metadata ?? "{}") as { on_behalf_of?: string };
  return standIn !== undefined && profile_id !== undefined && on_behalf_of === profile_id;
}

function permissionsOf(lines: ImageChanges["lines"]): PortalPermission[] {
  return lines.flatMap(({ from, to }): PortalPermission[] => {
    if (!from) return ["can_add"];
    if (!to) return ["can_remove"];
    const isSwap = from.store_variant_id !== to.store_variant_id;
    const isOther = from.quantity !== to.quantity;
    return [
      ...(isSwap ? (["can_swap"] as const) : []),
      ...(isOther ? (["can_change_quantity"] as const) : []),
    ];
  });
}

/** Refuses what was undone before, is too old, or was charged since. Throws INVALID_STATE. */
export function requireInTime(
  { now }: Ctx,
  image: Pick<FoundImage, "undone_at" | "created_at" | "is_charged">,
  restoration: Restoration,
  { withinMs, outlivesCharges }: UndoTerms,
): void {
  if (image.undone_at !== null) throw newUndoRefusal("it has been undone already");
  if (withinMs !== null && now >= later(image.created_at, withinMs))
    throw newUndoRefusal(`it was made at ${image.created_at}, and ${withinMs / 3_600_000} hours are over`);
  const mayBeCharged = outlivesCharges && restoration.outlivesCharges === true;
  if (image.is_charged === 1 && !mayBeCharged) throw newUndoRefusal("a charge was made since");
}

/** Refuses where the state allows no such change, or a billing attempt is in progress whose outcome decides the dates. */
export function requireState(
  { row }: SubscriptionView,
  { moves, endsBilling }: Restoration,
  { columns }: ImageChanges,
): void {
  if (columns.open_attempt_id) throw newUndoRefusal("a payment was tried with it");
  if (moves !== "life") requireAllowed("change", row, what);
  if (moves && !endsBilling) requireNotBilling(what, row);
}

/** Refuses what no longer fits: it is never moved elsewhere. The room of a slot is asked for as of any change. Throws INVALID_STATE. */
export function requireFit(ctx: Ctx, restored: SubscriptionView, madeAt: string): void {
  const { row, slot, today } = restored;
  if (hasReachedEnd(row, today)) throw newUndoRefusal(`it ends on ${row.ends_on}`);
  const passed = passedDate(restored, dateIn(madeAt, ctx.account.timezone));
  if (passed !== undefined) throw newUndoRefusal(`${passed} has passed`);
  const day = dayToWaitFor(row, today);
  if (day !== undefined && row.next_billing_date !== null && row.next_billing_date < day)
    throw newUndoRefusal(`nothing may be charged before ${day}`);
  if (row.status !== "ACTIVE") return;
  const { next_delivery_date: delivery, scheduled_delivery_date: scheduled } = row;
  if (row.delivery_slot_id !== null && !(slot && isServed(slot)))
    throw newUndoRefusal("its delivery slot is gone");
  if (slot && delivery !== null && dayOfWeek(scheduled ?? delivery) !== slot.day.day_of_week)
    throw newUndoRefusal(`its delivery slot has no deliveries on ${scheduled ?? delivery}`);
  if (datesToFollow(row, calendarOf(restored)))
    throw newUndoRefusal(`closed days have other dates than ${delivery}`);
}

/** The dates of what comes back, where those that it had have passed: the next of the same schedule from tomorrow on. */
export function datesMovedOn(ctx: Ctx, restored: SubscriptionView, madeAt: string): Partial<Subscription> {
  const { row } = restored;
  if (row.status !== "ACTIVE" || isBeingBilled(row)) return {};
  const calendar = calendarOf(restored);
  const hasPassed = passedDate(restored, dateIn(madeAt, ctx.account.timezone)) !== undefined;
  return hasPassed ? datesOfScheduleFromTomorrow(row, calendar) : (datesToFollow(row, calendar) ?? {});
}

/** A date that would come back and was ahead when the change was made. The day of what is being billed is behind anyway. */
function passedDate({ row, today }: SubscriptionView, madeOn: CalendarDate): CalendarDate | undefined {
  const { pause_until: until } = row;
  if (row.status === "PAUSED") return until !== null && until <= today ? until : undefined;
  const dates = [row.next_billing_date, row.next_production_date, row.next_delivery_date];
  const hasPassed = (date: CalendarDate | null) => date !== null && date >= madeOn && date < today;
  return isBeingBilled(row) ? undefined : (dates.find(hasPassed) ?? undefined);
}

/** Whether the current cycle has fallen due: it is owed, waits, or is under way. */
export function isBeingBilled(row: Subscription): boolean {
  return owesPayment(row) || isWaiting(row) || row.open_attempt_id !== null;
}

/** Refuses to leave an order without anything. Throws INVALID_STATE. */
export function requireContents({ row }: SubscriptionView): void {
  if (recurringLines(linesOf(row)).length === 0) throw newUndoRefusal("it would have no line left");
}
