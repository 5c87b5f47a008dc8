import type { Statement } from "../../../base/db/port.ts";
import { first, raw } from "../../../base/db/statement.ts";
import { isId } from "../../../base/lib/ids.ts";
import type { Ctx } from "../../../kit/context.ts";
import { selectEntry } from "../../../kit/journal/by-id.ts";
import { type ActivityLog, msOf } from "../../../kit/journal/tables.ts";
import type { UndoImage } from "../tables.ts";
import { relatedNow } from "./related.ts";

/** An image, with what has come after its change: whether a charge, and the rows of other tables as they are now. */
export type FoundImage = UndoImage & {
  sequence: number;
  recorded_at: string | null;
  is_charged: 0 | 1;
  related_now: string | null;
};

/** The entry of a change and its image, to be read in one trip with the subscription. */
export function readForUndo(ctx: Ctx, id: string, entryId: string) {
  if (!isId(entryId)) return { entry: [], image: [] };
  const entry: Statement<ActivityLog>[] = [selectEntry({ account_seq: ctx.account.seq, id: entryId })];
  return { entry, image: [selectImage(ctx, id, entryId)] };
}

/** Raw, because the index of the history is named, and for the rows of several tables. */
function selectImage({ account }: Ctx, id: string, entryId: string): Statement<FoundImage> {
  return raw<FoundImage>(
    `SELECT image.*, entry.sequence, entry.recorded_at, ${relatedNow} AS related_now, EXISTS (
        SELECT 1 FROM activity_logs AS paid INDEXED BY activity_logs_by_record
          WHERE paid.account_seq = ?1 AND paid.loggable_type = 'subscription' AND paid.loggable_id = ?2
            AND paid.created_ms >= ${msOf("image.created_at")} AND paid.sequence > entry.sequence AND paid.action = 'billing_succeeded') AS is_charged
      FROM undo_images AS image CROSS JOIN activity_logs AS entry INDEXED BY activity_logs_by_record
        ON entry.account_seq = ?1 AND entry.loggable_type = 'subscription' AND entry.loggable_id = ?2
          AND entry.created_ms = ${msOf("image.created_at")} AND entry.id = image.entry_id
      WHERE image.account_seq = ?1 AND image.subscription_id = ?2 AND image.entry_id = ?3`,
    ...[account.seq, id, entryId],
  );
}

/** A later change: by whom, and when. */
export type LaterChange = Pick<ActivityLog, "actor_type" | "actor_name" | "created_at">;

/** The first change of a subscription after an entry that has changed one of these fields; else the first of all. */
export function findLaterChange(
  { db, account }: Ctx,
  { subscription_id, created_at, sequence }: FoundImage,
  fields: string[],
): Promise<LaterChange | undefined> {
  return first(
    db,
    raw<LaterChange>(
      `SELECT actor_type, actor_name, created_at FROM activity_logs INDEXED BY activity_logs_by_record
        WHERE account_seq = ?1 AND loggable_type = 'subscription' AND loggable_id = ?2 AND created_ms >= ?3 AND sequence > ?4
        ORDER BY EXISTS (SELECT 1 FROM json_each(changes) AS its JOIN json_each(?5) AS asked ON asked.value = its.key) DESC, sequence
        LIMIT 1`,
      ...[account.seq, subscription_id, Date.parse(created_at), sequence, JSON.stringify(fields)],
    ),
  );
}
