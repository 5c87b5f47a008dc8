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
    name: "events are not looked for",
    what: "an event whose message was lost is never sent",
    edits: [edit("src/runtime/jobs/tick.ts", "  endpoints: [endpointSweep],\n", "")],
    caughtBy: "simulator",
  },
  {
    name: "no night compares charges",
    what: "a charge that a restore has undone is never known",
    edits: [edit("src/runtime/jobs/tick.ts", "  reconciliations: sweepOf([reconciliationSweep]),\n", "")],
    caughtBy: "simulator",
  },
  {
    name: "stores are not looked for",
    what: "a store whose message was lost is never set up",
    edits: [edit("src/runtime/jobs/tick.ts", "  stores: setUpSweeps,\n", "")],
    caughtBy: {
      file: "test/shopify/install.test.ts",
      test: "the setting-up is repeated by cron until it has succeeded",
    },
  },
  {
    name: "recoveries are not looked for",
    what: "a recovery of events whose message was lost never goes on",
    edits: [edit("src/runtime/jobs/tick.ts", "  recoveries: [recoverySweep],\n", "")],
    caughtBy: {
      file: "test/webhook-endpoints/endpoints.test.ts",
      test: "goes on page by page, and where its message was lost",
    },
  },
  {
    name: "reminder rules are not looked for",
    what: "rules of reminders whose message was lost hold for some subscriptions only",
    edits: [edit("src/runtime/jobs/tick.ts", "  reminder_rules: [reminderRuleSweep],\n", "")],
    caughtBy: {
      file: "test/mail/reminder-rules.test.ts",
      test: "are applied by cron where the message was lost",
    },
  },
  {
    name: "no night takes a forecast",
    what: "nobody is told at night what is to be made",
    edits: [edit("src/runtime/jobs/tick.ts", "  forecasts: sweepOf([forecastSweep]),\n", "")],
    caughtBy: {
      file: "test/goods/runs.test.ts",
      test: "a forecast of 62 days is taken, once, where there are subscriptions",
    },
  },
  {
    name: "erasures are not looked for",
    what: "a customer whose message was lost is never erased",
    edits: [edit("src/runtime/jobs/tick.ts", "  erasures: [erasureSweep],\n", "")],
    caughtBy: {
      file: "test/jobs/tick.test.ts",
      test: "a part that fails keeps none of the others from being done, and the tick fails in the end",
    },
  },
  {
    name: "found again after a page that failed",
    what: "a tick sends thousands of messages twice where a later page of one outbox fails",
    edits: [edit("src/kit/outbox/sweep.ts", "    left(open.map(({ of }) => of));\n", "")],
    caughtBy: {
      file: "test/jobs/tick.test.ts",
      test: "a later page that fails has nothing found again that the pages before it have found",
    },
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
    edits: [edit("src/domain/billing/due/due.ts", "e.due_at <= at.now)`", "e.due_at <= '2000')`")],
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
