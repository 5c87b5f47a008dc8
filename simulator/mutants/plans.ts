import { edit, type Mutant } from "./edits.ts";

const ownPlans = "src/stores/shopify/plans/own-plans.ts";
const outbox = "src/domain/selling-plans/outbox.ts";

function atShopify(mutant: Omit<Mutant, "platform">): Mutant {
  return { ...mutant, platform: "shopify", beside: "plans" };
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
];
