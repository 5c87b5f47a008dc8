import { commit } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import { retryOnConflict, StaleError } from "../../base/db/retry-on-conflict.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { raw, readNamed } from "../../base/db/statement.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import { nextNight } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { type DayRange, todayOf } from "../../kit/days.ts";
import { reconciliations } from "../billing/tables.ts";
import { selectLastSequence } from "../events/queries.ts";
import { newJob, startJob } from "../merchant-jobs/start.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import { daysMax } from "./cells.ts";
import { findRunning, guardNotRunning } from "./kept-forecasts.ts";
import { type ForecastProgress, pageSize } from "./take-page.ts";

/** Begins a forecast of these days, which messages of the queue take page by page. */
export async function startForecast(ctx: Ctx, input: DayRange, dryRun: boolean): Promise<MerchantJob> {
  const { job } = await newForecast(ctx, input);
  if (!dryRun) await startJob(ctx, job);
  return job;
}

/** The forecast that is being taken of these days; one is begun where there is none, however many ask at once. */
export async function forecastTaken(ctx: Ctx, { from, to }: DayRange): Promise<MerchantJob> {
  return retryOnConflict(async () => {
    const running = await findRunning(ctx, { from, to });
    if (running) return running;
    const { job } = await newForecast(ctx, { from, to });
    await startJob(ctx, job, [guardNotRunning(ctx, { from, to })]);
    return job;
  });
}

/**
 * Takes the forecast of a night where the account has subscriptions: of as many days as one answer may be about. The next night is set in
 * the same batch, so that of a message that comes twice one takes it.
 */
export async function takeNightly(ctx: Ctx, postponedTo: string): Promise<void> {
  const today = todayOf(ctx);
  const { job, isEmpty } = await newForecast(ctx, { from: today, to: addDays(today, daysMax - 1) });
  const night = setNextNight(ctx, postponedTo);
  try {
    if (isEmpty) await commit({ db: ctx.db }, [night.update]);
    else await startJob(ctx, job, [night.guard, night.update]);
  } catch (error) {
    if (!(error instanceof StaleError)) throw error;
  }
}

/** The hour of the night: once what the day bills is ordered. */
const nightHour = 4;

function setNextNight({ account, realNow }: Ctx, postponedTo: string) {
  const next_forecast_at = nextNight(realNow, account.timezone, nightHour);
  return {
    guard: guard(
      "NOT EXISTS (SELECT 1 FROM reconciliations WHERE account_seq = ? AND next_forecast_at = ?)",
      [account.seq, postponedTo],
    ),
    update: updateRow(
      reconciliations,
      { account_seq: account.seq, next_forecast_at: postponedTo },
      { next_forecast_at },
    ),
  };
}

/** The state of an account when a forecast begins. */
type Beginning = { living: number; until: number; orders_until: number };

async function newForecast(ctx: Ctx, input: DayRange): Promise<{ job: MerchantJob; isEmpty: boolean }> {
  const { beginning, sequence } = await readNamed(ctx.db, {
    beginning: selectBeginning(ctx),
    sequence: selectLastSequence(ctx),
  });
  const { living, until, orders_until } = beginning[0]!;
  const progress: ForecastProgress = { after: 0, until, orders_until, as_of: ctx.now };
  const job = newJob(ctx, {
    kind: "FORECAST",
    input,
    progress,
    summary: { ...input, as_of: ctx.now, sequence: sequence[0]!.last },
    total: Math.max(1, Math.ceil(living / pageSize)),
  });
  return { job, isEmpty: living === 0 };
}

/** Looks into counts and the ends of indexes. The builder has no select without a table. */
function selectBeginning({ account }: Ctx) {
  return raw<Beginning>(
    `SELECT
      (SELECT COALESCE(SUM(count), 0) FROM subscription_counts
        WHERE account_seq = ?1 AND status IN ('ACTIVE', 'PAUSED'))
        + EXISTS (SELECT 1 FROM subscriptions INDEXED BY subscriptions_outstanding
          WHERE account_seq = ?1 AND status NOT IN ('ACTIVE', 'PAUSED')
            AND (next_index < next_billed_index OR open_attempt_id IS NOT NULL) LIMIT 1) AS living,
      COALESCE((SELECT number FROM subscriptions WHERE account_seq = ?1 ORDER BY number DESC LIMIT 1), 0) AS until,
      COALESCE((SELECT MAX(seq) FROM orders), 0) AS orders_until`,
    account.seq,
  );
}
