import { isNull, lt, sql } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import type { Job } from "../../base/job.ts";
import { doublingPause } from "../../base/lib/backoff.ts";
import { later } from "../../base/lib/time/dates.ts";
import { dayMs, hourMs, minuteMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { prune } from "../../kit/outbox/prune.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import type { StoreWebhook } from "../../stores/webhooks.ts";
import { webhookDeliveries as deliveries, type WebhookDelivery } from "./tables.ts";

/** Stores a webhook; false, and nothing changes, where it has been stored before. */
export async function addDelivery({ db, account, realNow }: Ctx, webhook: StoreWebhook): Promise<boolean> {
  const row = {
    ...webhook,
    account_seq: account.seq,
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
  const [taken] = await commit({ db }, [
    outbox.take(
      { account_seq: account.seq, webhook_id: webhookId },
      {
        tries: sql`${deliveries.tries} + 1`,
        next_action_at: sql`CASE WHEN ${deliveries.tries} < ${manyTries} THEN ${nextHour} ELSE ${nextDay} END`,
      },
    ),
  ]);
  return taken.rows[0];
}

/** The delivery is done; a repeated one of the same id changes nothing. */
export function deliveryDone({ db, realNow }: Ctx, delivery: WebhookDelivery): Promise<unknown> {
  return commit({ db }, [outbox.done(delivery, { done_at: realNow })]);
}

/** The delays grow: 5, 10, 20 … seconds, an hour at most. If the delayed message is lost, the sweep finds the delivery. */
export async function deliveryLater(ctx: Ctx, delivery: WebhookDelivery): Promise<void> {
  const { webhook_id, tries } = delivery;
  const seconds = doublingPause({ first: 5, longest: 3600 }, tries - 1);
  const at = later(ctx.realNow, seconds * 1000 + minuteMs);
  await commit({ db: ctx.db }, [outbox.later(delivery, at)]);
  await ctx.send([jobOf(ctx, webhook_id)], seconds);
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

const outbox = defineOutbox({
  table: deliveries,
  id: "webhook_id",
  due: "next_action_at",
  open: isNull(deliveries.done_at),
});

/** Jobs for deliveries whose message was lost. */
export const deliverySweep = defineSweep({ ...outbox, size: 200 }, (found) => ({
  type: "webhook",
  ...found,
}));
