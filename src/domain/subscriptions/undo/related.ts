import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Statement } from "../../../base/db/port.ts";
import { updateRow } from "../../../base/db/row-writes.ts";
import { raw } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { type CancellationCase, cancellationCases } from "../../cancellation/tables.ts";
import { type DunningEpisode, dunningEpisodes } from "../../dunning/tables.ts";
import { isSame } from "./elements.ts";

/*
 * Rows of other tables that a change of a subscription changes: the dunning episode that it is in, and the cases of its customer's leaving.
 * They are read by SQL, in the batch of the change itself: raw, because the builder has no JSON of several tables.
 */

type Related =
  | ({ table: "dunning_episodes" } & Pick<DunningEpisode, "id" | (typeof ofEpisode)[number]>)
  | ({ table: "cancellation_cases" } & Pick<CancellationCase, "id" | (typeof ofCase)[number]>);

/** The columns that such a change sets. */
const ofEpisode = ["status", "due_at", "closed_at", "retries_from", "attempt_count"] as const;
const ofCase = ["status", "confirmed_at", "outcome", "outcome_at", "is_tracked"] as const;

/** The rows as JSON, of the account ?1 and its subscription ?2; null for none. */
function selectRelated(episodes: string, cases: string): string {
  return `(SELECT NULLIF(json_group_array(json(row)), '[]') FROM (
    SELECT ${objectOf("dunning_episodes", ofEpisode)} AS row FROM dunning_episodes
      WHERE account_seq = ?1 AND subscription_id = ?2 AND ${episodes}
    UNION ALL SELECT ${objectOf("cancellation_cases", ofCase)} FROM cancellation_cases
      WHERE account_seq = ?1 AND subscription_id = ?2 AND ${cases}))`;
}

function objectOf(table: string, columns: readonly string[]): string {
  const fields = ["id", ...columns].map((column) => `'${column}', ${column}`);
  return `json_object('table', '${table}', ${fields.join(", ")})`;
}

/** The rows that the change may change, as a value of the statement that inserts its image. */
export const relatedBefore = selectRelated(
  "status IN ('OPEN', 'AWAITING_CUSTOMER')",
  "(status = 'OPEN' OR is_tracked = 1)",
);

const isOfImage = "id IN (SELECT its.value ->> 'id' FROM json_each(related_before) AS its)";

/** The rows of the image as they are now, as a value of a statement on the image. */
export const relatedNow = selectRelated(isOfImage, isOfImage);

/** Notes the rows as the change has left them: the last statement of its batch. */
export function updateRelatedNote(account: AccountSeq, subscriptionId: string, entryId: string): Statement {
  return raw(
    `UPDATE undo_images SET related_after = ${relatedNow}
      WHERE account_seq = ?1 AND subscription_id = ?2 AND entry_id = ?3 AND related_before IS NOT NULL`,
    ...[account, subscriptionId, entryId],
  );
}

/** Texts of rows: JSON, or null for none. */
type Texts = { related_before: string | null; related_after: string | null; related_now: string | null };

/** Whether the rows are as the change has left them. */
export function isRelatedUnchanged({ related_after, related_now }: Texts): boolean {
  return isSame(readRelated(related_after), readRelated(related_now));
}

/** The writes that bring the rows back. A retry that has become due meanwhile is made at once, and none before now. */
export function relatedStatements(
  { account, now }: Ctx,
  { related_before, related_after }: Texts,
): Statement[] {
  const after = readRelated(related_after);
  return readRelated(related_before)
    .filter((before) => !after.some((row) => isSame(row, before)))
    .map((before) => {
      const key = { account_seq: account.seq, id: before.id };
      if (before.table === "cancellation_cases") {
        const { table: _, id: __, ...columns } = before;
        return updateRow(cancellationCases, key, { ...columns, updated_at: now });
      }
      const { table: _, id: __, due_at, ...columns } = before;
      return updateRow(dunningEpisodes, key, {
        ...columns,
        due_at: due_at !== null && due_at < now ? now : due_at,
      });
    });
}

function readRelated(text: string | null): Related[] {
  const rows: Related[] = JSON.parse(text ?? "[]");
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
