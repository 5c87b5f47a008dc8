import type { Ctx } from "../../context.ts";
import { mayBeWritten } from "../../db/at-rest.ts";
import type { Db } from "../../db/client.ts";
import { commit } from "../../db/commit.ts";
import { updateRow } from "../../db/row-writes.ts";
import { raw } from "../../db/statement.ts";
import type { Job } from "../../job.ts";
import { dateIn, type Instant, later, startOfDay } from "../../lib/dates.ts";
import { addDays } from "../../subscriptions/cadence.ts";
import { reconciliations } from "../tables.ts";
import { reconcilePage } from "./page.ts";

const hourMs = 3_600_000;
/** The most accounts whose comparison one tick starts; the next tick starts more. */
const perTick = 50;

/**
 * Accounts whose charges are due for comparison, except those that their store has disconnected. Each is postponed by a day at once,
 * in case its message is lost. Raw, because the builder has no UPDATE with a limit.
 */
export const findReconciliations = async (db: Db, realNow: Instant): Promise<Job[]> => {
  const [due] = await commit({ db }, [
    raw<{ account_id: string; since: Instant }>(
      `UPDATE reconciliations SET next_at = ? WHERE account_id IN (SELECT account_id FROM reconciliations AS r
        WHERE next_at <= ? AND NOT EXISTS (SELECT 1 FROM shopify_connections AS c
          WHERE c.account_id = r.account_id AND c.disconnected_at IS NOT NULL)
          AND ${mayBeWritten("account_id")}
        ORDER BY next_at, account_id LIMIT ?) RETURNING account_id, since`,
      later(realNow, 24 * hourMs),
      realNow,
      perTick,
    ),
  ]);
  return due.rows.map(({ account_id, since }) => ({ type: "reconcile", account_id, since, after: null }));
};

/** Compares a page and logs each difference as an alert. After the last page it schedules the account's next comparison. */
export const reconcileNext = async (
  ctx: Ctx,
  { since, after }: Extract<Job, { type: "reconcile" }>,
): Promise<void> => {
  const { findings, next, isCut } = await reconcilePage(ctx, { since, after });
  for (const { problem, ...finding } of findings)
    ctx.log("charge_not_reconciled", {
      alert: problem !== "recorded",
      account_id: ctx.account.id,
      problem,
      ...finding,
    });
  if (next === null && !isCut) await setNextNight(ctx);
  else await ctx.send([{ type: "reconcile", account_id: ctx.account.id, since, after: next }]);
};

const nightHour = 3;
/** A pending payment may take the store days; a charge is compared again until it is older than this. */
const overlapMs = 72 * hourMs;

async function setNextNight({ db, account, realNow }: Ctx): Promise<void> {
  const tomorrow = addDays(dateIn(realNow, account.timezone), 1);
  const next_at = later(startOfDay(tomorrow, account.timezone), nightHour * hourMs);
  const since = later(realNow, -overlapMs);
  await commit({ db }, [updateRow(reconciliations, { account_id: account.id }, { next_at, since })]);
}
