import { edit, type Mutant } from "./edits.ts";

function bug(mutant: Mutant): Mutant {
  return { ...mutant, beside: "bulk" };
}

/** Bugs in how the rows of jobs are done and taken back. */
export const bulkMutants: Mutant[] = [
  bug({
    name: "a row is done by whoever reads it",
    what: "a message that comes twice, or a page that is read again, does a row once more",
    edits: [
      edit(
        "src/domain/merchant-jobs/row-ctx.ts",
        "sql: `(EXISTS (SELECT 1 FROM job_rows",
        "sql: `(1 = 1 OR EXISTS (SELECT 1 FROM job_rows",
      ),
      edit(
        "src/domain/merchant-jobs/rows-page.ts",
        "const isTaken = row.status === work.takes;",
        "const isTaken = row.n > 0;",
      ),
    ],
    rule: "a row's change happens once",
  }),
  bug({
    name: "a row is marked behind its change",
    what: "a crash between the change of a row and its mark has it done again",
    edits: [
      edit(
        "src/base/db/wrapped/first-write.ts",
        "const results = await fenced.batch([...joined, ...statements], mode);",
        "const results = [{ rows: [] }, ...(await fenced.batch(statements, mode))];\n      await db.batch(joined, mode);",
      ),
    ],
    rule: "a row's change happens once",
  }),
  bug({
    name: "undoing asks nobody",
    what: "taking a job back overwrites what customers have done since",
    edits: [
      edit(
        "src/domain/subscriptions/undo/restore-columns.ts",
        "if (names.length > 0) return",
        "if (names.length > 99) return",
      ),
    ],
    rule: "undoing a job keeps what customers did",
  }),
  bug({
    name: "jobs are not looked for",
    what: "a job whose message was lost stands still",
    edits: [edit("src/runtime/jobs/tick.ts", "  merchant_jobs: [jobSweep],\n", "")],
    rule: "a job comes to its end",
  }),
];
