import { getTableColumns, sql } from "drizzle-orm";
import { unindexedFilter } from "../../base/db/filters.ts";
import { listReader } from "../../base/db/list/listing.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { first, inJson } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { jobRows, jobs, type MerchantJob } from "./tables.ts";

export async function getJob(ctx: Ctx, id: string): Promise<MerchantJob> {
  const job = await findJob(ctx, id);
  if (!job) throw notFound("Job");
  return job;
}

export function findJob({ db, account }: Ctx, id: string): Promise<MerchantJob | undefined> {
  return first(db, selectJob({ account_seq: account.seq, id }));
}

/** Jobs are deleted after 30 days, so that there are few. */
export const listJobs = listReader({
  table: jobs,
  columns: getTableColumns(jobs),
  scope: (p) => sql`${jobs.account_seq} = ${p("account_seq")}`,
  tiebreaker: jobs.id,
  sorts: { created_at: jobs.created_at },
  filters: {
    kind: unindexedFilter((p) => sql`${jobs.kind} = ${p("kind")}`),
    status: unindexedFilter((p) => inJson(jobs.status, p("status"))),
  },
});

/** The customer whom the lines of a row of an import name: an e-mail address, or an id at the store after a colon. */
const customerOfRow = sql<string | null>`(SELECT its.customer FROM import_lines AS its
  WHERE its.account_seq = job_rows.account_seq AND its.job_id = job_rows.job_id AND its.ref = job_rows.key
  ORDER BY its.part, its.n LIMIT 1)`;

/** Rows are numbered in the order in which they are made. */
export const listJobRows = listReader({
  table: jobRows,
  columns: { ...getTableColumns(jobRows), customer: customerOfRow },
  scope: (p) => sql`${jobRows.account_seq} = ${p("account_seq")} AND ${jobRows.job_id} = ${p("job_id")}`,
  tiebreaker: jobRows.n,
  sorts: { created_at: jobRows.n },
  filters: { status: unindexedFilter((p) => inJson(jobRows.status, p("status"))) },
});

const selectJob = selectBy(jobs, "account_seq", "id");
