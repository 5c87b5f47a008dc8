import { forecastPages } from "../../../src/domain/goods/tables.ts";
import { type JobStatus, jobRows, jobs } from "../../../src/domain/merchant-jobs/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now, stamps } from "./part.ts";

const path = "/api/jobs/{id}";
const days = { from: "2026-01-01", to: "2026-01-31" };

/** Jobs in each status from which an operation is possible, none of them looked at by the sweep. */
export const jobPart: MakePart = (of, mark, { job, paused, ready, undone }) => ({
  writes: [
    ...Object.entries({ [job]: "RUNNING", [paused]: "PAUSED", [ready]: "READY", [undone]: "DONE" }).flatMap(
      ([id, status]) => [
        insertOf(jobs, {
          id,
          account_id: of.account.id,
          revision: 1,
          kind: id === undone ? "BULK" : "FORECAST",
          status: status as JobStatus,
          input: JSON.stringify(days),
          progress: JSON.stringify({ after: 0, until: 0, orders_until: 0, as_of: now }),
          summary: JSON.stringify({ ...days, as_of: now, sequence: 0 }),
          total: 2,
          ...{ done: 1, failed: 0, skipped: 0, undone: 0, tries: 0 },
          ...{ created_by: mark, created_by_type: "api", scopes: "", is_dry_run: 0, is_changing: 0 },
          started_at: now,
          ...stamps,
        }),
        insertOf(jobRows, {
          ...{ account_id: of.account.id, job_id: id, n: 1, key: mark },
          ...{ status: "OK", errors: "[]", summary: "{}" },
        }),
      ],
    ),
    insertOf(forecastPages, {
      ...{ account_id: of.account.id, job_id: job, n: 1 },
      cells: JSON.stringify({ goods: [[mark, mark, null, null]], groups: [[null, null, null]], cells: [] }),
    }),
  ],
  paths: {
    ...Object.fromEntries(["", "/rows", "/pause", "/cancel"].map((part) => [path + part, { id: job }])),
    [`${path}/start`]: { id: ready },
    [`${path}/resume`]: { id: paused },
    [`${path}/undo`]: { id: undone },
  },
  queries: { forecastGoods: days },
  bodies: {
    startGoodsForecast: days,
    changeManySubscriptions: { action: "resume", filter: { search: "nobody at all" } },
  },
});
