import { openSqlite } from "../sqlite.ts";

/** A message that was taken to be handed over; `attempts` counts this time too. */
export type TakenMessage = { id: number; body: string; attempts: number; sent_at: number };

/** The fate of a message that was handed over. */
export type Outcome = { id: number } & (
  | { is: "done" }
  | { is: "again"; visible_at: number }
  | { is: "buried"; queue: string }
);

/**
 * The messages of all queues, in a file of their own: what was sent is there after the process was killed, and what was being worked on is
 * handed over again. A power failure may lose the last of them, as most are found again by their rows.
 */
export function openMessages(file: string) {
  const sqlite = openSqlite(file, { pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL" });
  sqlite.database.exec(schema);
  return {
    /** Keeps messages, each visible after its delay. */
    add(queue: string, messages: { body: unknown; delaySeconds?: number }[]): void {
      const now = Date.now();
      sqlite.transaction(() => {
        for (const { body, delaySeconds = 0 } of messages)
          sqlite.all(insert, [queue, JSON.stringify(body), now, now + delaySeconds * 1000]);
      });
    },

    /** Takes the messages of a queue that have been visible for longest. */
    take(queue: string, most: number): TakenMessage[] {
      return sqlite.all(take, [queue, Date.now(), most]) as TakenMessage[];
    },

    settle(outcomes: Outcome[]): void {
      const now = Date.now();
      sqlite.transaction(() => {
        for (const outcome of outcomes)
          if (outcome.is === "done") sqlite.all("DELETE FROM messages WHERE id = ?", [outcome.id]);
          else if (outcome.is === "again") sqlite.all(again, [outcome.visible_at, outcome.id]);
          else sqlite.all(bury, [outcome.queue, now, outcome.id]);
      });
    },

    /** When the next message of a queue is to be handed over, as a time in milliseconds; null where none waits. */
    nextAt(queue: string): number | null {
      const [row] = sqlite.all(next, [queue]);
      return row?.at as number | null;
    },

    /** The backlog, in the words of the platform's queues. */
    metrics(queue: string) {
      const [row] = sqlite.all(backlog, [queue]) as { count: number; bytes: number; oldest: number | null }[];
      const { count = 0, bytes = 0, oldest = null } = row ?? {};
      return {
        ...{ backlogCount: count, backlogBytes: bytes },
        ...(oldest === null ? {} : { oldestMessageTimestamp: new Date(oldest) }),
      };
    },

    close: () => sqlite.close(),
  };
}

const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY, queue TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    sent_at INTEGER NOT NULL, visible_at INTEGER NOT NULL, is_taken INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_waiting ON messages (queue, visible_at) WHERE is_taken = 0;
  UPDATE messages SET is_taken = 0 WHERE is_taken = 1`;

const insert = "INSERT INTO messages (queue, body, sent_at, visible_at) VALUES (?, ?, ?, ?)";

const take = `UPDATE messages SET is_taken = 1, attempts = attempts + 1 WHERE id IN (
    SELECT id FROM messages WHERE queue = ? AND is_taken = 0 AND visible_at <= ? ORDER BY visible_at, id LIMIT ?)
  RETURNING id, body, attempts, sent_at`;

const again = "UPDATE messages SET is_taken = 0, visible_at = ? WHERE id = ?";

const bury = "UPDATE messages SET is_taken = 0, attempts = 0, queue = ?, visible_at = ? WHERE id = ?";

const next = "SELECT MIN(visible_at) AS at FROM messages WHERE queue = ? AND is_taken = 0";

const backlog = `SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(body)), 0) AS bytes, MIN(sent_at) AS oldest
  FROM messages WHERE queue = ?`;
