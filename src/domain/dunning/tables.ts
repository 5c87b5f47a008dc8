import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, id, instant } from "../../base/db/columns.ts";

export const episodeStatuses = ["OPEN", "AWAITING_CUSTOMER", "RECOVERED", "EXHAUSTED", "CLOSED"] as const;

/** Dunning after a failed payment. Times are the account's. */
export const dunningEpisodes = sqliteTable(
  "dunning_episodes",
  {
    id: id(),
    account_seq: accountSeq(),
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
    /** From when the days of retries count: opened_at, later by as long as billing waited for others, or was paused, since. */
    retries_from: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

/** PENDING: to be sent. SENDING: the store is being asked. UNKNOWN: it did not answer, and may have sent it. REFUSED: given up. */
const noticeStates = ["PENDING", "SENDING", "SENT", "UNKNOWN", "REFUSED"] as const;

/** The e-mails by which a store asks customers for another payment method, one for each episode. Times are real time. */
export const customerNotices = sqliteTable(
  "customer_notices",
  {
    account_seq: accountSeq(),
    dunning_episode_id: text().notNull(),
    subscription_id: text().notNull(),
    state: text({ enum: noticeStates }).notNull(),
    /** When it is due; while it is SENDING, when its sender is given up. Null once it is over. */
    next_action_at: instant(),
    tries: integer().notNull(),
    /** Why the store refused it last. */
    last_refusal: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.dunning_episode_id] })],
);

export type CustomerNotice = typeof customerNotices.$inferSelect;
export type DunningEpisode = typeof dunningEpisodes.$inferSelect;
