import { listPlanGroups } from "../documents.ts";
import type { AskShopify } from "../request.ts";
import { parseResponse } from "../responses.ts";
import { groupsSchema, type ListedGroup } from "./selling-plans.ts";

/** By this a group says that its plan is kept here; themes can find our groups by it too. */
export const groupAppId = "perennial";

/** The plan of ours that a group was made for. */
export function planIdOf({ appId, merchantCode }: Pick<ListedGroup, "appId" | "merchantCode">) {
  return appId === groupAppId ? merchantCode : undefined;
}

/** All groups of our app; Shopify shows no others. */
export async function listGroups(ask: AskShopify): Promise<ListedGroup[]> {
  const groups: ListedGroup[] = [];
  for (let after: string | null = null; ; ) {
    const { sellingPlanGroups }: ReturnType<typeof groupsSchema.parse> = parseResponse(
      groupsSchema,
      await ask(listPlanGroups, { after }),
    );
    groups.push(...sellingPlanGroups.nodes);
    if (!sellingPlanGroups.pageInfo.hasNextPage) return groups;
    after = sellingPlanGroups.pageInfo.endCursor;
  }
}

/** The global ids of the groups that were made for a plan of ours: one, unless a request has arrived late. */
export async function listMarkedGroups(ask: AskShopify, planId: string): Promise<string[]> {
  return (await listGroups(ask)).filter((group) => planIdOf(group) === planId).map(({ id }) => id);
}
