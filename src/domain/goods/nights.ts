import { idOfSeq } from "../../base/db/account-seq.ts";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import type { Job } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/dates.ts";
import { dayMs } from "../../base/lib/durations.ts";

/**
 * Accounts whose forecast of the night is due, the longest due first. Each is put off by a day at once, in case its message is lost. Raw,
 * because the builder has no UPDATE with a limit.
 */
export async function findForecastsDue(db: Db, realNow: Instant): Promise<Job[]> {
  const postponed_to = later(realNow, dayMs);
  const [due] = await commit({ db }, [
    raw<{ account_id: string }>(postponeDue, postponed_to, realNow, perTick),
  ]);
  return due.rows.map(({ account_id }) => ({ type: "take_forecast", account_id, postponed_to }));
}

const postponeDue = `UPDATE reconciliations SET next_forecast_at = ? WHERE account_seq IN (
    SELECT account_seq FROM reconciliations INDEXED BY reconciliations_next_forecast
    WHERE next_forecast_at <= ? AND ${mayBeWritten("account_seq")}
    ORDER BY next_forecast_at, account_seq LIMIT ?)
  RETURNING ${idOfSeq("account_seq")}`;

/** The most forecasts that one tick begins; the next tick begins more. */
const perTick = 200;
