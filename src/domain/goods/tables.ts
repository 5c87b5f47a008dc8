import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq } from "../../base/db/columns.ts";

/** The goods of a page of subscriptions, as a forecast has found them (page-text.ts). */
export const forecastPages = sqliteTable(
  "forecast_pages",
  {
    account_seq: accountSeq(),
    job_id: text().notNull(),
    n: integer().notNull(),
    cells: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.job_id, t.n] })],
);
