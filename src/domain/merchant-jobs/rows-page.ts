import { and, eq, gt, isNotNull, type SQL } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, type Params, prepare, rows } from "../../base/db/statement.ts";
import { DomainError, type ErrorDetail } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { statusOf } from "../../kit/http/errors.ts";
import type { Room } from "./room.ts";
import { type OpenRow, openRow, RowTakenError } from "./row-ctx.ts";
import { type JobRow, jobRows, type MerchantJob } from "./tables.ts";

/** Works on one row, with what it read of the job: writes by the row's context, and notes what its outcome holds. */
export type DoRow = (row: OpenRow, job: MerchantJob, stored: JobRow) => Promise<void>;

/** The work of a kind on its rows in one status. */
export type RowWork = {
  /** The status of the rows that it takes, and that of those it has done; undefined for a step after which they are still to be done. */
  takes: JobRow["status"];
  done?: JobRow["status"];
  /** Whether it takes only the rows that have an input. */
  needsInput?: boolean;
  /** Where the job goes on after the last row; undefined where it has ended. */
  next?: object;
  row: DoRow;
};

/** How far the rows of a job are done, in the job's `progress`. */
export type RowsProgress = { after: number };

/** A page of rows that was worked on: how far the job has got, and whether that was the last. `fault` ended it, at the first row or later. */
export type RowsPage = { after: number; isFirst: boolean; isLast: boolean; fault: unknown };

/** The rows that are worked on under one lease. */
export const rowsOfPage = 25;

/**
 * Works on a page of rows, one after the other, each in a batch of its own. Undefined where the job has stopped meanwhile, or somebody else
 * works on it. A refusal is the outcome of its row; any other fault ends the page, and what was done before it stays.
 */
export async function workOnRows(
  ctx: Ctx,
  job: MerchantJob,
  { room, ...work }: RowWork & { room: Room },
): Promise<RowsPage | undefined> {
  const { after: from = 0 } = JSON.parse(job.progress) as Partial<RowsProgress>;
  const page = await readPage(ctx, job, work, from);
  const worked: number[] = [];
  let fault: unknown;
  for (const row of page) {
    if (room.isUsedUp()) break;
    room.addStoreRequests(1);
    try {
      if (row.status === work.takes) await workOnRow(ctx, job, row, work);
    } catch (error) {
      if (error instanceof RowTakenError) return undefined;
      fault = error;
      break;
    }
    worked.push(row.n);
  }
  const after = worked.at(-1) ?? from;
  const isWhole = worked.length === page.length;
  return {
    after,
    isFirst: worked.length === 0,
    isLast: isWhole && page.length < rowsOfPage,
    fault,
  };
}

/** Stores the outcome of a row that fails whatever is tried, so that it does not hold up the others; returns its number. */
export async function giveRowUp(ctx: Ctx, job: MerchantJob, work: RowWork, after: number): Promise<number> {
  const [row] = await readPage(ctx, job, work, after);
  if (!row) return after;
  const errors = [{ path: "", message: "Something went wrong on our side" }];
  if (row.status === work.takes)
    await openRow(ctx, job, row, work.takes).mark({ status: refusedStatus(work), errors });
  return row.n;
}

async function workOnRow(ctx: Ctx, job: MerchantJob, row: JobRow, work: RowWork): Promise<void> {
  const open = openRow(ctx, job, row, work.done ?? work.takes);
  try {
    await work.row(open, job, row);
    if (work.done && !open.isMarked()) await open.mark({ status: work.done });
  } catch (error) {
    if (open.isMarked()) return ctx.log("job_row_unfinished", { job_id: job.id, cause: String(error) });
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    await open.mark({ ...refusal, status: refusedStatus(work, refusal.status) });
  }
}

/** A conflict with the record's state passes its row over; whatever else the API refuses is the row's fault. Undefined where a later try may succeed. */
function refusalOf(error: unknown) {
  if (!(error instanceof DomainError)) return undefined;
  const http = statusOf[error.code];
  if (http >= 500 || error.code === "VERSION_CONFLICT") return undefined;
  const status: JobRow["status"] = http === 409 ? "SKIPPED" : "FAILED";
  const errors: ErrorDetail[] = error.details?.length
    ? error.details
    : [{ path: "", message: error.message }];
  return { status, errors };
}

/** A row that is to be taken back stays as it is where that is refused. */
function refusedStatus({ takes }: RowWork, otherwise: JobRow["status"] = "FAILED"): JobRow["status"] {
  return takes === "PENDING" ? otherwise : takes;
}

function readPage(
  { db, account }: Ctx,
  { id }: MerchantJob,
  { needsInput }: RowWork,
  after: number,
): Promise<JobRow[]> {
  const page = { account_seq: account.seq, job_id: id, after, size: rowsOfPage };
  return rows(db, needsInput ? rowsWithInputAfter(page) : rowsAfter(page));
}

type Page = { account_seq: AccountSeq; job_id: string; after: number; size: number };

const rowsAfter = prepare((p: Params<Page>) => pageOfRows(p));
const rowsWithInputAfter = prepare((p: Params<Page>) => pageOfRows(p, isNotNull(jobRows.input)));

function pageOfRows(p: Params<Page>, which?: SQL) {
  return build
    .select()
    .from(jobRows)
    .where(
      and(
        eq(jobRows.account_seq, p("account_seq")),
        eq(jobRows.job_id, p("job_id")),
        gt(jobRows.n, p("after")),
        which,
      ),
    )
    .orderBy(jobRows.n)
    .limit(p("size"));
}
