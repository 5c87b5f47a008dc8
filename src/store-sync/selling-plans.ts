import type { Ctx } from "../context.ts";
import { decide } from "../db/decide.ts";
import { syncPlansOfGroup } from "../selling-plans/from-store.ts";
import { listPlanGroups } from "../selling-plans/queries.ts";
import { isSameStoreId } from "../store/ids.ts";

/** How often at most it is asked for and decided anew, where others change the same plans meanwhile. */
const mostTries = 8;

/** Brings our plans of a group of the store's up to what it has now. */
export const refreshSellingPlans = async (ctx: Ctx, groupId: string): Promise<"done" | "later"> => {
  const { records } = ctx.store;
  if (records)
    await decide(() => syncPlansOfGroup(ctx, groupId, () => records.findSellingPlans(groupId)), mostTries);
  return "done";
};

/** Brings our plans of all groups up to what the store has now, those of groups that are no more too; how many groups it has. */
export const importSellingPlans = async (ctx: Ctx): Promise<number> => {
  const there = (await ctx.store.records?.listSellingPlanGroups()) ?? [];
  const gone = (await listPlanGroups(ctx)).filter((id) => !there.some((group) => isSameStoreId(id, group)));
  for (const id of [...there, ...gone]) await refreshSellingPlans(ctx, id);
  return there.length;
};
