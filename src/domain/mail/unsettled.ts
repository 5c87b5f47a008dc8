import { sql } from "drizzle-orm";
import type { SuppressedReason } from "./facts/silence.ts";
import { mails } from "./tables.ts";

/** The last error of a mail that the provider may have, and that is not sent again. */
export const outcomeUnknown = "the outcome is unknown: the provider may have sent it";

/** The columns of mails that waited and are not sent any more; those that the provider may have are not said to be unsent. */
export function endedColumns(reason: SuppressedReason) {
  const { status, suppressed_reason, last_error, unsettled_at } = mails;
  const unsent = sql`${status} = 'PENDING' AND ${unsettled_at} IS NULL`;
  const unknown = sql`${status} = 'PENDING' AND ${unsettled_at} IS NOT NULL`;
  return {
    status: sql`CASE WHEN ${unsent} THEN 'SUPPRESSED' WHEN ${unknown} THEN 'FAILED' ELSE ${status} END`,
    suppressed_reason: sql`CASE WHEN ${unsent} THEN ${sql.raw(`'${reason}'`)} ELSE ${suppressed_reason} END`,
    last_error: sql`CASE WHEN ${unknown} THEN ${sql.raw(`'${outcomeUnknown}'`)} ELSE ${last_error} END`,
  };
}
