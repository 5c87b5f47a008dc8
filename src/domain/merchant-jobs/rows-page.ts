import { and, gt, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, columnsEqual, type Params, prepare, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { isOutage } from "../../kit/on-its-own.ts";
import { UnknownOutcomeError } from "../../stores/port.ts";
import { mayBeOfRow } from "./failed-page.ts";
import type { Room } from "./room.ts";
import { type OpenRow, openRow, RowTakenError } from "./row-ctx.ts";
import { refusalOf, unexpectedFault } from "./row-fault.ts";
import { type JobRow, jobRows, type MerchantJob } from "./tables.ts";

/** Works on one row, with what it read of the job: writes by the row's context, and notes what its outcome holds. */
export type DoRow = (row: OpenRow, job: MerchantJob, stored: JobRow) => Promise<void>;

/** Reads together what the rows of a page need, and gives the work on each. */
type OpenRows = (ctx: Ctx, job: MerchantJob, rows: JobRow[]) => Promise<DoRow>;

/** The work of a kind on its rows in one status. */
export type RowWork = ({ row: DoRow } | { openRows: OpenRows }) & {
  /** The status of the rows that it takes, and that of those it has done; undefined for a step after which they are still to be done. */
  takes: JobRow["status"];
  done?: JobRow["status"];
  /** Whether it takes only the rows that have an input. No index finds these: a page looks through so many numbers at most. */
  needsInput?: boolean;
  /** The place where the job goes on after the last row; undefined where it has ended. */
  next?: object;
};

/** The progress of the rows of a job, in the job's `progress`. */
type RowsProgress = { after: number };

/** A page of rows that was worked on: how far the job has got, and whether that was the last. `outage` ended it, at the first row or later. */
type RowsPage = { after: number; isFirst: boolean; isLast: boolean; outage: unknown };

/** The rows that are worked on under one lease. */
const rowsOfPage = 25;

/** The rows among which a page looks for those that have an input. */
const rowsLookedThrough = 2_000;

/** Done row by row, a page ends behind the first that is to be done. */
type Page = RowWork & { room: Room; isRowByRow: boolean };

/**
 * Works on a page of rows, one after the other, each in a batch of its own: whatever is wrong with a row is its outcome, and the others are
 * done. Undefined where the job has stopped meanwhile, or somebody else works on it. An outage ends the page, and what was done before it
 * stays. After a long one the rows behind it are tried, too: where these are answered, the row itself is at fault.
 */
export async function workOnRows(
  ctx: Ctx,
  job: MerchantJob,
  { room, isRowByRow, ...work }: Page,
): Promise<RowsPage | undefined> {
  const { after: from = 0 } = JSON.parse(job.progress) as Partial<RowsProgress>;
  const whole = await readPage(ctx, job, work, from);
  const page = isRowByRow ? upToFirst(whole, work) : whole;
  const doRow = await openPage(ctx, job, page, work);
  const unanswered: JobRow[] = [];
  let outage: unknown;
  let last: number | undefined;
  for (const row of page) {
    if (room.isUsedUp()) break;
    room.addStoreRequests(1);
    try {
      const isTaken = row.status === work.takes;
      const storeAnswers = isTaken && (await workOnRow(ctx, job, row, { ...work, doRow }));
      const answers = outage instanceof UnknownOutcomeError ? storeAnswers : isTaken;
      if (unanswered.length > 0 && !answers) continue;
      for (const each of unanswered.splice(0)) await giveUp(ctx, job, each, work, outage);
      [outage, last] = [undefined, row.n];
    } catch (error) {
      if (error instanceof RowTakenError) return undefined;
      if (!isOutage(error)) throw error;
      outage = error;
      if (!mayBeOfRow(ctx, job, error) || unanswered.push(row) > probedRows) break;
    }
  }
  const isThrough = whole.length < rowsOfPage && (last ?? from) === (whole.at(-1)?.n ?? from);
  const end = work.needsInput ? from + rowsLookedThrough : job.total;
  return {
    after: isThrough && end < job.total ? end : (last ?? from),
    isFirst: last === undefined,
    isLast: isThrough && end >= job.total,
    outage,
  };
}

function upToFirst(page: JobRow[], { takes }: RowWork): JobRow[] {
  const first = page.findIndex(({ status }) => status === takes);
  return first < 0 ? page : page.slice(0, first + 1);
}

/** Rows that are tried behind one whose store has not answered for long. */
const probedRows = 3;

/** Ends the row at which a page has ended its message again and again, so that it does not hold up the others; returns its number. */
export async function giveRowUp(ctx: Ctx, job: MerchantJob, work: RowWork): Promise<number> {
  const { after = 0 } = JSON.parse(job.progress) as Partial<RowsProgress>;
  const page = await readPage(ctx, job, work, after);
  const row = page.find(({ status }) => status === work.takes);
  if (row) await giveUp(ctx, job, row, work, new Error("The work on it has ended its message"));
  return row?.n ?? page.at(-1)?.n ?? after;
}

async function giveUp(ctx: Ctx, job: MerchantJob, row: JobRow, work: RowWork, cause: unknown): Promise<void> {
  const { errors } = unexpectedFault(ctx, job, row.n, cause);
  await openRow(ctx, job, row, work.takes).mark({ status: refusedStatus(work), errors });
}

/** Rows that cannot be read together are each read alone, so that one that breaks that holds up no others. */
async function openPage(ctx: Ctx, job: MerchantJob, page: JobRow[], work: RowWork): Promise<DoRow> {
  if ("row" in work) return work.row;
  const { openRows, takes } = work;
  const taken = page.filter(({ status }) => status === takes);
  try {
    return await openRows(ctx, job, taken);
  } catch (error) {
    if (isOutage(error)) throw error;
    ctx.log("job_page_not_read", { job_id: job.id, cause: String(error) });
    return async (open, _, row) => (await openRows(ctx, job, [row]))(open, job, row);
  }
}

/**
 * Does a row, or notes what is wrong with it. What no refusal explains is tried again at once, as it may have passed. Returns whether the store
 * was asked and has answered. Throws RowTakenError, and an outage.
 */
async function workOnRow(
  ctx: Ctx,
  job: MerchantJob,
  row: JobRow,
  work: RowWork & { doRow: DoRow },
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const open = openRow(ctx, job, row, work.done ?? work.takes);
    try {
      await work.doRow(open, job, row);
      if (work.done && !open.isMarked()) await open.mark({ status: work.done });
      return open.hasStoreAnswered();
    } catch (error) {
      if (!open.isMarked()) {
        if (error instanceof RowTakenError || isOutage(error)) throw error;
        const refusal = refusalOf(error);
        if (!refusal && tries < triesOfRow) continue;
        const { status, errors } = refusal ?? unexpectedFault(ctx, job, row.n, error);
        await open.mark({ status: refusedStatus(work, status), errors });
      } else ctx.log("job_row_unfinished", { job_id: job.id, cause: String(error) });
      return open.hasStoreAnswered();
    }
  }
}

const triesOfRow = 3;

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
  return rows(db, needsInput ? selectRowsWithInputAfter(page) : selectRowsAfter(page));
}

type Range = { account_seq: AccountSeq; job_id: string; after: number; size: number };

const selectRowsAfter = prepare((p: Params<Range>) => pageOfRows(p));
const selectRowsWithInputAfter = prepare((p: Params<Range>) =>
  pageOfRows(
    p,
    and(isNotNull(jobRows.input), lte(jobRows.n, sql`${p("after")} + ${sql.raw(String(rowsLookedThrough))}`)),
  ),
);

function pageOfRows(p: Params<Range>, which?: SQL) {
  return build
    .select()
    .from(jobRows)
    .where(and(columnsEqual(jobRows, p, "account_seq", "job_id"), gt(jobRows.n, p("after")), which))
    .orderBy(jobRows.n)
    .limit(p("size"));
}
