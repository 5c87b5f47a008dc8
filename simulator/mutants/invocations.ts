import { billing, edit, type Mutant } from "./edits.ts";

const batch = "src/runtime/jobs/batch.ts";
const tests = "test/jobs/batch.test.ts";

/** Bugs of the consumer, which works on a batch side by side within what one invocation may use. */
export const invocationMutants: Mutant[] = [
  {
    name: "the limits are forgotten",
    what: "every message of a batch is begun, whatever the others have used",
    edits: [
      edit(batch, "used + reserved + mostStatements[job.type] <= limits.statements", "limits.statements > 0"),
    ],
    caughtBy: "simulator",
    rule: "an invocation stays within its limits",
  },
  {
    name: "what is under way is not reserved",
    what: "jobs are begun that do not fit beside those that have begun",
    edits: [edit(batch, "used + reserved + mostStatements", "used + mostStatements")],
    caughtBy: { file: tests, test: "what has begun is reserved" },
  },
  {
    name: "one subscription twice at once",
    what: "a contract is synced and charged at once: each finds it in use",
    edits: [edit(batch, "!taken.has(subject) && fits(message)", "fits(message)")],
    caughtBy: { file: tests, test: "messages about one subscription are worked on in their order" },
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
    caughtBy: "simulator",
    rule: "a message is worked on or sent again",
  },
  {
    name: "acknowledged although the queue took nothing",
    what: "whether the messages that were put off are in the queue does not matter",
    edits: [edit(batch, "settle(message, isSent)", "settle(message, isSent || true)")],
    caughtBy: "simulator",
    rule: "a message is worked on or sent again",
  },
  {
    name: "put off as failed",
    what: "a message that did not fit counts as a delivery that has failed",
    edits: [
      edit(
        batch,
        "for (const message of left) settle(message, isSent);",
        "for (const message of left) message.retry();",
      ),
    ],
    caughtBy: { file: tests, test: "what does not fit is sent again, and no delivery counts as failed" },
  },
  {
    name: "one holds up the others",
    what: "subscriptions that fall due together are not done where one of them cannot be",
    edits: [
      edit(
        `${billing}/process-due.ts`,
        "  if (!areDone) await ctx.send(",
        "  if (!areDone && isOvertaken(0)) await ctx.send(",
      ),
    ],
    caughtBy: {
      file: "test/billing/due-together.test.ts",
      test: "one that cannot be billed holds up no other",
    },
  },
];
