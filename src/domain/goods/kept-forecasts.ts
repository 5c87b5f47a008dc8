import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { raw, rows } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { type DayRange, todayOf } from "../../kit/days.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { Cells, Question } from "./cells.ts";
import { boundedCells, type Forecast } from "./next.ts";
import { addPage } from "./page-text.ts";

/** A forecast that was taken: the moment that it stands for, and whether all of it is there. */
export type KeptForecast = Forecast & { as_of: string; isComplete: boolean };

/**
 * The goods of the newest forecast that is done and has all of the days that are asked about; else what there is of one that is being taken.
 * Undefined where there is neither.
 */
export async function readForecast(ctx: Ctx, asked: Question): Promise<KeptForecast | undefined> {
  const job = (await rows(ctx.db, selectRun(ctx, asked)))[0];
  if (!job) return undefined;
  const { as_of, sequence } = JSON.parse(job.summary) as { as_of: string; sequence: number };
  const input: DayRange = JSON.parse(job.input);
  const cells: Cells = new Map();
  for (const page of await rows(ctx.db, selectPages(ctx, job.id)))
    addPage(cells, page.cells, input.from, asked);
  return { cells: boundedCells(cells), sequence, as_of, isComplete: job.status === "DONE" };
}

/** The newest forecast that is being taken of all these days. */
export async function findRunning(ctx: Ctx, days: DayRange): Promise<MerchantJob | undefined> {
  return (await rows(ctx.db, raw<MerchantJob>(`SELECT * ${newestRunning}`, ...runningOf(ctx, days))))[0];
}

/** A statement that fails its batch where a forecast of all these days is being taken. */
export function guardNotRunning(ctx: Ctx, days: DayRange): Statement {
  return guard(`EXISTS (SELECT 1 ${newestRunning})`, runningOf(ctx, days));
}

/** The pages of earlier forecasts go once this one is done, where it has all of their days that are still to come. */
export function deleteSuperseded(ctx: Ctx, job: MerchantJob, { from, to }: DayRange): Statement {
  return raw(
    `DELETE FROM forecast_pages WHERE account_seq = ?1 AND job_id IN (
      SELECT id FROM jobs INDEXED BY jobs_of_forecasts
        WHERE account_seq = ?1 AND kind = 'FORECAST' AND id <> ?2 AND (created_at, id) < (?3, ?2)
          AND status IN ('DONE', 'FAILED', 'CANCELLED') AND input ->> '$.to' <= ?4
          AND (input ->> '$.from' >= ?5 OR ?5 <= ?6))`,
    ...[ctx.account.seq, job.id, job.created_at, to, from, todayOf(ctx)],
  );
}

function newestOf(condition: string): string {
  return `FROM jobs INDEXED BY jobs_of_forecasts
    WHERE account_seq = ?1 AND kind = 'FORECAST' AND input ->> '$.from' <= ?2 AND input ->> '$.to' >= ?3 AND ${condition}
    ORDER BY created_at DESC, id DESC LIMIT 1`;
}

const newestRunning = newestOf("status = 'RUNNING'");

function runningOf({ account }: Ctx, { from, to }: DayRange) {
  return [account.seq, from, to];
}

/** Newest first, by the index of forecasts; of one that is superseded there are no pages. Raw, because the index is named. */
function selectRun({ account }: Ctx, { from, to }: Question) {
  const withPages = (status: string) =>
    `SELECT * FROM (SELECT * ${newestOf(`status = '${status}' AND EXISTS (
    SELECT 1 FROM forecast_pages AS page WHERE page.account_seq = ?1 AND page.job_id = jobs.id)`)})`;
  return raw<MerchantJob>(
    `SELECT * FROM (SELECT 1 AS rank, * FROM (${withPages("DONE")}) UNION ALL SELECT 2, * FROM (${withPages("RUNNING")}))
      ORDER BY rank LIMIT 1`,
    ...[account.seq, from, to],
  );
}

function selectPages({ account }: Ctx, jobId: string): Statement<{ cells: string }> {
  return raw<{ cells: string }>(
    "SELECT cells FROM forecast_pages WHERE account_seq = ? AND job_id = ? ORDER BY n",
    account.seq,
    jobId,
  );
}
