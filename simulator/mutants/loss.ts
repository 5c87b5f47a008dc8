import { billing, edit, type Mutant } from "./edits.ts";

/** Bugs that lose work. */
export const lossMutants: Mutant[] = [
  {
    name: "no sweep",
    what: "a lost message is never sent again",
    edits: [edit("src/runtime/jobs/tick.ts", "  attempts: [attemptSweep],\n", "")],
    caughtBy: "simulator",
  },
  {
    name: "a claim is never tried again",
    what: "an attempt whose consumer crashes is never continued",
    edits: [edit(`${billing}/claim.ts`, "ELSE $" + '{p("leaseUntil")} END`,', "ELSE NULL END`,")],
    caughtBy: "simulator",
  },
  {
    name: "a lease never ends",
    what: "a claim is held for years",
    edits: [
      edit(`${billing}/claim.ts`, "lease_until: sql`$" + '{p("leaseUntil")}`,', 'lease_until: "9999",'),
    ],
    caughtBy: "simulator",
  },
  {
    name: "contracts are not swept",
    what: "a subscription whose message is lost never gets its contract",
    edits: [edit("src/runtime/jobs/tick.ts", "  unlinked: [unlinkedSweep],\n", "")],
    caughtBy: "simulator",
  },
  {
    name: "no dunning by cron",
    what: "cron does not find retries that are due",
    edits: [edit("src/domain/billing/due.ts", "e.due_at <= at.now)`", "e.due_at <= '2000')`")],
    caughtBy: "simulator",
  },
  {
    name: "the open attempt stays",
    what: "a failed attempt still blocks its subscription",
    edits: [edit(`${billing}/record-failure.ts`, "        open_attempt_id: null,\n", "")],
    caughtBy: "simulator",
  },
  {
    name: "a withdrawn attempt blocks",
    what: "a cancel withdraws the attempt, but its subscription still points to it",
    edits: [
      edit(
        "src/domain/subscriptions/actions/end-of-billing.ts",
        ".set({ open_attempt_id: null })",
        ".set({ note: null })",
      ),
    ],
    caughtBy: "simulator",
  },
  {
    name: "every attempt is number one",
    what: "the number does not grow after a failure",
    edits: [edit(`${billing}/start.ts`, "return before.attempt_number +", "return 1 + 0 *")],
    caughtBy: "simulator",
  },
  {
    name: "a comparison from before a restore counts",
    what: "charges that a restore has undone are never compared, as a message from before it has begun later",
    edits: [
      edit(
        "src/domain/billing/reconcile/nightly.ts",
        "THEN $" + "{stored} ELSE $" + '{p("next")} END`',
        "THEN $" + '{p("next")} ELSE $' + '{p("next")} END`',
      ),
    ],
    caughtBy: {
      file: "test/billing/reconcile.test.ts",
      test: "a message from before a restore leaves out no charge that is older than it",
    },
  },
];
