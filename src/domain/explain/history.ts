import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import type { FieldChange } from "../../base/lib/diff.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { parseStored } from "../../kit/journal/stored-json.ts";
import type { ActivityLog } from "../../kit/journal/tables.ts";

/** An entry of a subscription's history, read. */
export type HistoryEntry = Pick<ActivityLog, "id" | "action" | "actor_type" | "actor_name" | "created_at"> & {
  changes: Record<string, FieldChange>;
  metadata: Record<string, unknown>;
};

type EntryRow = Pick<
  ActivityLog,
  "id" | "action" | "actor_type" | "actor_name" | "created_at" | "changes" | "metadata"
>;

const columns = ["id", "action", "actor_type", "actor_name", "created_at", "changes", "metadata"]
  .map((name) => `activity_logs.${name}`)
  .join(", ");

/** So many entries of a subscription are looked at, the newest: an explanation is about what has just happened. */
const mostLooked = 200;

type Asked = { account_seq: AccountSeq; id: string };

/** The newest entries of a subscription up to an instant. Raw, because the index is named (kit/journal/tables.ts). */
export function selectNewestEntries({ account_seq, id }: Asked, until: Instant): Statement<EntryRow> {
  return raw<EntryRow>(
    `SELECT ${columns} FROM activity_logs INDEXED BY activity_logs_by_record
      WHERE account_seq = ? AND loggable_id = ? AND created_ms <= ? ORDER BY created_ms DESC, sequence DESC LIMIT ${mostLooked}`,
    ...[account_seq, id, Date.parse(until)],
  );
}

/** The first entry of a subscription, which tells of its creation. */
export function selectFirstEntry({ account_seq, id }: Asked): Statement<EntryRow> {
  return raw<EntryRow>(
    `SELECT ${columns} FROM activity_logs INDEXED BY activity_logs_by_record
      WHERE account_seq = ? AND loggable_id = ? ORDER BY created_ms, sequence LIMIT 1`,
    ...[account_seq, id],
  );
}

/** The entries of some records at some instants, in any order. */
export function selectEntriesAt(
  account_seq: AccountSeq,
  places: { id: string; at: Instant }[],
): Statement<EntryRow> {
  const at = JSON.stringify(places.map(({ id, at }) => [id, Date.parse(at)]));
  return raw<EntryRow>(
    `SELECT ${columns} FROM json_each(?2) AS place CROSS JOIN activity_logs INDEXED BY activity_logs_by_record
      WHERE account_seq = ?1 AND loggable_id = place.value ->> 0 AND created_ms = place.value ->> 1`,
    ...[account_seq, at],
  );
}

export function readEntry({ changes, metadata, ...entry }: EntryRow): HistoryEntry {
  return {
    ...entry,
    changes: (parseStored(changes) ?? {}) as Record<string, FieldChange>,
    metadata: parseStored(metadata) ?? {},
  };
}
