import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq } from "../../../base/db/columns.ts";

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    account_seq: accountSeq(),
    caller: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    request_hash: text().notNull(),
    token: text().notNull(),
    /** COMMITTED: the request has changed something, and its response is not stored yet. DONE: its response is stored. */
    state: text({ enum: ["COMMITTED", "DONE"] }).notNull(),
    status: integer(),
    headers: text(),
    body: text(),
    created_at: text().notNull(),
    /** JSON: the ids that the request had created when it committed. */
    made: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.caller, t.method, t.path, t.key] })],
);

export type IdempotencyKey = typeof idempotencyKeys.$inferSelect;
