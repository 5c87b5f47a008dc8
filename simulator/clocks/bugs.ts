import { releaseClock, stepClock, underLease } from "../../src/base/accounts/clock.ts";
import { later } from "../../src/base/lib/time/dates.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { findAllDue } from "../../src/domain/billing/due/due-pages.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs in how test clocks move. */
export const clockBugs: SeededBug[] = [
  bug({
    name: "a clock passes days over",
    what: "a test clock goes to its target at once",
    rule: "a test clock passes nothing by",
    replaces: [
      replace(
        stepClock,
        (original) => (db, account, next) => original(db, account, account.clock_target ?? next),
      ),
    ],
  }),
  bug({
    name: "a clock overshoots",
    what: "a test clock goes on for a day behind its target",
    rule: "a test clock stops at its target",
    replaces: [
      replace(stepClock, (original) => (db, account, next) => original(db, account, later(next, dayMs))),
    ],
  }),
  bug({
    name: "a clock waits for nobody",
    what: "a test clock goes on while a charge is in somebody's hands, and its order comes days late",
    rule: "a test clock's work is done on its day",
    replaces: [
      replace(findAllDue, (original) => async (ctx) => ({ ...(await original(ctx)), isHeld: false })),
    ],
  }),
  bug({
    name: "a clock never arrives",
    what: "a test clock that is at its target counts as under way",
    rule: "a test clock comes to its target",
    replaces: [replace(releaseClock, (original) => (db, accountId) => original(db, accountId, false))],
  }),
  bug({
    name: "a clock goes back",
    what: "whoever held a test clock's lease too long sets it back, and dates what it does back",
    rule: "a test clock goes forward",
    replaces: [replace(underLease, () => (db) => db)],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "clock" };
}
