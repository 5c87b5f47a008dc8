import { billing, edit, type Mutant } from "./edits.ts";

const asAgreed = "a wait is tried as often as agreed";
const retries = "retries on the agreed days";
const asSet = "goods out of stock are treated as set";

/** Bugs about what waits for others than the customer: how often it is tried, the customer's days meanwhile, and goods out of stock. */
export const waitMutants: Mutant[] = [
  {
    name: "a wait goes on where the last one ended",
    what: "once billing has waited for days, the next wait begins with a pause of a day",
    edits: [
      edit(
        "src/domain/subscriptions/lifecycle.ts",
        "  billing_wait_count: 0,\n  billing_retry_at: null,\n} as const",
        "  billing_retry_at: null,\n} as const",
      ),
    ],
    rule: asAgreed,
    times: 3,
  },
  {
    name: "a message tries a wait at once",
    what: "whatever looks at a subscription that waits tries it, however early",
    edits: [
      edit(
        `${billing}/process-due.ts`,
        "return isEarly ? undefined",
        "return isEarly && !before ? undefined",
      ),
    ],
    rule: asAgreed,
    times: 3,
  },
  {
    name: "waits grow for ever",
    what: "after a week of waiting billing is tried every other week",
    edits: [edit("src/domain/billing/waiting.ts", "longest: dayMs }", "longest: 14 * dayMs }")],
    rule: asAgreed,
  },
  {
    name: "days go on while billing waits",
    what: "a wait for the merchant uses up the customer's days",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        "known ? later(known.retries_from, failure.waitedMs) : ctx.now;",
        "known ? later(known.retries_from, failure.waitedMs * 0) : ctx.now;",
      ),
    ],
    rule: retries,
  },
  {
    name: "days begin with a wait before them",
    what: "a customer's first retry comes later by as long as the merchant's provider was off before",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        "known ? later(known.retries_from, failure.waitedMs) : ctx.now;",
        "later(episode.retries_from, failure.waitedMs);",
      ),
    ],
    rule: retries,
    times: 3,
  },
  {
    name: "nothing is skipped for want of stock",
    what: "billing waits for goods whose delivery the merchant wants to be skipped",
    edits: [
      edit(`${billing}/consequences.ts`, 'ctx.account.out_of_stock_action === "skip"', "isWaiting(row)"),
    ],
    rule: asSet,
  },
  {
    name: "nothing is sold without stock",
    what: "the store is not asked to sell what is out of stock",
    edits: [
      edit(
        `${billing}/charge.ts`,
        'ctx.account.out_of_stock_action === "bill_anyway";',
        'ctx.account.out_of_stock_action === "skip" && false;',
      ),
    ],
    rule: asSet,
  },
  {
    name: "a ship-now without stock skips the schedule",
    what: "the next delivery is left out as one ahead of the schedule could not be made",
    edits: [
      edit(
        `${billing}/consequences.ts`,
        'if (cycle.isOffSchedule || row.status !== "ACTIVE") return ended;',
        'if (row.status !== "ACTIVE") return ended;',
      ),
    ],
    rule: asSet,
    times: 3,
  },
];
