import { edit, type Mutant } from "./edits.ts";

const columns = "test/node/due-columns.test.ts";

/** Bugs where an account with an object would not look for what has fallen due. */
export const objectMutants: Mutant[] = [
  {
    name: "an object asleep",
    what: "a write of an account with an object does not have it look for what the write made due",
    edits: [
      edit(
        "src/base/db/object.ts",
        "if (usage.rows_written > before) afterWrite?.();",
        "if (usage.rows_written < before) afterWrite?.();",
      ),
    ],
    caughtBy: "simulator",
    rule: "an object looks when something is due",
  },
  {
    name: "an object blind to debts",
    what: "an account's object does not know when a payment that is owed, or that waits, is tried again",
    edits: [edit("src/runtime/jobs/next-due.ts", "[...real, ...own, ...begins]", "[...real, ...begins]")],
    caughtBy: "simulator",
    rule: "an object looks when something is due",
  },
  {
    name: "an object blind to attempts",
    what: "an account's object does not know when an attempt in progress goes on",
    edits: [edit("src/runtime/jobs/next-due.ts", '  "billing_attempts",\n', "")],
    caughtBy: "simulator",
    rule: "an object looks when something is due",
  },
  {
    name: "an object blind to notices",
    what: "an account's object does not know when an e-mail about a declined card is due",
    edits: [edit("src/runtime/jobs/next-due.ts", '  "customer_notices",\n', "")],
    caughtBy: { file: columns, test: "customer_notices.next_action_at" },
  },
  {
    name: "an object blind to nights",
    what: "an account's object does not know when its charges are compared next",
    edits: [edit("src/runtime/jobs/next-due.ts", 'after("next_at", "reconciliations")', '"NULL"')],
    caughtBy: { file: columns, test: "reconciliations.next_at" },
  },
];
