import { edit, type Mutant } from "./edits.ts";

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
    rule: "an object looks when something is due",
  },
  {
    name: "an object blind to debts",
    what: "an account's object does not know when a payment that is owed, or that waits, is tried again",
    edits: [edit("src/runtime/jobs/next-due.ts", "[...real, ...own, ...begins]", "[...real, ...begins]")],
    rule: "an object looks when something is due",
  },
  {
    name: "an object blind to attempts",
    what: "an account's object does not know when an attempt in progress goes on",
    edits: [edit("src/runtime/jobs/next-due.ts", '  "billing_attempts",\n', "")],
    rule: "an object looks when something is due",
  },
];
