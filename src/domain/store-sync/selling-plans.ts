import { commit } from "../../base/db/commit.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { first } from "../../base/db/statement.ts";
import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { onItsOwn } from "../../kit/on-its-own.ts";
import { isSameStoreId, plainId } from "../../stores/ids.ts";
import { syncPlansOfGroup } from "../selling-plans/from-store.ts";
import { enqueuePlanSync, insertPlanDue, markGroupGone, selectPlanOfGroup } from "../selling-plans/outbox.ts";
import { listPlanGroups } from "../selling-plans/queries.ts";

/**
 * Updates our plans of a group to what the store has now. A group that was made for a plan of ours follows the plan instead: what was
 * changed at the store is changed back.
 */
export async function refreshSellingPlans(ctx: Ctx, groupId: string): Promise<JobOutcome> {
  const { records } = ctx.store;
  if (!records) return "done";
  const ours = (await records.findPlanOfGroup(groupId)) ?? (await findPlanOfGroup(ctx, groupId));
  if (ours !== undefined) await syncAgain(ctx, ours);
  else {
    const { isAtStore } = await retryOnConflict(
      () => syncPlansOfGroup(ctx, groupId, () => records.findSellingPlans(groupId)),
      maxTries,
    );
    if (!isAtStore) await syncPlansThatMayHave(ctx, groupId);
  }
  return "done";
}

/** Updates our plans of all groups, also those that the store no longer has. Returns the number of groups at the store. */
export async function importSellingPlans(ctx: Ctx): Promise<number> {
  const { records } = ctx.store;
  if (!records) return 0;
  const groups = await records.listSellingPlanGroups();
  const removed = (await listPlanGroups(ctx)).filter(
    (id) => !groups.some((group) => isSameStoreId("SellingPlanGroup", id, group)),
  );
  for (const id of [...groups, ...removed])
    await onItsOwn(ctx, { task: "selling_plans", store_group_id: id }, () => refreshSellingPlans(ctx, id));
  return groups.length;
}

/** The number of times that the group is read and decided on again while others change the same plans. */
const maxTries = 8;

async function findPlanOfGroup(ctx: Ctx, groupId: string): Promise<string | undefined> {
  const found = await first(ctx.db, selectPlanOfGroup(ctx.account.seq, plainId("SellingPlanGroup", groupId)));
  return found?.selling_plan_id;
}

/**
 * Sends the plans again that may have a group which the store no longer has: one that names it by now, and each that is just getting a group, as
 * that does not name it yet.
 */
async function syncPlansThatMayHave(ctx: Ctx, groupId: string): Promise<void> {
  const group = plainId("SellingPlanGroup", groupId);
  const [named] = await commit({ db: ctx.db }, markGroupGone(ctx.account.seq, group, ctx.realNow));
  for (const { selling_plan_id } of named.rows) await enqueuePlanSync(ctx, selling_plan_id);
}

async function syncAgain(ctx: Ctx, planId: string): Promise<void> {
  await commit({ db: ctx.db }, [insertPlanDue(ctx.account.seq, planId, ctx.realNow)]);
  await enqueuePlanSync(ctx, planId);
}
