import { insertRow } from "../../base/db/row-writes.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { DayRange } from "../../kit/days.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { JobPage } from "../merchant-jobs/work.ts";
import { countPage } from "./count-page.ts";
import { deleteSuperseded } from "./kept-forecasts.ts";
import { writePage } from "./page-text.ts";
import type { SubscriptionSelect } from "./prospects.ts";
import { forecastPages } from "./tables.ts";

/**
 * The progress of a forecast: `after` is the number of the last subscription that is counted, `until` that of the last of all. Orders up to
 * `orders_until` are counted by the first page, and later ones by the page of their subscription, so that each delivery is counted once.
 */
export type ForecastProgress = { after: number; until: number; orders_until: number; as_of: Instant };

/** Subscriptions that one page counts. */
export const pageSize = 1_000;

/** Counts the goods of a page of subscriptions. Where they are too long for a row the page has fewer subscriptions. */
export async function takeForecastPage(ctx: Ctx, job: MerchantJob, size = pageSize): Promise<JobPage> {
  const input: DayRange = JSON.parse(job.input);
  const progress: ForecastProgress = JSON.parse(job.progress);
  const n = job.done + 1;
  const reach = Math.min(progress.until, progress.after + longestStretch);
  const page = pageOf(ctx, { after: progress.after, reach }, size);
  const about = { ...progress, isFirst: n === 1, job_id: job.id };
  const { found, goods, leftOut } = await countPage(ctx, input, page, about);
  const cells = writePage(goods, input.from);
  if (cells.length > longestText && size > 1) return takeForecastPage(ctx, job, Math.ceil(size / 4));
  const [first, last] = [found[0]?.view.row.number, found.at(-1)?.view.row.number];
  const isEmpty = n > 1 && found.length === 0;
  const isFull = found.length === size;
  const isLast = !isFull && reach === progress.until;
  return {
    rows: [
      {
        n,
        key: first === undefined ? "none" : `${first}-${last}`,
        status: "OK",
        record_id: null,
        errors: JSON.stringify(leftOut),
        summary: JSON.stringify({ subscriptions: found.length - leftOut.length }),
        ...{ input: null, undo: null },
      },
    ],
    total: isLast ? n : Math.max(job.total, n + 1),
    writes: [
      ...(isEmpty
        ? []
        : [insertRow(forecastPages, { account_seq: ctx.account.seq, job_id: job.id, n, cells })]),
      ...(isLast ? [deleteSuperseded(ctx, job, input)] : []),
    ],
    progress: isLast ? null : { ...progress, after: isFull ? last : reach },
    ...(leftOut.length > 0 && { summary: withLeftOut(job, leftOut.length) }),
  };
}

function withLeftOut({ summary }: MerchantJob, more: number): object {
  const known: { left_out?: number } = JSON.parse(summary);
  return { ...known, left_out: (known.left_out ?? 0) + more };
}

/** Well below what a row of the database may hold. */
const longestText = 900_000;

/** The numbers that one page looks through at most: many in a row may have ended. */
const longestStretch = 10_000;

/** Subscriptions that live, and others of which something is still to come, in the order of their numbers. */
function pageOf(
  { account }: Ctx,
  { after, reach }: { after: number; reach: number },
  size: number,
): SubscriptionSelect {
  const sql = `SELECT * FROM subscriptions WHERE account_seq = ?1 AND number > ?2 AND number <= ?3
    AND (status IN ('ACTIVE', 'PAUSED') OR next_index < next_billed_index OR open_attempt_id IS NOT NULL)
    ORDER BY number LIMIT ?4`;
  return { sql, params: [account.seq, after, reach, size] };
}
