import type { DatabaseSync } from "node:sqlite";
import { placesInBlock } from "../../src/kit/journal/tables.ts";
import { demoAccountSeq } from "./account.ts";

/**
 * Does for many entries what the triggers of `activity_logs` do for each: `next()` gives an entry its place in the stream of events and
 * counts each block of places in its quarters of an hour; `write` stores these counts, and the names that the lists of the history show.
 */
export function openCounters(database: DatabaseSync): {
  next: (created_at: string) => number;
  write: () => void;
} {
  const quarters = new Map<string, number>();
  let { last, block, uncounted } = endOf(database);
  return {
    next: (created_at) => {
      last++;
      if (blockOf(last) !== block) {
        for (const quarter of uncounted) quarters.set(quarter, (quarters.get(quarter) ?? 0) + 1);
        [block, uncounted] = [blockOf(last), []];
      }
      uncounted.push(toQuarter(created_at));
      return last;
    },
    write: () => {
      addCounts(database, JSON.stringify([...quarters]));
      database.exec(addNames);
    },
  };
}

const account_seq = demoAccountSeq;

const quarterOf = ["00", "15", "30", "45"];

function toQuarter(created_at: string): string {
  return `${created_at.slice(0, 14)}${quarterOf[Math.floor(Number(created_at.slice(14, 16)) / 15)]}`;
}

function blockOf(place: number): number {
  return Math.floor(place / placesInBlock);
}

type End = { last: number; block: number; uncounted: string[] };

/** The last number of the stream that is taken, the block of its last entry, and the quarters of that block's entries. */
function endOf(database: DatabaseSync): End {
  const found = database
    .prepare(
      `SELECT COALESCE((SELECT last FROM event_sequences WHERE account_seq = ?1), 0) AS taken,
        COALESCE((SELECT MAX(sequence) FROM activity_logs WHERE account_seq = ?1), 0) AS sequence`,
    )
    .get(account_seq) as { taken: number; sequence: number };
  const block = blockOf(found.sequence);
  const entries = database
    .prepare(
      `SELECT created_at FROM activity_logs WHERE account_seq = ? AND loggable_type IN ('subscription', 'order')
        AND sequence >= ?`,
    )
    .all(account_seq, block * placesInBlock) as { created_at: string }[];
  return {
    last: Math.max(found.taken, found.sequence),
    block,
    uncounted: entries.map(({ created_at }) => toQuarter(created_at)),
  };
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
  INSERT OR IGNORE INTO activity_names (account_seq, kind, name) SELECT DISTINCT account_seq, 'action', action FROM activity_logs
    WHERE account_seq = '${account_seq}' AND action >= 'integration_' AND action < 'integration\`'
      AND action NOT IN ('billing_started', 'billing_succeeded', 'order_placed', 'payment_reminder_due');
  INSERT OR IGNORE INTO activity_names (account_seq, kind, name) SELECT DISTINCT account_seq, 'actor', actor_name FROM activity_logs
    WHERE account_seq = '${account_seq}' AND actor_type = 'admin' AND actor_name IS NOT NULL`;
