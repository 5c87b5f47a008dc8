import type { Log } from "../../lib/log.ts";
import type { StoreOrder, StoreRecords, StoreSellingPlan } from "../port.ts";
import { listPlanGroups, readOrder, readPlanGroup } from "./documents.ts";
import { gidOf, isIdOf } from "./ids.ts";
import { orderOf, orderSchema } from "./orders.ts";
import type { Ask } from "./request.ts";
import { parseResponse } from "./responses.ts";
import { groupSchema, groupsSchema, planOf } from "./selling-plans.ts";

/** Orders and selling plans, read from Shopify with each call. */
export const shopifyRecords = (ask: Ask, log: Log): StoreRecords => {
  const groupsAfter = async (after: string | null): Promise<string[]> => {
    const answer = parseResponse(groupsSchema, await ask(listPlanGroups, { after }));
    const { nodes, pageInfo } = answer.sellingPlanGroups;
    const ids = nodes.map(({ id }) => id);
    return pageInfo.hasNextPage ? [...ids, ...(await groupsAfter(pageInfo.endCursor))] : ids;
  };

  return {
    async findOrder(id): Promise<StoreOrder | undefined> {
      if (!isIdOf("Order", id)) return undefined;
      const { order } = parseResponse(orderSchema, await ask(readOrder, { id: gidOf("Order", id) }));
      return order ? orderOf(order) : undefined;
    },
    async findSellingPlans(groupId): Promise<StoreSellingPlan[] | undefined> {
      if (!isIdOf("SellingPlanGroup", groupId)) return undefined;
      const id = gidOf("SellingPlanGroup", groupId);
      const { sellingPlanGroup: group } = parseResponse(groupSchema, await ask(readPlanGroup, { id }));
      return group?.sellingPlans.nodes.flatMap((node) => {
        const read = planOf(node);
        if (read?.isPricedOtherwise) log("selling_plan_priced_otherwise", { selling_plan_id: read.plan.id });
        return read ? [read.plan] : [];
      });
    },
    listSellingPlanGroups: () => groupsAfter(null),
  };
};
