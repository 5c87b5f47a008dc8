import { isNotNull, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Instant } from "../../base/lib/time/dates.ts";

/** Whose data is erased, and when. */
export type Customer = { account_seq: AccountSeq; profile_id: string; now: Instant };

/** The most rows that one batch changes. */
export const batchSize = 200;

export function notNull(...columns: SQLiteColumn[]): SQL[] {
  return columns.map((column) => isNotNull(column));
}
