import type { Db } from "../../base/db/port.ts";
import { sweep } from "../../base/db/sweep.ts";
import type { Job } from "../../base/job.ts";
import type { Instant } from "../../base/lib/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../../stores/port.ts";
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
    await ctx.store.setUp?.();
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    ctx.log("store_outcome_unknown", { account_id, why: error.message });
  }
}

/** Stores that are still to be set up: their message was lost, or they did not answer. Reads across accounts, as cron does. */
export async function sweepSetUps(db: Db, realNow: Instant): Promise<Job[]> {
  const due = await sweep(db, { table: shopifyConnections, id: "account_id", size: 100 } as const, realNow);
  return due.map(({ account_id }) => ({ type: "set_up_store", account_id }));
}
