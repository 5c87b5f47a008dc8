import { minorOf } from "./amounts.ts";
import { checkedId } from "./ids.ts";
import {
  groupPayload,
  newGroup,
  type Plan,
  type PlanGroup,
  type PlanInput,
  type PlanPrice,
} from "./plans.ts";
import type { Policy, UserError } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

type PricingInput = {
  fixed?: {
    adjustmentType: "PERCENTAGE" | "FIXED_AMOUNT" | "PRICE";
    adjustmentValue: { percentage?: number | null; fixedValue?: string | null };
  };
};
type SellingPlanInput = {
  id?: string | null;
  name?: string | null;
  options?: string[] | null;
  category?: Plan["category"];
  billingPolicy?: { recurring: Policy } | null;
  deliveryPolicy?: { recurring: Policy } | null;
  pricingPolicies?: PricingInput[] | null;
};
type GroupInput = {
  name?: string | null;
  appId?: string | null;
  merchantCode?: string | null;
  options?: string[] | null;
  sellingPlansToCreate?: SellingPlanInput[] | null;
  sellingPlansToUpdate?: SellingPlanInput[] | null;
  sellingPlansToDelete?: string[] | null;
};

/** The mutations of selling plan groups. A group belongs to the app that has made it: another's does not exist for it. */
export function planMutations(store: FakeStore) {
  const ours = (id: string): PlanGroup | undefined => {
    const group = store.planGroups.get(checkedId("SellingPlanGroup", id));
    return group?.isOurs ? group : undefined;
  };
  const missing = () => refused(error("GROUP_DOES_NOT_EXIST", ["id"], "Selling plan group does not exist."));
  const productErrors = (ids: string[]): UserError[] =>
    ids
      .filter((id) => !/^gid:\/\/shopify\/Product\/\d+$/.test(id) || store.unknownProducts.has(id))
      .map(() => error("PRODUCT_DOES_NOT_EXIST", ["productIds"], "Product does not exist."));
  const changed = (group: PlanGroup) => {
    emit(store, "selling_plan_groups/update", groupPayload(group));
    return { sellingPlanGroup: { id: group.id }, userErrors: [] };
  };
  return {
    sellingPlanGroupCreate: (args: { input: GroupInput; resources?: { productIds?: string[] } | null }) => {
      const { input, resources } = args;
      const plans = input.sellingPlansToCreate ?? [];
      const products = resources?.productIds ?? [];
      const errors = [
        ...plans.flatMap((plan) => planErrors(plan, "sellingPlansToCreate")),
        ...productErrors(products),
      ];
      if (plans.length === 0)
        errors.push(
          error("SELLING_PLAN_COUNT_LOWER_BOUND", ["input"], "Must include at least one selling plan"),
        );
      if (errors.length > 0) return refused(...errors);
      const group = newGroup(store, {
        ...input,
        isOurs: true,
        plans: plans.map((plan) => planInputOf(store, plan)),
      });
      for (const id of products) group.products.add(id);
      return { sellingPlanGroup: { id: group.id }, userErrors: [] };
    },
    sellingPlanGroupUpdate: ({ id, input }: { id: string; input: GroupInput }) => {
      const group = ours(id);
      if (!group) return missing();
      const updates = input.sellingPlansToUpdate ?? [];
      const errors = updates.flatMap((plan) => planErrors(plan, "sellingPlansToUpdate"));
      if (updates.some((plan) => !group.plans.some((one) => one.id === plan.id)))
        errors.push(error("PLAN_DOES_NOT_EXIST", ["input"], "Selling plan does not exist."));
      if (errors.length > 0) return refused(...errors);
      if (input.name) group.name = input.name;
      const deleted = input.sellingPlansToDelete ?? [];
      group.plans = group.plans
        .filter((plan) => !deleted.includes(plan.id))
        .map((plan) => {
          const update = updates.find((one) => one.id === plan.id);
          return update ? { ...plan, ...planInputOf(store, update) } : plan;
        });
      return changed(group);
    },
    sellingPlanGroupDelete: ({ id }: { id: string }) => {
      const group = ours(id);
      if (!group) return missing();
      store.planGroups.delete(group.id);
      emit(store, "selling_plan_groups/delete", { id: group.number, admin_graphql_api_id: group.id });
      return { userErrors: [] };
    },
    sellingPlanGroupAddProducts: ({ id, productIds }: { id: string; productIds: string[] }) => {
      const group = ours(id);
      if (!group) return missing();
      const errors = productErrors(productIds);
      if (errors.length > 0) return refused(...errors);
      for (const product of productIds) group.products.add(product);
      return changed(group);
    },
    sellingPlanGroupRemoveProducts: ({ id, productIds }: { id: string; productIds: string[] }) => {
      const group = ours(id);
      if (!group) return missing();
      for (const product of productIds) group.products.delete(product);
      return changed(group);
    },
  };
}

function error(code: string, field: string[], message: string): UserError {
  return { code, field, message };
}

function refused(...userErrors: UserError[]) {
  return { userErrors };
}

function priceOf({ fixed }: PricingInput, currency: string): PlanPrice {
  if (!fixed) throw new Error("The fake store has no recurring pricing policies of apps");
  const { adjustmentType, adjustmentValue } = fixed;
  if (adjustmentType === "PERCENTAGE") return { percentage: adjustmentValue.percentage ?? 0 };
  const amount = minorOf(adjustmentValue.fixedValue ?? "0", currency);
  return adjustmentType === "PRICE" ? { price: amount } : { off: amount };
}

function planInputOf(store: FakeStore, input: SellingPlanInput): PlanInput {
  return {
    ...(input.id ? { id: input.id } : {}),
    ...(input.name ? { name: input.name } : {}),
    ...(input.category ? { category: input.category } : {}),
    ...(input.billingPolicy ? { billing: input.billingPolicy.recurring } : {}),
    ...(input.deliveryPolicy ? { delivery: input.deliveryPolicy.recurring } : {}),
    ...(input.pricingPolicies
      ? { prices: input.pricingPolicies.map((price) => priceOf(price, store.settings.currency)) }
      : {}),
  };
}

function planErrors(input: SellingPlanInput, at: string): UserError[] {
  const { minCycles, maxCycles } = input.billingPolicy?.recurring ?? {};
  return minCycles != null && maxCycles != null && maxCycles < minCycles
    ? [
        error(
          "SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES",
          ["input", at],
          "Selling plan's billing policy max cycles must be greater than min cycles.",
        ),
      ]
    : [];
}
