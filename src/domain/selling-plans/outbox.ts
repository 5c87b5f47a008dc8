import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { syncPlanJob } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import { type SellingPlanSync, sellingPlans, sellingPlanSyncs as syncs } from "./tables.ts";

/** Has a plan sent to its store at once, where the store sells by plans of ours. */
export async function enqueuePlanSync(ctx: Ctx, planId: string): Promise<void> {
  if (ctx.store.plans) await ctx.send([syncPlanJob(ctx.account.id, planId)]);
}

/** Has all plans sent that were created here, to a store that has just been connected. */
export function insertAllPlansDue(accountSeq: AccountSeq, at: Instant): Statement {
  const ours = build
    .select({
      account_seq: sellingPlans.account_seq,
      selling_plan_id: sellingPlans.id,
      next_action_at: sql<string>`${at}`.as("next_action_at"),
      tries: sql<number>`0`.as("tries"),
      version: sql<number>`1`.as("version"),
      lease_until: sql<null>`NULL`.as("lease_until"),
      store_group_id: sql<null>`NULL`.as("store_group_id"),
    })
    .from(sellingPlans)
    .where(and(eq(sellingPlans.account_seq, accountSeq), isNull(sellingPlans.store_group_id)));
  return statement(
    build
      .insert(syncs)
      .select(ours)
      .onConflictDoUpdate({
        target: [syncs.account_seq, syncs.selling_plan_id],
        set: { next_action_at: at, tries: 0, version: sql`${syncs.version} + 1`, lease_until: null },
      }),
  );
}

/**
 * Has a plan sent again, because the store's may have changed; one that was deleted, because a request that made it may have arrived
 * at the store since.
 */
export function insertPlanDue(accountSeq: AccountSeq, planId: string, at: Instant): Statement {
  const plan = { account_seq: accountSeq, selling_plan_id: planId, next_action_at: at };
  return statement(
    build
      .insert(syncs)
      .values({ ...plan, tries: 0, version: 1, lease_until: null, store_group_id: null })
      .onConflictDoUpdate({
        target: [syncs.account_seq, syncs.selling_plan_id],
        set: { next_action_at: at, tries: 0, version: sql`${syncs.version} + 1` },
      }),
  );
}

/**
 * Has the plan sent again that a group was made for which the store no longer has. Which plan that is may not be known yet, as it is being
 * sent: each plan that is under way is sent once more.
 */
export function markGroupGone(
  accountSeq: AccountSeq,
  groupId: string,
  at: Instant,
): [Statement<{ selling_plan_id: string }>, Statement] {
  const ours = eq(syncs.account_seq, accountSeq);
  const version = sql`${syncs.version} + 1`;
  return [
    statement(
      build
        .update(syncs)
        .set({ next_action_at: at, tries: 0, version })
        .where(and(ours, eq(syncs.store_group_id, groupId)))
        .returning({ selling_plan_id: syncs.selling_plan_id }),
    ),
    statement(
      build
        .update(syncs)
        .set({ version })
        .where(and(ours, isNotNull(syncs.next_action_at))),
    ),
  ];
}

/** The plan of ours that a store's group was made for, as far as we know. */
export function selectPlanOfGroup(accountSeq: AccountSeq, groupId: string) {
  return statement(
    build
      .select({ selling_plan_id: syncs.selling_plan_id })
      .from(syncs)
      .where(and(eq(syncs.account_seq, accountSeq), eq(syncs.store_group_id, groupId))),
  );
}

/** Takes a plan that is due, so that nobody else sends it; undefined if it is not due, or somebody else has it. */
export async function takeSync(ctx: Ctx, planId: string): Promise<SellingPlanSync | undefined> {
  const { realNow } = ctx;
  const work = { account_seq: ctx.account.seq, selling_plan_id: planId };
  const [taken] = await commit({ db: ctx.db }, [
    outbox.takeDue(work, { lease_until: later(realNow, leaseMs) }, realNow),
  ]);
  return taken.rows[0];
}

/**
 * Writes what became of a plan that was taken. Where somebody else has taken it since, as this took longer than its lease, nothing of that is
 * written, and the plan is sent once more: what this one had the store do may have come after what the other one did.
 */
export async function recordSync(
  { db, realNow }: Ctx,
  sync: SellingPlanSync,
  writes: Statement[],
): Promise<void> {
  const { account_seq, selling_plan_id, lease_until } = sync;
  const isHeld = guard(
    "NOT EXISTS (SELECT 1 FROM selling_plan_syncs WHERE account_seq = ? AND selling_plan_id = ? AND lease_until = ?)",
    [account_seq, selling_plan_id, lease_until],
  );
  try {
    await commit({ db }, [isHeld, ...writes]);
  } catch (error) {
    if (!isGuard(error)) throw error;
    await commit({ db }, [insertPlanDue(account_seq, selling_plan_id, realNow)]);
  }
}

/** The store has the plan as it was read. A change since then is still to be sent. */
export function updateSynced(
  sync: SellingPlanSync,
  { groupId, planId }: { groupId: string | null; planId: string | null },
): Statement[] {
  return [
    outbox.done(sync, { tries: 0, store_group_id: groupId }),
    updatePlan(sync, { store_plan_id: planId, store_sync_error: null }),
  ];
}

/** The store has no such plan any more. One that was created again meanwhile is still to be sent. */
export function deleteSync(sync: SellingPlanSync): Statement[] {
  return [outbox.drop(sync), outbox.done(sync, { store_group_id: null })];
}

/** The plan is sent again later, unless it has changed meanwhile: that is sent at once. Until `lease_until` nobody else sends it. */
export function updateRetry(
  sync: SellingPlanSync,
  { next_action_at, lease_until }: PlanRetry,
  refusal?: string,
): Statement[] {
  const waits = outbox.later(sync, next_action_at, { lease_until, tries: sync.tries + 1 });
  return refusal === undefined ? [waits] : [waits, updatePlan(sync, { store_sync_error: refusal })];
}

export type PlanRetry = { next_action_at: Instant; lease_until: Instant | null };

/** Longer than any sequence of requests to a store takes. */
const leaseMs = 150_000;

const outbox = defineOutbox({
  table: syncs,
  id: "selling_plan_id",
  due: "next_action_at",
  lease: "lease_until",
  mark: ["version"],
});

function updatePlan(
  { account_seq, selling_plan_id }: SellingPlanSync,
  values: { store_plan_id?: string | null; store_sync_error: string | null },
): Statement {
  return statement(
    build
      .update(sellingPlans)
      .set(values)
      .where(and(eq(sellingPlans.account_seq, account_seq), eq(sellingPlans.id, selling_plan_id))),
  );
}

/** Plans that are due, by real time: their message was lost, or the store did not agree. Reads across accounts, as cron does. */
export const planSweep = defineSweep({ ...outbox, size: 100 }, ({ account_id, selling_plan_id }) =>
  syncPlanJob(account_id, selling_plan_id),
);
