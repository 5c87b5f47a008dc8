import type { Statement } from "../../../base/db/port.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import { first, raw } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { companionOf } from "../../subscriptions/actions/change-subscription.ts";
import type { UndoTerms } from "../../subscriptions/undo/requirements.ts";
import { undoChange } from "../../subscriptions/undo/undo-change.ts";
import { type CarriedOut, carriedOutOf } from "../carried-out.ts";
import { declarationEntry } from "../entries.ts";
import { getDeclaration } from "../queries.ts";
import { type Declaration, declarations } from "../tables.ts";

/** The time within which the customer says that it was somebody else. */
export const takenBackWithinMs = 7 * dayMs;

const terms: UndoTerms = { withinMs: takenBackWithinMs, outlivesCharges: true, movesOn: true };

/**
 * Takes a cancellation back that somebody else has declared: the subscription is as before. Once it is taken back, that is all the same. Throws
 * INVALID_STATE where it was not carried out by itself, or its subscription has changed since.
 */
export async function takeBack(ctx: Ctx, id: string): Promise<void> {
  const declaration = await getDeclaration(ctx, id);
  if (declaration.status === "TAKEN_BACK") return;
  if (ctx.now >= later(declaration.received_at, takenBackWithinMs))
    throw new DomainError("INVALID_STATE", "Cannot take back: 7 days are over");
  const carriedOut = carriedOutOf(declaration);
  const change = carriedOut && (await first(ctx.db, selectChange(ctx, declaration, carriedOut)));
  if (declaration.status !== "CARRIED_OUT" || !carriedOut || !change)
    throw new DomainError("INVALID_STATE", "Cannot take back: the declaration was not carried out by itself");
  const revision = declaration.revision + 1;
  await undoChange(
    ctx,
    {
      id: carriedOut.subscription_id,
      request: { entry_id: change.entry_id },
      companion: companionOf({}, () => ({
        metadata: { declaration_id: id },
        writes: [updateTakenBack(ctx, declaration)],
        relatedEntries: [declarationEntry("declaration_taken_back", { ...declaration, revision })],
      })),
    },
    terms,
    carriedOut.before,
  );
}

function updateTakenBack({ account, now }: Ctx, { id, revision }: Declaration): Statement {
  const key = { account_seq: account.seq, id, revision };
  return updateRow(declarations, key, { status: "TAKEN_BACK", revision: revision + 1, updated_at: now });
}

/**
 * The latest change that the declaration has led to: the subscription's own end on the day that was agreed on, else what has carried it out. Raw,
 * for the index of the history.
 */
function selectChange(
  { account }: Ctx,
  { id }: Declaration,
  { subscription_id }: CarriedOut,
): Statement<{ entry_id: string }> {
  return raw<{ entry_id: string }>(
    `SELECT image.entry_id FROM undo_images AS image CROSS JOIN activity_logs AS entry INDEXED BY activity_logs_by_record
        ON entry.account_seq = image.account_seq AND entry.loggable_type = 'subscription' AND entry.loggable_id = image.subscription_id
        AND entry.created_ms = (unixepoch(substr(image.created_at, 1, 19)) * 1000 + substr(image.created_at, 21, 3))
        AND entry.id = image.entry_id
      WHERE image.account_seq = ?1 AND image.subscription_id = ?2 AND image.undone_at IS NULL
        AND (entry.metadata ->> 'declaration_id' = ?3
          OR (entry.action = 'subscription_cancelled' AND entry.actor_type = 'system' AND entry.metadata ->> 'ends_on' IS NOT NULL))
      ORDER BY entry.sequence DESC LIMIT 1`,
    ...[account.seq, subscription_id, id],
  );
}
