import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, instant } from "../../base/db/columns.ts";

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
    /** The line of the part, by linesOfRow, and which of its lines this is. */
    n: integer().notNull(),
    ref: text().notNull(),
    /** The e-mail address, or the customer's id at the store after a colon, by which the lines of a customer are erased. */
    customer: text(),
    line: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.job_id, t.part, t.n] })],
);

/** A row of a file has fewer lines. */
export const linesOfRow = 1000;

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

/** Payment methods of providers that the store was asked to make, each once for a customer and a reference (remote-methods.ts). */
export const remotePaymentMethods = sqliteTable(
  "remote_payment_methods",
  {
    account_seq: accountSeq(),
    store_customer_id: text().notNull(),
    /** JSON of a RemoteMethod. */
    reference: text().notNull(),
    job_id: text().notNull(),
    /** JSON: the ids of the payment methods that the customer had before. */
    known_ids: text().notNull(),
    requested_at: instant().notNull(),
    claimed_until: instant().notNull(),
    store_payment_method_id: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.store_customer_id, t.reference] })],
);

export type RemotePaymentMethod = typeof remotePaymentMethods.$inferSelect;
export type ImportRef = typeof importRefs.$inferSelect;
