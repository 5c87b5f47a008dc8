import { raw, readNamed } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { selectLastSequence } from "../events/queries.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { Cells, Question } from "./cells.ts";
import { countPage } from "./count-page.ts";
import { type KeptForecast, readForecast } from "./kept-forecasts.ts";
import { boundedCells } from "./next.ts";
import { addPage, writePage } from "./page-text.ts";
import type { SubscriptionSelect } from "./prospects.ts";
import { forecastTaken } from "./runs.ts";
import { pageSize } from "./take-page.ts";

/** A request projects the deliveries of at most so many subscriptions itself. */
const projectedAtOnce = 2_000;

/**
 * Every delivery of the days, as a forecast that was taken has them. Where none was, they are projected now, or, of an account with more
 * subscriptions than `projectedAtOnce`, the answer is the job that takes them. One that is being taken answers what it has.
 */
export async function readProjected(ctx: Ctx, asked: Question): Promise<KeptForecast | { job: MerchantJob }> {
  const kept = await readForecast(ctx, asked);
  if (kept?.isComplete) return kept;
  const start = await readStart(ctx);
  if (start.seqs.length <= projectedAtOnce) return projectNow(ctx, asked, start);
  return kept && kept.cells.length > 0 ? kept : { job: await forecastTaken(ctx, asked) };
}

async function projectNow(ctx: Ctx, asked: Question, start: Start): Promise<KeptForecast> {
  const { seqs, sequence, orders_until } = start;
  const cells: Cells = new Map();
  let isComplete = true;
  for (let at = 0; at === 0 || at < seqs.length; at += pageSize) {
    const about = { orders_until, as_of: ctx.now, isFirst: at === 0, job_id: null };
    const counted = await countPage(ctx, asked, pageOf(ctx, seqs.slice(at, at + pageSize)), about);
    addPage(cells, writePage(counted.goods, asked.from), asked.from, asked);
    if (counted.leftOut.length > 0) isComplete = false;
  }
  return { cells: boundedCells(cells), sequence, as_of: ctx.now, isComplete };
}

/** The state of an account as its deliveries are projected. */
type Start = { seqs: number[]; sequence: number; orders_until: number };

/** The subscriptions that live or have something still to come, one more than are projected at once. Raw, because the indexes are named. */
async function readStart(ctx: Ctx): Promise<Start> {
  const { living, orders, sequence } = await readNamed(ctx.db, {
    living: raw<{ seq: number }>(
      `SELECT seq FROM subscriptions INDEXED BY subscriptions_by_status_and_time
        WHERE account_seq = ?1 AND status IN ('ACTIVE', 'PAUSED')
      UNION ALL SELECT seq FROM subscriptions INDEXED BY subscriptions_outstanding
        WHERE account_seq = ?1 AND status NOT IN ('ACTIVE', 'PAUSED')
          AND (next_index < next_billed_index OR open_attempt_id IS NOT NULL)
      LIMIT ${projectedAtOnce + 1}`,
      ctx.account.seq,
    ),
    orders: raw<{ until: number }>("SELECT COALESCE(MAX(seq), 0) AS until FROM orders"),
    sequence: selectLastSequence(ctx),
  });
  return {
    seqs: living.map(({ seq }) => seq),
    sequence: sequence[0]!.last,
    orders_until: orders[0]!.until,
  };
}

function pageOf({ account }: Ctx, seqs: number[]): SubscriptionSelect {
  const sql = `SELECT s.* FROM json_each(?2) AS its CROSS JOIN subscriptions AS s
    ON s.seq = its.value AND s.account_seq = ?1`;
  return { sql, params: [account.seq, JSON.stringify(seqs)] };
}
