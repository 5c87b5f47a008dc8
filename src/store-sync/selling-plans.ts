import type { Ctx } from "../context.ts";
import { decide } from "../db/decide.ts";
import type { Outcome } from "../job.ts";
import { syncPlansOfGroup } from "../selling-plans/from-store.ts";
import { listPlanGroups } from "../selling-plans/queries.ts";
import { isSameStoreId } from "../store/ids.ts";

/** How often the group is read and decided on again while others change the same plans. */
const maxTries = 8;

/** Updates our plans of a group to what the store has now. */
export async function refreshSellingPlans(ctx: Ctx, groupId: string): Promise<Outcome> {
  const { records } = ctx.store;
  if (records)
    await decide(() => syncPlansOfGroup(ctx, groupId, () => records.findSellingPlans(groupId)), maxTries);
  return "done";
}

/** Updates our plans of all groups, also those that the store no longer has. Returns the number of groups at the store. */
export async function importSellingPlans(ctx: Ctx): Promise<number> {
  const groups = (await ctx.store.records?.listSellingPlanGroups()) ?? [];
  const removed = (await listPlanGroups(ctx)).filter(
    (id) => !groups.some((group) => isSameStoreId(id, group)),
  );
  for (const id of [...groups, ...removed]) await refreshSellingPlans(ctx, id);
  return groups.length;
}
