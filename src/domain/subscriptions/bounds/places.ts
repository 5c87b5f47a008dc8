import type { Statement } from "../../../base/db/port.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { commitStatements } from "../../../kit/journal/write.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import {
  type OverFull,
  type Placing,
  reportOverFull,
  selectUnreportedDays,
  takePlace,
} from "../../delivery/room.ts";
import { calendarOf } from "../dates/index.ts";
import type { SubscriptionView } from "../queries.ts";

type Delivered = Pick<SubscriptionView, "row" | "slot">;

/**
 * Refuses a change by which the next delivery takes a place on a full day of its slot. Returns the guard that fails the
 * change's batch where others have taken the last place meanwhile. Throws INVALID_STATE.
 */
export async function requirePlace(
  ctx: Ctx,
  { before, after }: { before: Delivered; after: SubscriptionView },
  asked: Pick<Placing, "what" | "path">,
): Promise<Statement[]> {
  const [former, place] = [placeOf(before), placeOf(after)];
  if (!place || (former?.slot.id === place.slot.id && former.date === place.date)) return [];
  return takePlace(ctx, { ...place, ...asked, deliveries: 1, closed: calendarOf(after).closed });
}

/** Commits changes of subscriptions in these slots, and tells people of the days that have become over-full. */
export async function commitInSlots(
  ctx: Ctx,
  statements: Statement[],
  slots: (SlotWithDay | undefined)[],
): Promise<void> {
  const isBounded = slots.some((slot) => slot && slot.max_deliveries_per_day !== null);
  const results = await commitStatements(
    ctx,
    isBounded ? [...statements, selectUnreportedDays(ctx)] : statements,
  );
  if (isBounded) await reportOverFull(ctx, results.at(-1)?.rows as OverFull[]);
}

/** The place that the next delivery has: only those of active subscriptions count. */
function placeOf({ row, slot }: Delivered): { slot: SlotWithDay; date: CalendarDate } | undefined {
  const { status, next_delivery_date: date } = row;
  return status === "ACTIVE" && slot && date !== null ? { slot, date } : undefined;
}
