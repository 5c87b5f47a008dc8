import { edit, type Mutant } from "./edits.ts";

const closedDates = "src/domain/subscriptions/dates/closed-dates.test.ts";
const properties = "src/domain/subscriptions/dates/closed-dates-properties.test.ts";
const subscriptions = "src/domain/subscriptions";
const follow = "src/domain/closed-days/follow.ts";

function bug(mutant: Omit<Mutant, "caughtBy">): Mutant {
  return { ...mutant, caughtBy: "simulator", beside: "days" };
}

/** Bugs in how dates follow closed days. */
export const closedDayMutants: Mutant[] = [
  bug({
    name: "billing looks at no calendar",
    what: "until the dates have followed, customers are charged for a day that is closed",
    edits: [
      edit(
        "src/domain/billing/actions/process-due.ts",
        "const moved = followClosedDays(ctx, view);",
        "const moved = row.id === undefined ? followClosedDays(ctx, view) : undefined;",
      ),
    ],
    rule: "nothing is done for a closed day",
  }),
  bug({
    name: "a holiday moves the schedule",
    what: "a delivery that is moved for closed days is what later ones are counted from",
    edits: [
      edit(
        follow,
        "columns: { ...dates, schedule_revision",
        "columns: { ...dates, anchor_date: dates.next_delivery_date ?? row.anchor_date, schedule_revision",
      ),
    ],
    rule: "closed days leave the schedule as it is",
  }),
  bug({
    name: "opened days put nothing back",
    what: "dates stay where closed days have moved them once these are open again",
    edits: [
      edit("src/domain/closed-days/walk.ts", "afterDeletion: walkFrom(0)", "afterDeletion: walkFrom(1)"),
    ],
    rule: "opened days put each date back",
  }),
  bug({
    name: "closed days are not looked for",
    what: "dates whose message was lost follow no closed days",
    edits: [edit("src/runtime/jobs/tick.ts", "  closed_days: [closedDaySweep],\n", "")],
    rule: "the work on closed days comes to its end",
  }),
  bug({
    name: "closed days of one slot close all",
    what: "dates move for days that are closed for another slot",
    edits: [
      edit(
        "src/domain/delivery/closed-days.ts",
        "return slot_ids.length === 0 || (slotId !== undefined && slot_ids.includes(slotId));",
        "return slot_ids.length === 0 || slotId !== slot_ids[0];",
      ),
    ],
    rule: "dates move from closed days alone",
  }),
  {
    name: "a slot's new days are taken for closed ones",
    what: "a charge is put on another day, with closed days as the cause, as its slot was given other days",
    edits: [
      edit(
        "src/domain/subscriptions/dates/open-dates.ts",
        "row.scheduled_index === null && hasSameDates(dates, withoutClosedDays(row, calendar))",
        "row.scheduled_index === -1 && hasSameDates(dates, withoutClosedDays(row, calendar))",
      ),
    ],
    caughtBy: { file: closedDates, test: "a slot that is given other days moves no date" },
  },
  {
    name: "two messages until it stands",
    what: "dates whose slot was given other days are moved by two messages, and told twice",
    edits: [
      edit(
        "src/domain/subscriptions/dates/open-dates.ts",
        "const further = dates && datesMoved({ ...row, ...dates }, calendar);",
        "const further = dates && datesMoved(row, { ...calendar, closed: [] }) && undefined;",
      ),
    ],
    caughtBy: {
      file: "test/delivery/closed-days-late.test.ts",
      test: "a delivery that is moved from where it stands is charged as of that day",
    },
  },
  {
    name: "closed days are followed in one round",
    what: "what is changed by closed days as they were known half a minute before is never put right",
    edits: [
      edit(
        "src/domain/closed-days/walk.ts",
        "return isSecond ? undefined :",
        "return isSecond !== false ? undefined :",
      ),
    ],
    caughtBy: {
      file: "test/delivery/closed-days-late.test.ts",
      test: "a skip that still knew the days as closed is put right",
    },
  },
  {
    name: "who knows earlier closed days moves on",
    what: "a message that has begun before the days were opened moves dates by them after they were put back",
    edits: [edit(follow, "writes: [guardUnchanged(ctx)],", "writes: [guardUnchanged(ctx)].slice(1),")],
    caughtBy: {
      file: "test/delivery/closed-days-late.test.ts",
      test: "a message that knew the days while they were closed moves nothing",
    },
  },
  {
    name: "closed days take the turn of a retry",
    what: "a retry that is due as cron has dates follow closed days is made by the next cron",
    edits: [
      edit(
        "src/domain/billing/actions/process-due.ts",
        "return combine(moved, { jobs: [processDueJob(ctx.account.id, [row.id])] });",
        "return moved;",
      ),
    ],
    caughtBy: {
      file: "test/delivery/closed-days-late.test.ts",
      test: "is made in the same run",
    },
  },
  {
    name: "a delivery is put off beyond a later one",
    what: "a delivery on an open day is left out, as another one was put off to the day to which it moves",
    edits: [
      edit(
        "src/domain/subscriptions/dates/open-days.ts",
        "return isOvertaken(at, days.delivery, found) ? undefined : found;",
        "return found;",
      ),
    ],
    caughtBy: { file: properties, test: "each delivery its turn" },
  },
  {
    name: "a skip leaves a charge where dates that follow do not",
    what: "a charge that closed days have moved after a skip moves once more as any closed day changes",
    edits: [
      edit(
        `${subscriptions}/dates/open-dates.ts`,
        "return moveToOpenDays({ ...row, ...counted }, calendar, today);",
        "return counted && recorded;",
      ),
    ],
    caughtBy: {
      file: "test/delivery/closed-days-late.test.ts",
      test: "and it stays as dates follow",
    },
  },
];
