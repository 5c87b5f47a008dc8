import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";

export const reasonKinds = ["skip", "pause", "cancellation"] as const;
export type ReasonKind = (typeof reasonKinds)[number];

export const reasons = sqliteTable(
  "reasons",
  {
    id: id(),
    account_seq: accountSeq(),
    kind: text({ enum: reasonKinds }).notNull(),
    label: text().notNull(),
    label_de: text(),
    label_fr: text(),
    label_es: text(),
    description: text(),
    position: integer().notNull(),
    is_active: flag(),
    ...stamps,
    deleted_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type Reason = typeof reasons.$inferSelect;
