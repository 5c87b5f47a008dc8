import { billing, edit, type Mutant } from "./edits.ts";

const advanceClock = {
  file: "test/jobs/advance-clock.test.ts",
  test: "while its clock is being moved, cron finds nothing due of an account",
};

/** Bugs where billing meets earlier lives, clocks, other accounts and the database's outages. */
export const surroundingMutants: Mutant[] = [
  {
    name: "an earlier life is charged",
    what: "the request of an attempt is repeated after its subscription was cancelled and reactivated",
    edits: [
      edit(
        `${billing}/claim.ts`,
        " AND $" + "{subscriptions.activation} = $" + "{attempts.activation}\n",
        "\n",
      ),
    ],
    caughtBy: {
      file: "test/billing/layers.test.ts",
      test: "an attempt of an earlier life is looked up, and not sent again",
    },
  },
  {
    name: "cron during a move of the clock",
    what: "cron does what is due of an account whose clock is being moved, out of its order",
    edits: [
      edit("src/domain/billing/due/due.ts", " AND a.clock_target IS NULL\n", "\n"),
      edit(
        "src/domain/billing/due/due.ts",
        "isNotNull(accounts.clock_at), isNull(accounts.clock_target)),",
        "isNotNull(accounts.clock_at)),",
      ),
    ],
    caughtBy: advanceClock,
  },
  {
    name: "overloaded is no outage",
    what: "a database that is overloaded fails a request as a bug would",
    edits: [
      edit("src/base/db/transient-errors.ts", '    { words: /overloaded/i, kind: "overloaded" },\n', ""),
    ],
    caughtBy: { file: "src/base/db/commit.test.ts", test: "an outage of the database" },
  },
];
