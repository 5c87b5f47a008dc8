import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import type { Job } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/dates.ts";
import { hourMs } from "../../base/lib/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { sweep } from "../../kit/outbox/sweep.ts";
import { StoreRefusalError, type StoreSetUp, UnknownOutcomeError } from "../../stores/port.ts";
import { shopifyConnections } from "../../stores/shopify/tables.ts";
import { importSellingPlans } from "./selling-plans.ts";

/**
 * Sets up a store that has just installed the app: its plans are known here, and its webhooks come here. What the store refuses is logged;
 * without an answer cron has all of it done again.
 */
export async function setUpStore(ctx: Ctx): Promise<void> {
  const account_id = ctx.account.id;
  try {
    await importSellingPlans(ctx).catch((error) => {
      if (!(error instanceof StoreRefusalError)) throw error;
      ctx.log("store_not_set_up", { alert: true, account_id, cause: error.message });
    });
    const setUp = await ctx.store.setUp?.();
    if (setUp) await recordSetUp(ctx, setUp);
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    ctx.log("store_outcome_unknown", { account_id, why: error.message });
  }
}

/** What the store has refused is tried again in an hour. */
async function recordSetUp(ctx: Ctx, { webhooks_uri, refusal, warnings }: StoreSetUp): Promise<void> {
  const account_id = ctx.account.id;
  const work = { account_id, webhooks_uri };
  if (refusal) ctx.log("store_not_set_up", { alert: true, account_id, cause: refusal.message });
  for (const cause of warnings) ctx.log("webhook_not_registered", { account_id, cause });
  await commit({ db: ctx.db }, [
    refusal ? outbox.later(work, later(ctx.realNow, hourMs)) : outbox.done(work),
  ]);
}

/** Stores that are still to be set up: their message was lost, or they did not answer. Reads across accounts, as cron does. */
export async function sweepSetUps(db: Db, realNow: Instant): Promise<Job[]> {
  const due = await sweep(db, { ...outbox, size: 100 }, realNow);
  return due.map(({ account_id }) => ({ type: "set_up_store", account_id }));
}

/** The address of its webhooks tells one installation of the app from another. */
const outbox = defineOutbox({
  table: shopifyConnections,
  id: "account_id",
  due: "next_action_at",
  fence: ["webhooks_uri"],
});
