import type { Ctx } from "../context.ts";
import type { Db } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { sweep } from "../db/sweep.ts";
import type { Job } from "../job.ts";
import { type Instant, later } from "../lib/dates.ts";
import { type WebhookDelivery, webhookDeliveries } from "./tables.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Longer than a store tries to deliver (48 hours): till then it is known which have come. */
const keptMs = 7 * 24 * hourMs;

export const jobOf = ({ account }: Ctx, webhook_id: string): Job => ({
  type: "webhook",
  account_id: account.id,
  webhook_id,
});

/** Keeps a delivery; false where it has come before, and nothing is changed. */
export const keepDelivery = async (
  { db, account, realNow }: Ctx,
  { webhook_id, topic, subject }: Pick<WebhookDelivery, "webhook_id" | "topic" | "subject">,
): Promise<boolean> => {
  const [kept] = await commit({ db }, [
    {
      sql: `INSERT INTO webhook_deliveries (account_id, webhook_id, topic, subject, tries, next_action_at, received_at)
        VALUES (?, ?, ?, ?, 0, ?, ?) ON CONFLICT DO NOTHING RETURNING webhook_id`,
      params: [account.id, webhook_id, topic, subject, later(realNow, minuteMs), realNow],
    },
  ]);
  return kept?.rows.length === 1;
};

/** So often the queue has tried a delivery for hours on end: from then on once a day is enough. */
const manyTries = 30;

/** A delivery that is still to be worked on, and left to its message and the queue's own retries for an hour. */
export const takeDelivery = async (
  { db, account, realNow }: Ctx,
  webhookId: string,
): Promise<WebhookDelivery | undefined> => {
  const [taken] = await commit({ db }, [
    {
      sql: `UPDATE webhook_deliveries SET tries = tries + 1, next_action_at = CASE WHEN tries < ? THEN ? ELSE ? END
        WHERE account_id = ? AND webhook_id = ? AND done_at IS NULL RETURNING *`,
      params: [manyTries, later(realNow, hourMs), later(realNow, 24 * hourMs), account.id, webhookId],
    },
  ]);
  return taken?.rows[0] as WebhookDelivery | undefined;
};

export const endDelivery = ({ db, account, realNow }: Ctx, { webhook_id }: WebhookDelivery) =>
  commit({ db }, [
    {
      sql: `UPDATE webhook_deliveries SET done_at = ?, next_action_at = NULL
        WHERE account_id = ? AND webhook_id = ? AND done_at IS NULL`,
      params: [realNow, account.id, webhook_id],
    },
  ]);

/** Ever later: 5, 10, 20 … seconds, an hour at most; by a delayed message, and by the sweep should that be lost. */
export const putOffDelivery = async (ctx: Ctx, { webhook_id, tries }: WebhookDelivery): Promise<void> => {
  const seconds = Math.min(3600, 5 * 2 ** Math.min(tries - 1, 10));
  await commit({ db: ctx.db }, [
    {
      sql: `UPDATE webhook_deliveries SET next_action_at = ?
        WHERE account_id = ? AND webhook_id = ? AND done_at IS NULL`,
      params: [later(ctx.realNow, seconds * 1000 + minuteMs), ctx.account.id, webhook_id],
    },
  ]);
  await ctx.send([jobOf(ctx, webhook_id)], seconds);
};

const pruneSize = 1000;

/** Deliveries whose message was lost. */
export const sweepDeliveries = async (db: Db, realNow: Instant): Promise<Job[]> => {
  const outbox = { table: webhookDeliveries, id: "webhook_id", size: 200 } as const;
  const swept = await sweep(db, outbox, realNow);
  return swept.map((found) => ({ type: "webhook", ...found }));
};

/** Forgets deliveries that were done a week ago, so many a tick. */
export const pruneDeliveries = (db: Db, now: Date): Promise<unknown> =>
  commit({ db }, [
    {
      sql: `DELETE FROM webhook_deliveries WHERE rowid IN (SELECT rowid FROM webhook_deliveries
        WHERE done_at < ? ORDER BY done_at LIMIT ?)`,
      params: [new Date(now.getTime() - keptMs).toISOString(), pruneSize],
    },
  ]);
