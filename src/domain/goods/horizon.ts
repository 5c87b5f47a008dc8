import { raw, rows } from "../../base/db/statement.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import type { Interval } from "../../base/lib/time/intervals.ts";
import type { Ctx } from "../../kit/context.ts";
import { todayOf } from "../../kit/days.ts";
import type { Question } from "./cells.ts";

export const horizons = ["next", "projected"] as const;
export type Horizon = (typeof horizons)[number];

/**
 * `next` where the days end before any subscription can be delivered twice: then the next delivery of each is all that comes. The shortest
 * interval of the account decides it.
 */
export async function horizonOf(ctx: Ctx, { to }: Pick<Question, "to">): Promise<Horizon> {
  const today = todayOf(ctx);
  if (to < today) return "next";
  const intervals = await rows(ctx.db, selectIntervals(ctx));
  const days = Math.min(...intervals.map(shortestDays));
  return days === Number.POSITIVE_INFINITY || to < addDays(today, days) ? "next" : "projected";
}

/** The fewest days between two deliveries. In a slot these are whole weeks. */
function shortestDays({ unit, count }: Interval): number {
  if (unit === "DAY") return count < 7 ? count : count - (count % 7);
  return count * { WEEK: 7, MONTH: 28, YEAR: 365 }[unit];
}

/**
 * The shortest interval of each unit: from the counts of those that live, and of those that have ended and are still delivered. Raw, because
 * the index is named.
 */
function selectIntervals({ account }: Ctx) {
  return raw<Interval>(
    `SELECT delivery_interval AS unit, MIN(delivery_interval_count) AS count FROM subscription_counts
      WHERE account_seq = ?1 AND status IN ('ACTIVE', 'PAUSED') AND count > 0 GROUP BY delivery_interval
    UNION ALL SELECT delivery_interval, MIN(delivery_interval_count)
      FROM subscriptions INDEXED BY subscriptions_outstanding
      WHERE account_seq = ?1 AND status NOT IN ('ACTIVE', 'PAUSED')
        AND (next_index < next_billed_index OR open_attempt_id IS NOT NULL) GROUP BY delivery_interval`,
    account.seq,
  );
}
