import { edit, type Mutant } from "./edits.ts";

const ownPlans = "src/stores/shopify/plans/own-plans.ts";
const outbox = "src/domain/selling-plans/outbox.ts";

function atShopify(mutant: Omit<Mutant, "platform" | "caughtBy">): Mutant {
  return { ...mutant, platform: "shopify", caughtBy: "simulator", beside: "plans" };
}

/** Bugs by which a store sells by other plans than those that are here. */
export const planMutants: Mutant[] = [
  atShopify({
    name: "a plan changed meanwhile counts as sent",
    what: "a plan that is changed while it is sent is not sent again",
    edits: [edit(outbox, 'mark: ["version"],', "mark: [],")],
    rule: "the store has a plan as it is",
  }),
  atShopify({
    name: "plans are not swept",
    what: "a plan whose message was lost is never sent",
    edits: [edit("src/runtime/jobs/tick.ts", "  plans: [planSweep],\n", "")],
    rule: "every plan reaches the store",
  }),
  atShopify({
    name: "a late group is sold too",
    what: "a plan whose creation arrives late, once it was made anew, is sold twice",
    edits: [
      edit(
        ownPlans,
        "      await removeGroups(\n        ask,\n        marked.filter((other) => other !== id),\n      );\n",
        "",
      ),
    ],
    rule: "the store has each plan once",
    times: 3,
  }),
  atShopify({
    name: "a deleted plan is sold",
    what: "a plan that is deleted while it is created is left at the store",
    edits: [
      edit(
        ownPlans,
        "new Set([...(known ? [known.id] : []), ...marked])",
        "new Set(known ? [known.id] : [])",
      ),
    ],
    rule: "no deleted plan is sold",
    times: 3,
  }),
  {
    name: "a group is deleted unnoticed",
    what: "a plan whose group a merchant deletes while it is made stays without one",
    platform: "shopify",
    edits: [
      edit(
        "src/domain/store-sync/selling-plans.ts",
        "if (!isAtStore) await syncPlansThatMayHave(ctx, groupId);",
        "",
      ),
    ],
    caughtBy: {
      file: "test/shopify/plans-at-store.test.ts",
      test: "to a group that is just being made is changed back",
    },
  },
  {
    name: "a push outlasts its lease",
    what: "a plan that is removed while a slow request creates it is left at the store, as the push finds it sent",
    platform: "shopify",
    edits: [edit(outbox, "[isHeld, ...writes]", "[isHeld, ...writes].slice(1)")],
    caughtBy: {
      file: "test/shopify/plans-meanwhile.test.ts",
      test: "is not sold, though its group is reported before the request is answered",
    },
  },
  {
    name: "an overtaken push is forgotten",
    what: "a plan is left at the store that a slow request has created after it was removed, unless the store reports it",
    platform: "shopify",
    edits: [
      edit(outbox, "await commit({ db }, [insertPlanDue(account_seq, selling_plan_id, realNow)]);", ""),
    ],
    caughtBy: {
      file: "test/shopify/plans-meanwhile.test.ts",
      test: "is not sold, though the store never reports its group",
    },
  },
];
