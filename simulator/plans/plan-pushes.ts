import {
  changeSellingPlan,
  createSellingPlan,
  removeSellingPlan,
} from "../../src/domain/selling-plans/actions.ts";
import { refreshSellingPlans } from "../../src/domain/store-sync/selling-plans.ts";
import type { Ctx } from "../../src/kit/context.ts";
import type { PlanGroup } from "../../test/support/fake-shopify.ts";
import { runToEnd, spawn } from "../kernel/invocations.ts";
import { untilDone } from "../kernel/until-done.ts";
import type { Part, World } from "../kernel/world.ts";
import type { OpenShopify } from "../stores/shopify/opened.ts";
import { checkPlans } from "./check-plans.ts";

/**
 * People create, change, delete and create again a few plans, which are pushed to the store meanwhile; a merchant changes and deletes
 * their groups there. The store reports each change of a group, its own included; a report comes later, or never.
 */
export function planPushes(world: World, shopify: OpenShopify): Part {
  const { choices } = world;
  const { fake } = shopify;
  let [changes, edits] = [4 + choices.below(12), choices.below(3)];
  const known = new Map<string, string>();
  const reports: Report[] = [];
  /** The plans about whose groups a report was lost. */
  const unreported = new Set<string>();

  const groups = (): PlanGroup[] => fake.planGroups().filter(({ appId }) => appId !== null);
  const noteChanges = (): void => {
    const now = new Map(groups().map((group) => [group.id, textOf(group)]));
    for (const id of new Set([...known.keys(), ...now.keys()]))
      if (known.get(id) !== now.get(id)) reports.push({ id, plan: planIn(now.get(id) ?? known.get(id)) });
    known.clear();
    for (const [id, text] of now) known.set(id, text);
  };

  const change = (): Promise<void> => {
    changes--;
    const id = choices.pick(ids);
    const [name, work] = choices.weighted(kinds);
    const n = choices.below(6);
    world.count("changes of plans");
    return spawn(
      world,
      `${name} ${id} (${n})`,
      { type: "admin", name: "Ada" },
      untilDone(world, work(id, n)),
    );
  };

  const editAtStore = (): void => {
    edits--;
    const group = choices.pick(groups());
    const isDeleted = choices.chance(500);
    world.log(() => `the merchant ${isDeleted ? "deletes" : "changes"} the group of ${group.merchantCode}`);
    world.count("edits of plans at the store");
    if (isDeleted) fake.removePlanGroup(group.id);
    else fake.changePlanGroup(group.id, { plans: [{ ...group.plans[0], name: "Changed at the store" }] });
  };

  const deliver = (nth: number): Promise<void> => {
    const [report] = reports.splice(nth, 1) as [Report];
    return spawn(
      world,
      `webhook of the group of ${report.plan}`,
      { type: "system", name: null },
      (ctx) => refreshSellingPlans(ctx, report.id),
      ({ outcome }) => void (outcome === "done" || reports.push(report)),
    );
  };

  const lose = (nth: number): void => {
    const [{ plan }] = reports.splice(nth, 1) as [Report];
    unreported.add(plan);
    world.log(() => `the webhook of the group of ${plan} is LOST`);
    world.count("webhooks lost");
  };

  return {
    acts: [
      {
        name: "pushes of plans",
        weight(_, isBusy) {
          noteChanges();
          return changes + edits + reports.length === 0 ? 0 : isBusy ? 12 : 20;
        },
        async act() {
          const kind = choices.weighted([
            ["change", changes > 0 ? 12 : 0],
            ["deliver", reports.length > 0 ? 12 : 0],
            ["lose", reports.length > 0 ? 1 : 0],
            ["edit at the store", edits > 0 && groups().length > 0 ? 3 : 0],
          ] as const);
          if (kind === "change" && changes > 0) return change();
          if (kind === "edit at the store") return editAtStore();
          if (reports.length === 0) return;
          return kind === "lose"
            ? lose(choices.below(reports.length))
            : deliver(choices.below(reports.length));
        },
      },
    ],

    async arrive() {
      for (noteChanges(); reports.length > 0 && world.violations.length === 0; noteChanges()) {
        await deliver(0);
        await runToEnd(world);
      }
    },
    check: () => checkPlans(world, groups(), unreported),
  };
}

/** A change of a group of which the app is to hear, and the plan that the group was made for. */
type Report = { id: string; plan: string };

function textOf({ merchantCode, plans, products }: PlanGroup): string {
  return JSON.stringify([merchantCode, plans, [...products]]);
}

function planIn(text: string | undefined): string {
  return text === undefined ? "" : JSON.parse(text)[0];
}

/** Few, so that each is made anew now and then. */
const ids = ["monthly", "fortnightly", "prepaid"];

type Make = (id: string, n: number) => (ctx: Ctx) => Promise<unknown>;

const products = [null, [], ["31001"], ["31001", "31002"]];

function termsOf(n: number) {
  return {
    name: `Plan ${n}`,
    billing_interval: n % 2 ? ("WEEK" as const) : ("MONTH" as const),
    billing_interval_count: 1 + (n % 3),
    product_ids: products[n % 4]!,
  };
}

const kinds: readonly (readonly [readonly [string, Make], number])[] = [
  [["create", (id, n) => (ctx) => createSellingPlan(ctx, { id, ...termsOf(n) })], 5],
  [["change", (id, n) => (ctx) => changeSellingPlan(ctx, id, changesOf(n))], 7],
  [["delete", (id) => (ctx) => removeSellingPlan(ctx, id)], 4],
];

function changesOf(n: number) {
  if (n === 0) return { is_active: false };
  if (n === 1) return { is_active: true, max_cycles: 12 };
  return n === 2 ? { discount_type: "PERCENTAGE" as const, discount_value: 10 } : termsOf(n);
}
