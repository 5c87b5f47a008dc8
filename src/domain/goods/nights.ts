import { idOfSeq } from "../../base/db/account-seq.ts";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { raw } from "../../base/db/statement.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Sweep } from "../../kit/outbox/sweep.ts";

/**
 * Accounts whose forecast of the night is due, the longest due first. Each is put off by a day at once, in case its message is lost. Raw,
 * because the builder has no UPDATE with a limit.
 */
export const forecastSweep: Sweep<Due> = {
  pageOf: ({ realNow }) => raw(postponeDue, later(realNow, dayMs), realNow, perTick),
  jobOf: (due) => ({ type: "take_forecast", ...due }),
};

type Due = { account_id: string; postponed_to: Instant };

const postponeDue = `UPDATE reconciliations SET next_forecast_at = ? WHERE account_seq IN (
    SELECT account_seq FROM reconciliations INDEXED BY reconciliations_next_forecast
    WHERE next_forecast_at <= ? AND ${mayBeWritten("account_seq")}
    ORDER BY next_forecast_at, account_seq LIMIT ?)
  RETURNING ${idOfSeq("account_seq")}, next_forecast_at AS postponed_to`;

/** The most forecasts that one tick begins; the next tick begins more. */
const perTick = 200;
