import type { Log } from "../../base/lib/log.ts";
import { gidOf, isIdOf } from "../global-ids.ts";
import type { StoreOrder, StoreOwnPlan, StoreRecords } from "../port.ts";
import { findCustomer } from "./customers.ts";
import { readOrder, readPlanGroup } from "./documents.ts";
import { orderOf, orderSchema } from "./orders.ts";
import { listGroups, planIdOf } from "./plans/plan-groups.ts";
import { groupSchema, planOf } from "./plans/selling-plans.ts";
import type { AskShopify } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** Orders and selling plans, read from Shopify with each call. */
export function shopifyRecords(ask: AskShopify, log: Log): StoreRecords {
  const readGroup = async (groupId: string) => {
    if (!isIdOf("SellingPlanGroup", groupId)) return undefined;
    const id = gidOf("SellingPlanGroup", groupId);
    return parseResponse(groupSchema, await ask(readPlanGroup, { id })).sellingPlanGroup ?? undefined;
  };

  return {
    findCustomer: (id) => findCustomer(ask, id),
    async findOrder(id): Promise<StoreOrder | undefined> {
      if (!isIdOf("Order", id)) return undefined;
      const { order } = parseResponse(orderSchema, await ask(readOrder, { id: gidOf("Order", id) }));
      return order ? orderOf(order) : undefined;
    },
    async findSellingPlans(groupId): Promise<StoreOwnPlan[] | undefined> {
      const group = await readGroup(groupId);
      return group?.sellingPlans.nodes.flatMap((node) => {
        const read = planOf(node);
        if (!read) return [];
        const { plan, isPricedOtherwise } = read;
        if (isPricedOtherwise)
          log("selling_plan_priced_otherwise", { alert: true, selling_plan_id: plan.id });
        return [{ ...plan, inexpressible: isPricedOtherwise ? pricedOtherwise : null }];
      });
    },
    async findPlanOfGroup(groupId) {
      const group = await readGroup(groupId);
      return group && planIdOf(group);
    },
    async listSellingPlanGroups() {
      const groups = await listGroups(ask);
      return groups.filter((group) => planIdOf(group) === undefined).map(({ id }) => id);
    },
  };
}

const pricedOtherwise =
  "Its price at the store is fixed, or changes after some cycles: a plan has one permanent discount here";
