import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId } from "../db/columns.ts";

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    account_id: accountId(),
    caller: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    request_hash: text().notNull(),
    token: text().notNull(),
    state: text({ enum: ["CLAIMED", "COMMITTED", "DONE"] }).notNull(),
    lease_until: text().notNull(),
    status: integer(),
    headers: text(),
    body: text(),
    created_at: text().notNull(),
    /** JSON: the ids that the request had created when it committed. */
    made: text(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.caller, t.method, t.path, t.key] })],
);

export type IdempotencyKey = typeof idempotencyKeys.$inferSelect;
