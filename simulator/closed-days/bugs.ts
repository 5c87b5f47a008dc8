import { followClosedDays } from "../../src/domain/closed-days/follow.ts";
import { closedDaySweep } from "../../src/domain/closed-days/outbox.ts";
import { firstWalk } from "../../src/domain/closed-days/walk.ts";
import { concerns } from "../../src/domain/delivery/closed-days.ts";
import { calendarOf, nextAfter } from "../../src/domain/subscriptions/dates/index.ts";
import { replace, type SeededBug, sweepNothing } from "../seeded-bug.ts";

/** Bugs in how dates follow closed days. */
export const closedDayBugs: SeededBug[] = [
  bug({
    name: "billing looks at no calendar",
    what: "until the dates have followed, customers are charged for a day that is closed",
    rule: "nothing is done for a closed day",
    replaces: [
      replace(followClosedDays, (original) => (ctx, view, cause) => cause && original(ctx, view, cause)),
    ],
  }),
  bug({
    name: "dates follow on their day",
    what: "customers are shown a closed day until it has come",
    rule: "dates follow closed days",
    replaces: [
      replace(
        followClosedDays,
        (original) => (ctx, view, cause) => (cause ? undefined : original(ctx, view)),
      ),
    ],
  }),
  bug({
    name: "a move is told twice",
    what: "a date that closed days have moved is told of twice",
    rule: "dates follow closed days once",
    replaces: [
      replace(followClosedDays, (original) => (...followed) => {
        const part = original(...followed);
        return part?.entry && { ...part, ownEntries: [part.entry] };
      }),
    ],
  }),
  bug({
    name: "a holiday moves the schedule",
    what: "a delivery that is moved for closed days is what later ones are counted from",
    rule: "closed days leave the schedule as it is",
    replaces: [
      replace(followClosedDays, (original) => (ctx, view, cause) => {
        const part = original(ctx, view, cause);
        const anchor_date = part?.columns?.next_delivery_date ?? view.row.anchor_date;
        return part && { ...part, columns: { ...part.columns, anchor_date } };
      }),
    ],
  }),
  bug({
    name: "opened days put nothing back",
    what: "dates stay where closed days have moved them once these are open again",
    rule: "opened days put each date back",
    replaces: [replace(firstWalk, (original) => ({ ...original, afterDeletion: original.afterCreation }))],
  }),
  bug({
    name: "closed days are not looked for",
    what: "dates whose message was lost follow no closed days",
    rule: "the work on closed days comes to its end",
    replaces: [sweepNothing(closedDaySweep)],
  }),
  bug({
    name: "closed days of one slot close all",
    what: "dates move for days that are closed for another slot",
    rule: "dates move from closed days alone",
    replaces: [replace(concerns, () => () => true)],
  }),
  bug({
    name: "no calendar has closed days",
    what: "the next dates are put on days that are closed",
    rule: "no date is put on a closed day",
    replaces: [replace(calendarOf, (original) => (view) => ({ ...original(view), closed: [] }))],
  }),
  bug({
    name: "a delivery is left out between closed days",
    what: "after a delivery the schedule goes on with the next but one",
    rule: "each delivery of the schedule comes once",
    replaces: [
      replace(nextAfter, (original) => (row, calendar, last) => {
        return original({ ...row, next_index: row.next_index + 1 }, calendar, last);
      }),
    ],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "days" };
}
