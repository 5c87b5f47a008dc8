import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { instant, pathId, queryList } from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { jobKinds, jobRowStatuses, jobStatuses } from "./tables.ts";

export const jobParams = pathId("job", demoId("job", 1));

const JobKindName = z.enum(jobKinds).openapi("JobKind", {
  description:
    "What a job does. FORECAST: counts the goods of days to come. IMPORT: moves subscriptions in. BULK: changes many subscriptions.",
});
const JobStatusName = z.enum(jobStatuses).openapi("JobStatus", {
  description:
    "Where a job stands. STAGING, CHECKING, READY: it is prepared. RUNNING: it works, or waits for a store that does not answer. PAUSED: it goes on once it is resumed. DONE, CANCELLED: it has ended. FAILED: it has ended early, and goes on once it is resumed. UNDOING, UNDONE: what it did is taken back.",
});
const JobRowStatusName = z.enum(jobRowStatuses).openapi("JobRowStatus", {
  description:
    "What became of a row. PENDING: not done yet. OK: done. FAILED: its errors say why. SKIPPED: the state of the record did not allow it, as its errors say. UNDONE: taken back.",
});

const counts = z.int();

export const JobBody = named(
  "Job",
  z.strictObject({
    id: idOut,
    kind: JobKindName,
    status: JobStatusName,
    total: counts,
    done: counts,
    failed: counts,
    skipped: counts,
    undone: counts,
    summary: z.record(z.string(), z.unknown()),
    created_by: z.string().nullable(),
    created_at: instant,
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
    estimate_seconds: z.int().nullable(),
    error: z.string().nullable(),
  }),
  {
    id: ["The job's id.", demoId("job", 1)],
    kind: "What it does.",
    status: "Where it stands.",
    total: ["How many rows it has, as far as is known; a row of a forecast is a page of subscriptions.", 4],
    done: ["How many rows are done.", 3],
    failed: ["How many rows have failed.", 0],
    skipped: ["How many rows were skipped.", 0],
    undone: ["How many rows were taken back.", 0],
    summary: [
      "What came of it, by kind. Of a forecast `from`, `to`, the `as_of` and `sequence` that it stands for, and, where the goods of some subscriptions could not be told, how many (`left_out`). Of an import the sums of its check, `faults` and `warnings` by their cause with the first rows, and `missing_plans`.",
      { from: "2026-11-23", to: "2027-01-17", as_of: "2026-11-20T12:00:00.000Z", sequence: 1042 },
    ],
    created_by: ["The name of who began it; null for the service itself.", "Ada Admin"],
    created_at: ["When it was created: UTC, in the account's own time.", "2026-11-20T12:00:00.000Z"],
    started_at: ["When it began to work; null before.", "2026-11-20T12:00:00.000Z"],
    finished_at: ["When it ended; null before. It is deleted 30 days later.", "2026-11-20T12:00:04.000Z"],
    estimate_seconds: [
      "How many seconds it will still take; null where that is not known, and once it has ended.",
      2,
    ],
    error: [
      "Why it has failed, what it waits for, or why it has paused by itself: the key that it was started with was revoked or has expired, or it gave way to another job. Null otherwise.",
      null,
    ],
  },
  { description: "Work on many records that goes on by itself." },
);

export const JobData = dataOf(JobBody, "JobData", "The job.");
export const JobList = listOf(JobBody, "JobList");

const JobRowError = named(
  "JobRowError",
  z.strictObject({ path: z.string(), message: z.string() }),
  {
    path: ["The field that is at fault.", "price"],
    message: ["What is wrong with it.", "must not be negative"],
  },
  { description: "A fault of a row." },
);

export const JobRowBody = named(
  "JobRow",
  z.strictObject({
    n: z.int(),
    key: z.string(),
    status: JobRowStatusName,
    record_id: idOut.nullable(),
    errors: z.array(JobRowError),
    summary: z.record(z.string(), z.unknown()),
  }),
  {
    n: ["The row's number, counted from 1.", 1],
    key: ["What the row is about: of a forecast the numbers of the subscriptions in it.", "1001-2000"],
    status: "What became of it.",
    record_id: ["The id of the record that came of it; null for none.", null],
    errors: "Its faults; empty where there are none.",
    summary: [
      "What came of it, by kind: of a forecast how many subscriptions it counted, of an import its `part` and `line` of the file, the customer's `email`, and what is charged when.",
      { subscriptions: 1000 },
    ],
  },
  { description: "A row of a job." },
);
export const JobRowList = listOf(JobRowBody, "JobRowList");

export const JobStart = named(
  "JobStart",
  z.strictObject({ commit: z.boolean().optional() }),
  {
    commit:
      "Of an import: whether its rows are written once they are checked. False by default: they are only checked. Other jobs take no notice.",
  },
  { example: { commit: false } },
);

export const JobQuery = z.strictObject({
  ...pageQuery,
  kind: JobKindName.optional().openapi({ description: "Only jobs of this kind.", example: "FORECAST" }),
  status: queryList(jobStatuses)
    .optional()
    .openapi({
      description: `Only jobs in one of these statuses, divided by commas: ${jobStatuses.join(", ")}.`,
      example: "RUNNING",
    }),
});

export const JobRowQuery = z.strictObject({
  ...pageQuery,
  status: queryList(jobRowStatuses)
    .optional()
    .openapi({
      description: `Only rows in one of these statuses, divided by commas: ${jobRowStatuses.join(", ")}.`,
      example: "OK",
    }),
});
