import { releaseClock, stepClock, underLease } from "../../src/base/accounts/clock.ts";
import { later } from "../../src/base/lib/time/dates.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
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
    name: "a clock takes two days at once",
    what: "a test clock does the work of a day on the next",
    rule: "a test clock's work is done on its day",
    replaces: [
      replace(stepClock, (original) => (db, account, next) => {
        const twice = later(next, dayMs);
        return original(db, account, twice < (account.clock_target ?? next) ? twice : next);
      }),
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
