import { billing, edit, type Mutant } from "./edits.ts";

/** Bugs that lose work. */
export const lossMutants: Mutant[] = [
  {
    name: "no sweep",
    what: "a lost message is never sent again",
    edits: [edit("src/runtime/jobs/tick.ts", "  attempts: [attemptSweep],\n", "")],
  },
  {
    name: "events are not looked for",
    what: "an event whose message was lost is never sent",
    edits: [edit("src/runtime/jobs/tick.ts", "  endpoints: [endpointSweep],\n", "")],
  },
  {
    name: "no night compares charges",
    what: "a charge that a restore has undone is never known",
    edits: [edit("src/runtime/jobs/tick.ts", "  reconciliations: sweepOf([reconciliationSweep]),\n", "")],
  },
  {
    name: "a claim is never tried again",
    what: "an attempt whose consumer crashes is never continued",
    edits: [edit(`${billing}/claim.ts`, "ELSE $" + '{p("leaseUntil")} END`,', "ELSE NULL END`,")],
  },
  {
    name: "a lease never ends",
    what: "a claim is held for years",
    edits: [
      edit(`${billing}/claim.ts`, "lease_until: sql`$" + '{p("leaseUntil")}`,', 'lease_until: "9999",'),
    ],
  },
  {
    name: "contracts are not swept",
    what: "a subscription whose message is lost never gets its contract",
    edits: [edit("src/runtime/jobs/tick.ts", "  unlinked: [unlinkedSweep],\n", "")],
  },
  {
    name: "no dunning by cron",
    what: "cron does not find retries that are due",
    edits: [edit("src/domain/billing/due/due.ts", "e.due_at <= at.now)`", "e.due_at <= '2000')`")],
  },
  {
    name: "the open attempt stays",
    what: "a failed attempt still blocks its subscription",
    edits: [edit(`${billing}/record-failure.ts`, "        open_attempt_id: null,\n", "")],
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
  },
  {
    name: "every attempt is number one",
    what: "the number does not grow after a failure",
    edits: [edit(`${billing}/start.ts`, "return before.attempt_number +", "return 1 + 0 *")],
  },
];
