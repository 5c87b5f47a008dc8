import { edit, type Mutant } from "./edits.ts";

const follow = "src/domain/closed-days/follow.ts";

function bug(mutant: Mutant): Mutant {
  return { ...mutant, beside: "days" };
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
];
