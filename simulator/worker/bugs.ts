import { objectDb } from "../../src/base/db/object.ts";
import { processDueJob } from "../../src/base/job.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { processDue } from "../../src/domain/billing/actions/process-due.ts";
import { nextDueAt } from "../../src/edges/operator/next-due.ts";
import { workBatch } from "../../src/runtime/jobs/batch.ts";
import { mostStatements } from "../../src/runtime/jobs/budget.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs of the consumer, which works on a batch side by side within what one invocation may use, of cron and of objects. */
export const workerBugs: SeededBug[] = [
  {
    name: "the limits are forgotten",
    what: "every message of a batch is begun, whatever the others have used",
    rule: "an invocation stays within its limits",
    replaces: [
      replace(workBatch, (original) => (batch, ports) => {
        const limits = { ...ports.limits, statements: Number.POSITIVE_INFINITY };
        return original(batch, { ...ports, limits });
      }),
    ],
  },
  {
    name: "acknowledged although the queue took nothing",
    what: "whether the messages that were put off are in the queue does not matter",
    rule: "a message is worked on or sent again",
    replaces: [
      replace(workBatch, (original) => (batch, ports) => {
        const sendAgain: typeof ports.sendAgain = (jobs) => ports.sendAgain(jobs).then(() => true);
        return original(batch, { ...ports, sendAgain });
      }),
    ],
  },
  {
    name: "work that asks for more",
    what: "each message about what is due sends another, about nothing",
    rule: "messages come to an end",
    replaces: [
      replace(processDue, (original) => async (ctx, ids) => {
        if (ids.length > 0) await original(ctx, ids);
        await ctx.send([processDueJob(ctx.account.id, [])]);
      }),
    ],
  },
  {
    name: "a message that is refused",
    what: "work that somebody else has done already fails its message",
    rule: "jobs succeed without faults",
    replaces: [
      replace(processDue, (original) => async (ctx, ids) => {
        const before = ctx.db.usage.rows_written;
        await original(ctx, ids);
        if (ctx.db.usage.rows_written === before) throw new Error("Nothing was due");
      }),
    ],
  },
  {
    name: "a job counts as one statement",
    what: "jobs are begun as if each of them took one statement",
    rule: "a job runs no more statements than its most",
    replaces: [replace(mostStatements, (original) => ({ ...original, process_due: 1 }))],
  },
  {
    name: "an object asleep",
    what: "a write of an account with an object does not have it look for what the write made due",
    rule: "an object looks when something is due",
    replaces: [replace(objectDb, (original) => (parts) => original({ ...parts, afterWrite: () => {} }))],
  },
  {
    name: "an object that oversleeps",
    what: "an account's object looks a day after something is due",
    rule: "an object looks when something is due",
    replaces: [
      replace(nextDueAt, (original) => async (db, now) => {
        const at = await original(db, now);
        return at === undefined ? undefined : at + dayMs;
      }),
    ],
  },
];
