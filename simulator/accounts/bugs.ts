import { build, statement } from "../../src/base/db/statement.ts";
import { withdrawalStatements } from "../../src/domain/subscriptions/actions/end-of-billing.ts";
import { subscriptions } from "../../src/domain/subscriptions/tables.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs by which one account reaches another. */
export const accountBugs: SeededBug[] = [
  {
    name: "a cancel frees the attempts of all",
    what: "a withdrawn attempt takes the open one off the subscriptions of every account",
    rule: "accounts do not touch each other",
    replaces: [
      replace(withdrawalStatements, (original) => (...withdrawn) => {
        const ofAll = build.update(subscriptions).set({ open_attempt_id: null });
        return [...original(...withdrawn), statement(ofAll)];
      }),
    ],
    times: 3,
  },
];
