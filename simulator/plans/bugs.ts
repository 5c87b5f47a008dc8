import { planSweep } from "../../src/domain/selling-plans/outbox.ts";
import { listMarkedGroups } from "../../src/stores/shopify/plans/plan-groups.ts";
import { replace, type SeededBug, sweepNothing } from "../seeded-bug.ts";

/** Bugs by which a store sells by other plans than those that are here. */
export const planBugs: SeededBug[] = [
  {
    name: "a plan's change is not marked",
    what: "a plan that is changed after it was sent is not sent again",
    rule: "the store has a plan as it is",
    drops: ["selling_plan_syncs_update"],
  },
  {
    name: "plans are not swept",
    what: "a plan whose message was lost is never sent",
    rule: "every plan reaches the store",
    replaces: [sweepNothing(planSweep)],
  },
  {
    name: "a plan is made anew",
    what: "a plan whose creation had no answer is created again, and sold twice",
    rule: "the store has each plan once",
    replaces: [replace(listMarkedGroups, () => async () => [])],
  },
  {
    name: "a deleted plan is sold",
    what: "a plan that is deleted while it is created is left at the store",
    rule: "no deleted plan is sold",
    replaces: [replace(listMarkedGroups, () => async () => [])],
    times: 3,
  },
].map((bug): SeededBug => ({ ...bug, platform: "shopify", beside: "plans" }));
