import { and, eq, gt, isNotNull, lte, type SQL, sql } from "drizzle-orm";
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

/** Reads together what the rows of a page need, and gives the work on each. */
export type OpenRows = (ctx: Ctx, job: MerchantJob, rows: JobRow[]) => Promise<DoRow>;

/** The work of a kind on its rows in one status. */
export type RowWork = ({ row: DoRow } | { openRows: OpenRows }) & {
  /** The status of the rows that it takes, and that of those it has done; undefined for a step after which they are still to be done. */
  takes: JobRow["status"];
  done?: JobRow["status"];
  /** Whether it takes only the rows that have an input. No index finds these: a page looks through so many numbers at most. */
  needsInput?: boolean;
  /** Where the job goes on after the last row; undefined where it has ended. */
  next?: object;
};

/** How far the rows of a job are done, in the job's `progress`. */
export type RowsProgress = { after: number };

/** A page of rows that was worked on: how far the job has got, and whether that was the last. `fault` ended it, at the first row or later. */
export type RowsPage = { after: number; isFirst: boolean; isLast: boolean; fault: unknown };

/** The rows that are worked on under one lease. */
export const rowsOfPage = 25;

/** The rows among which a page looks for those that have an input. */
export const rowsLookedThrough = 2_000;

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
  const doRow = await openPage(ctx, job, page, work);
  const worked: number[] = [];
  let fault: unknown;
  for (const row of page) {
    if (room.isUsedUp()) break;
    room.addStoreRequests(1);
    try {
      if (row.status === work.takes) await workOnRow(ctx, job, row, { ...work, doRow });
    } catch (error) {
      if (error instanceof RowTakenError) return undefined;
      fault = error;
      break;
    }
    worked.push(row.n);
  }
  const isThrough = worked.length === page.length && page.length < rowsOfPage;
  const end = work.needsInput ? from + rowsLookedThrough : job.total;
  return {
    after: isThrough && end < job.total ? end : (worked.at(-1) ?? from),
    isFirst: worked.length === 0,
    isLast: isThrough && end >= job.total,
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

/** Rows that cannot be read together are each read alone, so that one that breaks that holds up no others. */
async function openPage(ctx: Ctx, job: MerchantJob, page: JobRow[], work: RowWork): Promise<DoRow> {
  if ("row" in work) return work.row;
  const { openRows, takes } = work;
  const taken = page.filter(({ status }) => status === takes);
  try {
    return await openRows(ctx, job, taken);
  } catch (error) {
    ctx.log("job_page_not_read", { job_id: job.id, cause: String(error) });
    return async (open, _, row) => (await openRows(ctx, job, [row]))(open, job, row);
  }
}

async function workOnRow(
  ctx: Ctx,
  job: MerchantJob,
  row: JobRow,
  work: RowWork & { doRow: DoRow },
): Promise<void> {
  const open = openRow(ctx, job, row, work.done ?? work.takes);
  try {
    await work.doRow(open, job, row);
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
const rowsWithInputAfter = prepare((p: Params<Page>) =>
  pageOfRows(
    p,
    and(isNotNull(jobRows.input), lte(jobRows.n, sql`${p("after")} + ${sql.raw(String(rowsLookedThrough))}`)),
  ),
);

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
