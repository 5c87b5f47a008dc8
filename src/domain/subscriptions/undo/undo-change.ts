import type { z } from "@hono/zod-openapi";
import type { Statement } from "../../../base/db/port.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import type { RowsBy } from "../../../base/db/statement.ts";
import { invalid } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ActivityLog } from "../../../kit/journal/tables.ts";
import { type CommandWith, changeSubscription } from "../actions/change-subscription.ts";
import { requireBeforeCutoff } from "../bounds/cutoff.ts";
import { requireWithinSupportDiscount } from "../bounds/support-discount.ts";
import { withRaisedPrices } from "../bounds/support-price.ts";
import { combine, type Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import { selectOtherWithSourceRef } from "../source-refs.ts";
import { type Subscription, subscriptionSkips, undoImages } from "../tables.ts";
import { newChangedSinceError } from "./changed-since.ts";
import type { ImageChanges } from "./image.ts";
import { followLife } from "./life.ts";
import { type FoundImage, readForUndo } from "./queries.ts";
import { isRelatedUnchanged, relatedStatements } from "./related.ts";
import type { UndoRequest } from "./requests.ts";
import {
  datesMovedOn,
  newUndoRefusal,
  requireContents,
  requireFit,
  requireInTime,
  requireOwn,
  requireState,
  termsOfPeople,
  type UndoTerms,
  what,
} from "./requirements.ts";
import { type Restoration, restorationOf } from "./restorations.ts";
import { restoreColumns } from "./restore-columns.ts";
import { restoredView } from "./restored-view.ts";

/**
 * Undoes a change of a subscription: what it has changed is as before again, life, cycles, terms and owed payments included. It is never the
 * opposite action. Throws INVALID_STATE where any of that was changed since, was charged, or no longer fits, and FORBIDDEN for customers who
 * undo what is not theirs. `otherwise` are columns that do not come back as they were.
 */
export function undoChange(
  ctx: Ctx,
  { id, request: { entry_id }, companion }: CommandWith<z.output<typeof UndoRequest>>,
  terms: UndoTerms = termsOfPeople,
  otherwise: Partial<Subscription> = {},
): Promise<SubscriptionView> {
  const alongside = { ...readForUndo(ctx, id, entry_id), holder: selectOtherWithSourceRef(ctx, id) };
  const places = terms.movesOn ? {} : { takesPlace: { what, path: "entry_id" } };
  return changeSubscription(
    ctx,
    id,
    { alongside, ...places, companion, moves: null },
    async (view, found): Promise<Part> => {
      const { image, changes, restoration } = requireUndoable(ctx, view, found, terms);
      const before = { ...(await requireUnchanged(ctx, view.row, image, changes)), ...otherwise };
      const known = await restoredView(ctx, view, before);
      const columns = {
        ...before,
        ...(terms.movesOn ? datesMovedOn(ctx, known, image.created_at) : {}),
      };
      const life = followLife(ctx, view, { columns, image, holder: found.holder });
      const restored = { ...known, row: { ...known.row, ...columns, ...life.columns } };
      requireContents(restored);
      if (!isOwnEntry(ctx, found.entry[0]))
        requireWithinSupportDiscount(ctx, view.row, {
          ...restored.row,
          ...withRaisedPrices(view.row, restored.row),
        });
      if (restoration.moves) requireFit(ctx, restored, image.created_at);
      const { cutoff } = restoration;
      if (cutoff) requireBeforeCutoff(view, what, cutoff === "each" ? [view, restored] : [restored]);
      return combine(life, {
        entry: { action: "subscription_change_undone", metadata: { undoes: entry_id } },
        defaults: columns,
        writes: [...updateEndedImage(ctx, image, changes), ...relatedStatements(ctx, image)],
        shown: { slot: restored.slot, method: restored.method },
      });
    },
  );
}

/** Whether who undoes a change has made it: SUPPORT takes back a price of theirs, but not one that somebody else has raised. */
function isOwnEntry({ actor }: Ctx, entry: ActivityLog | undefined): boolean {
  return entry?.actor_type === actor.type && entry.actor_name === actor.name;
}

type Found = RowsBy<ReturnType<typeof readForUndo>>;
type Undoable = { image: FoundImage; changes: ImageChanges; restoration: Restoration };

function requireUndoable(
  ctx: Ctx,
  view: SubscriptionView,
  { entry: [entry], image: [image] }: Found,
  terms: UndoTerms,
): Undoable {
  if (entry?.loggable_type !== "subscription" || entry.loggable_id !== view.row.id)
    throw invalid([{ path: "entry_id", message: "must be an entry of this subscription's history" }]);
  const restoration = restorationOf(entry.action);
  if (!restoration) throw newUndoRefusal(`${entry.action} is not undone`);
  const changes: ImageChanges = image ? JSON.parse(image.changes) : { columns: {}, lines: [], discounts: [] };
  requireOwn(ctx, entry, restoration, changes);
  if (!image) throw newUndoRefusal("what was before is not kept");
  requireInTime(ctx, image, restoration, terms);
  requireState(view, restoration, changes);
  return { image, changes, restoration };
}

async function requireUnchanged(
  ctx: Ctx,
  row: Subscription,
  image: FoundImage,
  changes: ImageChanges,
): Promise<Partial<Subscription>> {
  const restored = restoreColumns(row, { ...image, changes }, ctx.now);
  if ("changed" in restored) throw await newChangedSinceError(ctx, image, restored.changed);
  if (!isRelatedUnchanged(image)) throw await newChangedSinceError(ctx, image, ["related"]);
  return restored.columns;
}

/** The change is undone once, and so is the skip that it was, which `unskip` then finds no more. */
function updateEndedImage(
  { account, now }: Ctx,
  { subscription_id, entry_id, created_at }: FoundImage,
  { columns: { schedule_revision: revision } }: ImageChanges,
): Statement[] {
  const its = { account_seq: account.seq, subscription_id };
  const ended = updateRow(undoImages, { ...its, entry_id }, { undone_at: now });
  if (!revision) return [ended];
  const skip = { ...its, created_at, schedule_revision: revision.to as number };
  return [ended, updateRow(subscriptionSkips, skip, { undone_at: now })];
}
