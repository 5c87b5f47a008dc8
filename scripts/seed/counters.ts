import type { DatabaseSync } from "node:sqlite";
import { demoAccountSeq } from "./account.ts";

/**
 * Does for many entries what the triggers of `activity_logs` do for each: `next()` gives an entry its place in the stream of events and
 * counts it in its quarter of an hour; `write` stores these counts, and the names that the lists of the history show.
 */
export function openCounters(database: DatabaseSync): {
  next: (created_at: string) => number;
  write: () => void;
} {
  const quarters = new Map<string, number>();
  let last = lastOf(database);
  return {
    next: (created_at) => {
      const quarter = `${created_at.slice(0, 14)}${quarterOf[Math.floor(Number(created_at.slice(14, 16)) / 15)]}`;
      quarters.set(quarter, (quarters.get(quarter) ?? 0) + 1);
      return ++last;
    },
    write: () => {
      addCounts(database, JSON.stringify([...quarters]));
      database.exec(addNames);
    },
  };
}

const account_seq = demoAccountSeq;

const quarterOf = ["00", "15", "30", "45"];

function lastOf(database: DatabaseSync): number {
  const found = database
    .prepare(
      `SELECT MAX(COALESCE((SELECT last FROM event_sequences WHERE account_seq = ?1), 0),
        COALESCE((SELECT MAX(sequence) FROM activity_logs WHERE account_seq = ?1), 0)) AS last`,
    )
    .get(account_seq);
  return Number(found?.last);
}

function addCounts(database: DatabaseSync, quarters: string): void {
  database
    .prepare(
      `INSERT INTO activity_counts (account_seq, day, count, quarters)
        SELECT ?, substr(value ->> 0, 1, 10) AS day, SUM(value ->> 1), json_group_object(substr(value ->> 0, 12), value ->> 1)
        FROM json_each(?) WHERE true GROUP BY day
        ON CONFLICT DO UPDATE SET count = count + excluded.count, quarters = (
          SELECT json_group_object(quarter, entries) FROM (
            SELECT key AS quarter, SUM(value) AS entries FROM (
              SELECT key, value FROM json_each(quarters) UNION ALL SELECT key, value FROM json_each(excluded.quarters))
            GROUP BY key))`,
    )
    .run(account_seq, quarters);
}

const addNames = `
  INSERT OR IGNORE INTO activity_names SELECT DISTINCT account_seq, 'action', action FROM activity_logs
    WHERE account_seq = '${account_seq}' AND action >= 'integration_' AND action < 'integration\`'
      AND action NOT IN ('billing_started', 'billing_succeeded', 'order_placed', 'payment_reminder_due');
  INSERT OR IGNORE INTO activity_names SELECT DISTINCT account_seq, 'actor', actor_name FROM activity_logs
    WHERE account_seq = '${account_seq}' AND actor_type = 'admin' AND actor_name IS NOT NULL`;
