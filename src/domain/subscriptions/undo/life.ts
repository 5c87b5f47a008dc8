import type { Statement } from "../../../base/db/port.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { hourMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import { chargedTomorrow } from "../dates/index.ts";
import { isOver } from "../lifecycle.ts";
import type { Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import { guardSourceRef, requireFreeSourceRef } from "../source-refs.ts";
import { contractSyncs, type Subscription } from "../tables.ts";
import type { FoundImage } from "./queries.ts";
import { isBeingBilled, newUndoRefusal } from "./requirements.ts";

type Undone = {
  columns: Partial<Subscription>;
  image: Pick<FoundImage, "recorded_at" | "created_at">;
  holder: { id: string }[];
};

/** The consequences where an undone change had ended the subscription or begun another life. Throws INVALID_STATE where it cannot live again. */
export function followLife(
  ctx: Ctx,
  { row, profileDeletedAt }: SubscriptionView,
  { columns, image, holder }: Undone,
): Part {
  const restored = { ...row, ...columns };
  // A store that keeps contracts has one for each life, by its number, so that no number is used twice.
  if (!isOver(row) && isOver(restored))
    return { columns: ctx.store.contracts ? { activation: row.activation } : {} };
  if (!isOver(row) || isOver(restored)) return { columns: notToday(ctx, row, restored) };
  if (profileDeletedAt !== null) throw newUndoRefusal("its customer is deleted");
  requireFreeSourceRef(ctx, "undo", holder);
  return {
    columns: notToday(ctx, row, restored),
    writes: [...guardSourceRef(ctx, row), ...updateRenewedContract(ctx, row, image)],
  };
}

/** A subscription that comes back to life is billed from tomorrow on, unless a payment was owed or under way already. */
function notToday(ctx: Ctx, row: Subscription, restored: Subscription): Partial<Subscription> {
  const today = todayOf(ctx);
  const comesBack = restored.status === "ACTIVE" && row.status !== "ACTIVE";
  return comesBack && !isBeingBilled(restored) && restored.next_billing_date === today
    ? chargedTomorrow(today)
    : {};
}

/**
 * A contract that has ended at the store cannot be restored, so that one that ended with the cancellation is made anew instead of ending the
 * subscription. Clocks differ, so that it is looked for from an hour before.
 */
function updateRenewedContract(
  { store, account }: Ctx,
  { id }: Subscription,
  { recorded_at, created_at }: Undone["image"],
): Statement[] {
  if (!store.contracts) return [];
  const renewed_since = later(recorded_at ?? created_at, -hourMs);
  return [updateRow(contractSyncs, { account_seq: account.seq, subscription_id: id }, { renewed_since })];
}
