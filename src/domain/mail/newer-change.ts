import { first, raw } from "../../base/db/statement.ts";
import type { Instant } from "../../base/lib/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { EventRow } from "../events/queries.ts";

type Within = { until: Instant; types: string[] };

/**
 * Whether another mail tells of a later change of the event's subscription, until an instant of the account's time. The events of one
 * instant are told apart by their place in the stream, which deliveries know. Raw, because the index is named.
 */
export async function hasNewerChange(ctx: Ctx, event: EventRow, { until, types }: Within): Promise<boolean> {
  const newer = raw<{ found: number }>(
    `SELECT 1 AS found FROM mails AS newer INDEXED BY mails_of_profile CROSS JOIN event_deliveries AS delivery
        ON delivery.account_seq = newer.account_seq AND delivery.id = newer.id
      WHERE newer.account_seq = ?1 AND newer.profile_id IS NOT NULL AND newer.profile_id = ?2
        AND newer.created_at >= ?3 AND newer.subscription_id = ?4 AND newer.happened_at <= ?5
        AND newer.event_type IN (SELECT value FROM json_each(?6)) AND delivery.sequence > CAST(?7 AS INTEGER) LIMIT 1`,
    ctx.account.seq,
    event.profile_id,
    event.recorded_at ?? event.created_at,
    event.subscription_id,
    until,
    JSON.stringify(types),
    event.sequence,
  );
  return (await first(ctx.db, newer)) !== undefined;
}
