import { build, statement } from "../../src/base/db/statement.ts";
import { settlementStatements } from "../../src/domain/billing/actions/settle.ts";
import { subscriptions } from "../../src/domain/subscriptions/tables.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs by which one account reaches another. */
export const accountBugs: SeededBug[] = [
  {
    name: "a charge frees the attempts of all",
    what: "an attempt that is settled takes the open one off the subscriptions of every account",
    rule: "accounts do not touch each other",
    replaces: [
      replace(settlementStatements, (original) => (...settled) => {
        const ofAll = build.update(subscriptions).set({ open_attempt_id: null });
        return [...original(...settled), statement(ofAll)];
      }),
    ],
  },
];
