import { edit, type Mutant } from "./edits.ts";

const batch = "src/runtime/jobs/batch.ts";

/** Bugs of the consumer, which works on a batch side by side within what one invocation may use. */
export const invocationMutants: Mutant[] = [
  {
    name: "the limits are forgotten",
    what: "every message of a batch is begun, whatever the others have used",
    edits: [
      edit(batch, "used + reserved + mostStatements[job.type] <= limits.statements", "limits.statements > 0"),
    ],
    rule: "an invocation stays within its limits",
  },
  {
    name: "put off and forgotten",
    what: "a message that did not fit is acknowledged, and not sent again",
    edits: [
      edit(
        batch,
        "const isSent = await ports.sendAgain(left.map(({ job }) => job));",
        "const isSent = true;",
      ),
    ],
    rule: "a message is worked on or sent again",
  },
  {
    name: "acknowledged although the queue took nothing",
    what: "whether the messages that were put off are in the queue does not matter",
    edits: [edit(batch, "settle(message, isSent)", "settle(message, isSent || true)")],
    rule: "a message is worked on or sent again",
  },
];
