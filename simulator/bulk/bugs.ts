import { jobSweep } from "../../src/domain/merchant-jobs/outbox.ts";
import { openRow } from "../../src/domain/merchant-jobs/row-ctx.ts";
import { replace, type SeededBug, sweepNothing } from "../seeded-bug.ts";
import { overwriteChanges } from "../undo/bugs.ts";

/** Bugs in how the rows of jobs are done and taken back. */
export const bulkBugs: SeededBug[] = [
  bug({
    name: "a row is marked behind its change",
    what: "a crash between the change of a row and its mark has it done again, and whoever reads it meanwhile does it too",
    rule: "a row's change happens once",
    replaces: [
      replace(openRow, (original) => (ctx, ...row) => {
        const open = original(ctx, ...row);
        return { ...open, ctx: { ...open.ctx, db: ctx.db } };
      }),
    ],
  }),
  bug({
    name: "undoing asks nobody",
    what: "taking a job back overwrites what customers have done since",
    rule: "undoing a job keeps what customers did",
    replaces: [overwriteChanges],
  }),
  bug({
    name: "jobs are not looked for",
    what: "a job whose message was lost stands still",
    rule: "a job comes to its end",
    replaces: [sweepNothing(jobSweep)],
  }),
  bug({
    name: "rows are not counted",
    what: "a job does not say how many of its rows are done",
    rule: "a job counts its rows",
    drops: ["job_rows_counted"],
  }),
  bug({
    name: "rows are not summed up",
    what: "a job does not say what its rows cost now",
    rule: "a job sums up its rows",
    drops: ["job_rows_counted"],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "bulk" };
}
