import { changeSubscriptions } from "../../src/domain/subscriptions/actions/change-subscriptions.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs in how a row that breaks is kept apart from the others. */
export const poisonBugs: SeededBug[] = [
  {
    name: "one row breaks a batch for good",
    what: "what is due together is tried again together, however often one row breaks it",
    rule: "a row that breaks holds up no other",
    replaces: [
      replace(changeSubscriptions, (original) => async (...batch) => {
        await original(...batch);
        return true;
      }),
    ],
    beside: "poison",
  },
];
