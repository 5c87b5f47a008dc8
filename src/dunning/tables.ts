import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId, id, instant } from "../db/columns.ts";

export const episodeStatuses = ["OPEN", "AWAITING_CUSTOMER", "RECOVERED", "EXHAUSTED", "CLOSED"] as const;

/** Dunning after a failed payment. Times are the account's. */
export const dunningEpisodes = sqliteTable(
  "dunning_episodes",
  {
    id: id(),
    account_id: accountId(),
    subscription_id: text().notNull(),
    cycle: integer().notNull(),
    status: text({ enum: episodeStatuses }).notNull(),
    /** Failed payments, the first included. */
    attempt_count: integer().notNull(),
    /** JSON: days after opened_at on which the payment is tried again, as the account's setting was then. */
    retry_days: text().notNull(),
    /** When the payment is tried again, or the wait for the customer ends. */
    due_at: instant(),
    last_error_code: text(),
    last_error_message: text(),
    opened_at: text().notNull(),
    closed_at: instant(),
    /** From when the days of retries count: opened_at, later by as long as billing waited for others since. */
    retries_from: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.id] })],
);

export type DunningEpisode = typeof dunningEpisodes.$inferSelect;
