import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { prune } from "../../base/db/prune.ts";
import { build, statement } from "../../base/db/statement.ts";
import { sweep } from "../../base/db/sweep.ts";
import type { Job } from "../../base/job.ts";
import { doublingPause } from "../../base/lib/backoff.ts";
import { type Instant, later } from "../../base/lib/dates.ts";
import { dayMs, hourMs, minuteMs } from "../../base/lib/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import type { StoreWebhook } from "../../stores/webhooks.ts";
import { webhookDeliveries as deliveries, type WebhookDelivery } from "./tables.ts";

/** Stores a webhook; false, and nothing changes, where it has been stored before. */
export async function addDelivery({ db, account, realNow }: Ctx, webhook: StoreWebhook): Promise<boolean> {
  const row = {
    ...webhook,
    account_id: account.id,
    tries: 0,
    next_action_at: later(realNow, minuteMs),
    received_at: realNow,
  };
  const insert = build
    .insert(deliveries)
    .values(row)
    .onConflictDoNothing()
    .returning({ webhook_id: deliveries.webhook_id });
  const [added] = await commit({ db }, [statement(insert)]);
  return added?.rows.length === 1;
}

/** A delivery that is not done yet. For an hour it is left to its message and the queue's retries; the sweep finds it then. */
export async function takeDelivery(
  { db, account, realNow }: Ctx,
  webhookId: string,
): Promise<WebhookDelivery | undefined> {
  const [nextHour, nextDay] = [later(realNow, hourMs), later(realNow, dayMs)];
  const update = build
    .update(deliveries)
    .set({
      tries: sql`${deliveries.tries} + 1`,
      next_action_at: sql`CASE WHEN ${deliveries.tries} < ${manyTries} THEN ${nextHour} ELSE ${nextDay} END`,
    })
    .where(isOpen(account.id, webhookId))
    .returning();
  const [taken] = await commit({ db }, [statement(update)]);
  return taken?.rows[0] as WebhookDelivery | undefined;
}

export function endDelivery({ db, account, realNow }: Ctx, { webhook_id }: WebhookDelivery) {
  const update = build
    .update(deliveries)
    .set({ done_at: realNow, next_action_at: null })
    .where(isOpen(account.id, webhook_id));
  return commit({ db }, [statement(update)]);
}

/** The delays grow: 5, 10, 20 … seconds, an hour at most. If the delayed message is lost, the sweep finds the delivery. */
export async function postponeDelivery(ctx: Ctx, { webhook_id, tries }: WebhookDelivery): Promise<void> {
  const seconds = doublingPause({ first: 5, longest: 3600 }, tries - 1);
  const update = build
    .update(deliveries)
    .set({ next_action_at: later(ctx.realNow, seconds * 1000 + minuteMs) })
    .where(isOpen(ctx.account.id, webhook_id));
  await commit({ db: ctx.db }, [statement(update)]);
  await ctx.send([jobOf(ctx, webhook_id)], seconds);
}

/** Jobs for deliveries whose message was lost. */
export async function sweepDeliveries(db: Db, realNow: Instant): Promise<Job[]> {
  const outbox = { table: deliveries, id: "webhook_id", size: 200 } as const;
  const swept = await sweep(db, outbox, realNow);
  return swept.map((found) => ({ type: "webhook", ...found }));
}

/** Deletes deliveries that were done a week ago, a limited number at each tick. */
export function pruneDeliveries(db: Db, now: Date): Promise<unknown> {
  const { done_at } = deliveries;
  const weekAgo = new Date(now.getTime() - retentionMs).toISOString();
  return prune(db, deliveries, { where: lt(done_at, weekAgo), oldestBy: done_at, size: pruneSize });
}

export function jobOf({ account }: Ctx, webhook_id: string): Job {
  return { type: "webhook", account_id: account.id, webhook_id };
}

/** By then the queue has retried a delivery for hours: from then on one try a day is enough. */
const manyTries = 30;

/** Shopify retries for 48 hours; while a row exists, a repeated webhook is recognised. */
const retentionMs = 7 * dayMs;
const pruneSize = 1000;

function isOpen(accountId: string, webhookId: string) {
  return and(
    eq(deliveries.account_id, accountId),
    eq(deliveries.webhook_id, webhookId),
    isNull(deliveries.done_at),
  );
}
