import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag } from "../../base/db/columns.ts";

/** The parts of the files of an import. */
export const importParts = sqliteTable(
  "import_parts",
  {
    account_seq: accountSeq(),
    job_id: text().notNull(),
    part: integer().notNull(),
    row_count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.job_id, t.part] })],
);

/** The lines of subscriptions that were read from the parts, each as JSON of an ImportedLine. */
export const importLines = sqliteTable(
  "import_lines",
  {
    account_seq: accountSeq(),
    job_id: text().notNull(),
    part: integer().notNull(),
    n: integer().notNull(),
    ref: text().notNull(),
    /** The e-mail address, or the customer's id at the store after a colon, by which the lines of a customer are erased. */
    customer: text(),
    line: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.job_id, t.part, t.n] })],
);

/** Records that were moved in, each under the name that its source has for it. An entity's ref names its customer too. */
export const importRefs = sqliteTable(
  "import_refs",
  {
    account_seq: accountSeq(),
    source: text().notNull(),
    kind: text({ enum: ["subscription", "entity", "order"] }).notNull(),
    ref: text().notNull(),
    record_id: text().notNull(),
    job_id: text().notNull(),
    is_held: flag(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.source, t.kind, t.ref] })],
);

export type ImportLine = typeof importLines.$inferSelect;
export type ImportRef = typeof importRefs.$inferSelect;
