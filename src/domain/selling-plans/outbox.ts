import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { sweep } from "../../base/db/sweep.ts";
import { type Job, syncPlanJob } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { type SellingPlanSync, sellingPlans, sellingPlanSyncs as syncs } from "./tables.ts";

/** Has a plan sent to its store at once, where the store sells by plans of ours. */
export async function enqueuePlanSync(ctx: Ctx, planId: string): Promise<void> {
  if (ctx.store.plans) await ctx.send([syncPlanJob(ctx.account.id, planId)]);
}

/** Plans that are due, by real time: their message was lost, or the store did not agree. Reads across accounts, as cron does. */
export async function sweepPlans(db: Db, realNow: Instant): Promise<Job[]> {
  const due = await sweep(db, { table: syncs, id: "selling_plan_id", size: 100 } as const, realNow);
  return due.map(({ account_id, selling_plan_id }) => syncPlanJob(account_id, selling_plan_id));
}

/** Has a plan sent again, because the store's may have changed. */
export function planSyncDue(accountId: string, planId: string, at: Instant): Statement {
  const values = { next_action_at: at, tries: 0, version: sql`${syncs.version} + 1` };
  return statement(
    build
      .update(syncs)
      .set(values)
      .where(and(eq(syncs.account_id, accountId), named(planId))),
  );
}

/** The plan of ours that a store's group was made for, as far as we know. */
export function planOfGroup(accountId: string, groupId: string) {
  return statement(
    build
      .select({ selling_plan_id: syncs.selling_plan_id })
      .from(syncs)
      .where(and(eq(syncs.account_id, accountId), eq(syncs.store_group_id, groupId))),
  );
}

/** Takes a plan that is due, so that nobody else sends it; undefined if it is not due, or somebody else has it. */
export async function takeSync(ctx: Ctx, planId: string): Promise<SellingPlanSync | undefined> {
  const { realNow } = ctx;
  const isFree = or(isNull(syncs.leased_until), lte(syncs.leased_until, realNow));
  const [taken] = await commit({ db: ctx.db }, [
    statement(
      build
        .update(syncs)
        .set({ leased_until: later(realNow, leaseMs) })
        .where(and(eq(syncs.account_id, ctx.account.id), named(planId), isDue(realNow), isFree))
        .returning(),
    ),
  ]);
  return taken.rows[0];
}

/** The store has the plan as it was read. A change since then is still to be sent. */
export function recordSynced(
  sync: SellingPlanSync,
  { groupId, planId }: { groupId: string | null; planId: string | null },
): Statement[] {
  return [
    update(sync, {
      next_action_at: sql`CASE WHEN ${syncs.version} = ${sync.version} THEN NULL ELSE ${syncs.next_action_at} END`,
      tries: 0,
      leased_until: null,
      store_group_id: groupId,
    }),
    updatePlan(sync, { store_plan_id: planId, store_sync_error: null }),
  ];
}

/** The store has no such plan any more. One that was created again meanwhile is still to be sent. */
export function removeSync(sync: SellingPlanSync): Statement[] {
  return [
    statement(build.delete(syncs).where(and(key(sync), eq(syncs.version, sync.version)))),
    update(sync, { leased_until: null, store_group_id: null }),
  ];
}

/** Schedules the next try, unless the plan has changed meanwhile: that is sent at once. */
export function retryLater(sync: SellingPlanSync, retry: Retry, refusal?: string): Statement[] {
  const next_action_at = sql`CASE WHEN ${syncs.version} = ${sync.version} THEN ${retry.next_action_at}
    ELSE ${syncs.next_action_at} END`;
  const waits = update(sync, { ...retry, next_action_at, tries: sync.tries + 1 });
  return refusal === undefined ? [waits] : [waits, updatePlan(sync, { store_sync_error: refusal })];
}

/** Longer than any sequence of requests to a store takes. */
const leaseMs = 150_000;

export type Retry = { next_action_at: Instant; leased_until: Instant | null };

/** The sweep puts off what it finds by a minute. What is due later than this waits for its retry. */
const horizonMs = 90_000;

function isDue(realNow: Instant) {
  return lte(syncs.next_action_at, later(realNow, horizonMs));
}

function named(planId: string) {
  return eq(syncs.selling_plan_id, planId);
}

function key({ account_id, selling_plan_id }: SellingPlanSync) {
  return and(eq(syncs.account_id, account_id), eq(syncs.selling_plan_id, selling_plan_id));
}

function update(
  sync: SellingPlanSync,
  values: Parameters<ReturnType<typeof build.update<typeof syncs>>["set"]>[0],
): Statement {
  return statement(build.update(syncs).set(values).where(key(sync)));
}

function updatePlan(
  { account_id, selling_plan_id }: SellingPlanSync,
  values: { store_plan_id?: string | null; store_sync_error: string | null },
): Statement {
  return statement(
    build
      .update(sellingPlans)
      .set(values)
      .where(and(eq(sellingPlans.account_id, account_id), eq(sellingPlans.id, selling_plan_id))),
  );
}
