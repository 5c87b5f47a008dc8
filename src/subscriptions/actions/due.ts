import type { Ctx } from "../../context.ts";
import type { Db } from "../../db/client.ts";
import { rows } from "../../db/statement.ts";
import { dateIn } from "../../lib/dates.ts";
import type { SubscriptionView } from "../queries.ts";
import { todayOf } from "../schedule.ts";
import { perform } from "./perform.ts";
import { resumed } from "./restart.ts";

export type DueResume = { account_id: string; id: string };

/** Paused subscriptions whose pause is over by their account's own day, the longest over first. */
export const findPausesOver = async (db: Db, now: string, limit: number): Promise<DueResume[]> => {
  const zones = await rows<{ timezone: string }>(db, {
    sql: "SELECT DISTINCT timezone FROM accounts",
    params: [],
  });
  const days = Object.fromEntries(zones.map(({ timezone }) => [timezone, dateIn(now, timezone)]));
  const latest = Object.values(days).sort().at(-1) ?? "";
  return rows<DueResume>(db, {
    sql: `SELECT s.account_id, s.id FROM subscriptions AS s JOIN accounts AS a ON a.id = s.account_id
      JOIN json_each(?) AS day ON day.key = a.timezone
      WHERE s.pause_until <= ? AND s.pause_until <= day.value ORDER BY s.pause_until, s.id LIMIT ?`,
    params: [JSON.stringify(days), latest, limit],
  });
};

/** Resumes a subscription if its pause is over by the account's day, as it is when it is written; else leaves it. */
export const resumeIfDue = (ctx: Ctx, id: string): Promise<SubscriptionView> =>
  perform(ctx, id, false, ({ row, place }) => {
    const isDue = row.status === "PAUSED" && row.pause_until !== null && row.pause_until <= todayOf(ctx);
    return isDue ? resumed(ctx, row, place, undefined) : undefined;
  });
