import type { Ctx } from "../../context.ts";
import type { Db } from "../../db/client.ts";
import { rows } from "../../db/statement.ts";
import type { SubscriptionView } from "../queries.ts";
import { getSubscription } from "../queries.ts";
import { todayOf } from "../schedule.ts";
import { resumeSubscription } from "./restart.ts";

export type DueResume = { account_id: string; id: string };

/** Paused subscriptions whose pause may be over somewhere on earth; the account's own day decides when it is done. */
export const findPausesOver = (db: Db, latestDate: string, limit: number): Promise<DueResume[]> =>
  rows<DueResume>(db, {
    sql: `SELECT account_id, id FROM subscriptions WHERE pause_until <= ? ORDER BY pause_until, id LIMIT ?`,
    params: [latestDate, limit],
  });

/** Resumes a subscription if its pause is over by the account's day; else leaves it as it is. */
export const resumeIfDue = async (ctx: Ctx, id: string): Promise<SubscriptionView | undefined> => {
  const { row } = await getSubscription(ctx, id);
  if (row.status !== "PAUSED" || row.pause_until === null || row.pause_until > todayOf(ctx)) return undefined;
  return resumeSubscription(ctx, id, false, {});
};
