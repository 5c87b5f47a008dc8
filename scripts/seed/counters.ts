import type { DatabaseSync } from "node:sqlite";
import { demoId } from "../../src/demo.ts";

const account_id = demoId("account", 1);

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
      database
        .prepare(
          "INSERT INTO event_sequences (account_id, last) VALUES (?, ?) ON CONFLICT DO UPDATE SET last = excluded.last",
        )
        .run(account_id, last);
      database.exec(addNames);
    },
  };
}

const quarterOf = ["00", "15", "30", "45"];

function lastOf(database: DatabaseSync): number {
  const found = database.prepare("SELECT last FROM event_sequences WHERE account_id = ?").get(account_id);
  return Number(found?.last ?? 0);
}

function addCounts(database: DatabaseSync, quarters: string): void {
  for (const bucket of ["'Q' || (value ->> 0)", "'D' || substr(value ->> 0, 1, 10)"])
    database
      .prepare(
        `INSERT INTO activity_counts SELECT ?, ${bucket}, SUM(value ->> 1) FROM json_each(?) WHERE true GROUP BY 2
          ON CONFLICT DO UPDATE SET count = count + excluded.count`,
      )
      .run(account_id, quarters);
}

const addNames = `
  INSERT OR IGNORE INTO activity_names SELECT DISTINCT account_id, 'action', action FROM activity_logs
    WHERE account_id = '${account_id}' AND action >= 'integration_' AND action < 'integration\`'
      AND action NOT IN ('billing_started', 'billing_succeeded', 'order_placed', 'payment_reminder_due');
  INSERT OR IGNORE INTO activity_names SELECT DISTINCT account_id, 'actor', actor_name FROM activity_logs
    WHERE account_id = '${account_id}' AND actor_type = 'admin' AND actor_name IS NOT NULL`;
