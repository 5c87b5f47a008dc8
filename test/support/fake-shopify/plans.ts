import { globalId } from "./ids.ts";
import type { Policy } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

/** In per cent, or minor units: off, or instead of the product's; from a cycle on, where one is told. */
export type PlanPrice = ({ percentage: number } | { off: number } | { price: number }) & {
  afterCycle?: number;
};

export type Plan = {
  id: string;
  name: string;
  category: "SUBSCRIPTION" | "PRE_ORDER" | "TRY_BEFORE_YOU_BUY" | "OTHER" | null;
  /** Null where it is billed, or delivered, but once. */
  billing: Policy | null;
  delivery: Policy | null;
  prices: PlanPrice[];
};

export type PlanGroup = { id: string; number: number; plans: Plan[] };

/** A monthly plan at the product's own price, but for what is told; with the id of one it is that one, changed. */
type GivenPlan = Partial<Plan>;

const topic = "selling_plan_groups";

const groupPayload = ({ id, number, plans }: PlanGroup): Record<string, unknown> => ({
  id: number,
  admin_graphql_api_id: id,
  selling_plans: plans.map((plan) => ({ admin_graphql_api_id: plan.id, name: plan.name })),
});

/** The plans that products are sold by; the app is told of what the merchant does with them. */
export const plansOf = (store: FakeStore) => {
  const planOf = (given: GivenPlan): Plan => {
    const billing: Policy | null =
      given.billing === undefined ? { interval: "MONTH", intervalCount: 1 } : given.billing;
    return {
      id: globalId("SellingPlan", store.nextNumber("SellingPlan")),
      name: "Monthly",
      category: "SUBSCRIPTION",
      delivery: billing,
      prices: [],
      ...given,
      billing,
    };
  };
  const planGroup = (id: string): PlanGroup => {
    const found = store.planGroups.get(id);
    if (!found) throw new Error(`The fake store has no ${id}`);
    return found;
  };
  return {
    planGroup,
    addPlanGroup({ plans }: { plans: GivenPlan[] }): string {
      const number = store.nextNumber("SellingPlanGroup");
      const id = globalId("SellingPlanGroup", number);
      const group: PlanGroup = { id, number, plans: plans.map(planOf) };
      store.planGroups.set(id, group);
      emit(store, `${topic}/create`, groupPayload(group));
      return id;
    },
    /** Those of the group's plans that are not among these are gone. */
    changePlanGroup(id: string, { plans }: { plans: GivenPlan[] }): void {
      const group = planGroup(id);
      group.plans = plans.map((given) =>
        planOf({ ...group.plans.find((plan) => plan.id === given.id), ...given }),
      );
      emit(store, `${topic}/update`, groupPayload(group));
    },
    removePlanGroup(id: string): void {
      const { number } = planGroup(id);
      store.planGroups.delete(id);
      emit(store, `${topic}/delete`, { id: number, admin_graphql_api_id: id });
    },
  };
};
