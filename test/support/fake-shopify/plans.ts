import { globalId } from "./ids.ts";
import type { Policy } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

/** A percentage or an amount in minor units off the product's price, or a price instead of it; optionally after a cycle. */
export type PlanPrice = ({ percentage: number } | { off: number } | { price: number }) & {
  afterCycle?: number;
};

export type Plan = {
  id: string;
  name: string;
  category: "SUBSCRIPTION" | "PRE_ORDER" | "TRY_BEFORE_YOU_BUY" | "OTHER" | null;
  /** Null if it is billed or delivered only once. */
  billing: Policy | null;
  delivery: Policy | null;
  prices: PlanPrice[];
};

export type PlanGroup = {
  id: string;
  number: number;
  plans: Plan[];
  /** The app's own; the groups of other apps do not exist for it. */
  isOurs: boolean;
  name: string;
  appId: string | null;
  merchantCode: string;
  /** The global ids of the products that it is offered for. */
  products: Set<string>;
};

/** The default is a monthly plan at the product's own price. With the id of a plan it changes that plan. */
export type PlanInput = Partial<Plan>;

type NewGroup = {
  plans: PlanInput[];
  isOurs?: boolean;
  name?: string | null;
  appId?: string | null;
  merchantCode?: string | null;
};

export function groupPayload({ id, number, plans }: PlanGroup): Record<string, unknown> {
  return {
    id: number,
    admin_graphql_api_id: id,
    selling_plans: plans.map((plan) => ({ admin_graphql_api_id: plan.id, name: plan.name })),
  };
}

/** Creates a group; the app hears of its own groups alone. */
export function newGroup(store: FakeStore, { plans, isOurs = true, ...labels }: NewGroup): PlanGroup {
  const number = store.nextNumber("SellingPlanGroup");
  const group: PlanGroup = {
    id: globalId("SellingPlanGroup", number),
    number,
    plans: plans.map((plan) => newPlan(store, plan)),
    isOurs,
    name: labels.name ?? "Subscription",
    appId: labels.appId ?? null,
    merchantCode: labels.merchantCode ?? "subscription",
    products: new Set(),
  };
  store.planGroups.set(group.id, group);
  if (isOurs) emit(store, `${topic}/create`, groupPayload(group));
  return group;
}

/** The shop's selling plans; each change by the merchant sends the app a webhook. */
export function plansOf(store: FakeStore) {
  const planGroup = (id: string): PlanGroup => {
    const found = store.planGroups.get(id);
    if (!found) throw new Error(`The fake store has no ${id}`);
    return found;
  };
  return {
    planGroup,
    planGroups: (): PlanGroup[] => [...store.planGroups.values()],
    /** A group of our app unless it says otherwise. */
    addPlanGroup: (group: NewGroup): string => newGroup(store, group).id,
    /** Replaces the plans of a group; those that are not listed are removed. */
    changePlanGroup(id: string, { plans }: { plans: PlanInput[] }): void {
      const group = planGroup(id);
      group.plans = plans.map((input) =>
        newPlan(store, { ...group.plans.find((plan) => plan.id === input.id), ...input }),
      );
      emit(store, `${topic}/update`, groupPayload(group));
    },
    removePlanGroup(id: string): void {
      const { number } = planGroup(id);
      store.planGroups.delete(id);
      emit(store, `${topic}/delete`, { id: number, admin_graphql_api_id: id });
    },
  };
}

const topic = "selling_plan_groups";

function newPlan(store: FakeStore, input: PlanInput): Plan {
  const billing: Policy | null =
    input.billing === undefined ? { interval: "MONTH", intervalCount: 1 } : input.billing;
  return {
    id: globalId("SellingPlan", store.nextNumber("SellingPlan")),
    name: "Monthly",
    category: "SUBSCRIPTION",
    delivery: billing,
    prices: [],
    ...input,
    billing,
  };
}
