import type { Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import { instantOf } from "../../base/lib/ids.ts";
import type { ActivityLog } from "./tables.ts";

/**
 * Finds an entry of the history. An id holds its entry's time, so that the indexes by time find it, that of the feed or that of the others.
 * Ids that hold another time have an index of their own. Raw, because the indexes are named: the planner takes the table itself, whose
 * key begins alike.
 */
export function selectEntry({
  account_seq,
  id,
}: Pick<ActivityLog, "account_seq" | "id">): Statement<ActivityLog> {
  return raw<ActivityLog>(
    `SELECT * FROM activity_logs INDEXED BY activity_logs_by_other_id
        WHERE account_seq = ?1 AND other_id IS NOT NULL AND other_id = ?2
      UNION ALL SELECT * FROM activity_logs INDEXED BY activity_logs_by_time
        WHERE account_seq = ?1 AND created_ms = ?3 AND id = ?2 AND other_id IS NULL AND loggable_type IN ('subscription', 'order')
      UNION ALL SELECT * FROM activity_logs INDEXED BY activity_logs_unfed_by_time
        WHERE account_seq = ?1 AND created_ms = ?3 AND id = ?2 AND other_id IS NULL AND loggable_type NOT IN ('subscription', 'order')`,
    ...[account_seq, id, Date.parse(instantOf(id))],
  );
}
