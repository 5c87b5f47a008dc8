import { StoreRefusalError } from "../../src/stores/port.ts";
import { addGroupProducts, readPlanGroup } from "../../src/stores/shopify/documents.ts";
import { shopifyPlans } from "../../src/stores/shopify/plans/own-plans.ts";
import { listMarkedGroups } from "../../src/stores/shopify/plans/plan-groups.ts";
import type { AskShopify } from "../../src/stores/shopify/request.ts";
import { confirmed, confirmedIf, contradicted, messageOf, untestable } from "../store-check/outcome.ts";
import { searchPlanGroups } from "./documents.ts";
import { makePlan, planWrites } from "./own-plan.ts";
import { findRefusal } from "./refusal.ts";
import { section } from "./section.ts";

const noOtherApp = "no other app has selling plan groups here";
const unknownProducts = ["gid://shopify/Product/1"];

/** Makes one selling plan group, and deletes it. */
export const plansSection = section({
  name: "plans",
  writes: {
    ...planWrites,
    UpdatePlanGroup: "the price of that group's plan",
    AddGroupProducts:
      "nothing: a product that does not exist is added, to that group and to one of another app",
  },
  needs: [],
  prepare: async (lab) => ({ ...lab, ...(await makePlan(lab)) }),
  checks: {
    "own-groups": async ({ ask }) => {
      const [own, all] = [await search(ask, null), await search(ask, "app_id:ALL")];
      if (all.length === own.length) return untestable(noOtherApp);
      return confirmed(`${own.length} of ${all.length} groups are listed`);
    },
    "other-groups": async ({ ask }) => {
      const own = await search(ask, null);
      const other = (await search(ask, "app_id:ALL")).find((id) => !own.includes(id));
      if (other === undefined) return untestable(noOtherApp);
      const { sellingPlanGroup } = (await ask(readPlanGroup, { id: other })) as { sellingPlanGroup: unknown };
      const refusal = await findRefusal(ask, addGroupProducts, { id: other, products: unknownProducts });
      return confirmedIf(
        sellingPlanGroup === null && refusal !== undefined,
        `read: ${sellingPlanGroup === null ? "null" : "found"}; changed: ${refusal ?? "accepted"}`,
      );
    },
    /** The group is read again by what sends it, which refuses a change that was not applied. */
    "replaced-prices": async ({ ask, plan, groupId }) => {
      const discount = { type: "FIXED_AMOUNT", value: 100 } as const;
      const applied = shopifyPlans(ask).push({ ...plan, discount }, groupId);
      return applied.then(
        () => confirmed("a percentage became an amount"),
        (error: unknown) => {
          if (error instanceof StoreRefusalError) return contradicted(messageOf(error));
          throw error;
        },
      );
    },
    "group-labels": async ({ ask, plan, groupGid }) =>
      confirmedIf((await listMarkedGroups(ask, plan.id))[0] === groupGid, "the group is looked for by them"),
    "unknown-product": async ({ ask, groupGid }) => {
      const refusal = await findRefusal(ask, addGroupProducts, { id: groupGid, products: unknownProducts });
      return confirmedIf(refusal?.startsWith("PRODUCT_DOES_NOT_EXIST") ?? false, refusal ?? "accepted");
    },
  },
});

async function search(ask: AskShopify, query: string | null): Promise<string[]> {
  const { sellingPlanGroups } = (await ask(searchPlanGroups, { query })) as {
    sellingPlanGroups: { nodes: { id: string }[] };
  };
  return sellingPlanGroups.nodes.map(({ id }) => id);
}
