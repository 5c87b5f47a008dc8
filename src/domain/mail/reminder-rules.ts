import { and, isNotNull, sql } from "drizzle-orm";
import { selectId } from "../../base/db/account-seq.ts";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, first, prepare, raw } from "../../base/db/statement.ts";
import type { Job } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Sweep } from "../../kit/outbox/sweep.ts";
import { webhookEndpoints } from "../webhook-endpoints/tables.ts";
import { findMailEndpoint } from "./queries.ts";

/**
 * The statements that apply the account's rules of reminders to the first page of its subscriptions, for the end of the batch that
 * changes the rules. Triggers see to subscriptions that are made or changed from then on, and `applyReminders` to the other pages.
 */
export function applyFirstPage(ctx: Ctx): Promise<Statement[]> {
  return applyPage(ctx, "");
}

/**
 * Applies the rules, as they are when it is written, to the next page of subscriptions, and records the position in the same batch. Of two
 * jobs at one position the second changes nothing.
 */
export async function applyReminders(ctx: Ctx): Promise<void> {
  const after = (await findMailEndpoint(ctx))?.reminders_applied_to;
  if (after === null || after === undefined) return;
  try {
    await commit({ db: ctx.db }, [guardUnmoved(ctx, after), ...(await applyPage(ctx, after))]);
  } catch (error) {
    if (isGuard(error)) return;
    throw error;
  }
  await ctx.send([applyRemindersJob(ctx)]);
}

export function applyRemindersJob({ account }: Ctx): Job {
  return { type: "apply_reminders", account_id: account.id };
}

/** Accounts whose rules are not applied to all subscriptions yet: if the message was lost, the tick sends another. */
export const reminderRuleSweep: Sweep<{ account_id: string }> = {
  pageOf: () => selectApplying({}),
  jobOf: ({ account_id }) => ({ type: "apply_reminders", account_id }),
};

/** Subscriptions in one batch. */
const pageSize = 500;

/**
 * Only rows that change are written. Whether more follow is asked when it is written, so that no subscription is left out that was added
 * meanwhile. Raw, because the builder knows neither the view nor an UPDATE that reads it.
 */
async function applyPage(ctx: Ctx, after: string): Promise<Statement[]> {
  const { seq } = ctx.account;
  const upTo = await lastOfPage(ctx, after);
  const days = `(SELECT MAX(days_before) FROM rules
    WHERE rules.interval = billing_interval AND rules.at_least <= billing_interval_count)`;
  return [
    raw(
      `WITH rules AS MATERIALIZED (SELECT interval, at_least, days_before FROM reminder_rules WHERE account_seq = ?1)
        UPDATE subscriptions SET remind_days = ${days}
        WHERE account_seq = ?1 AND id > ?2 AND id <= ?3 AND remind_days IS NOT ${days}`,
      ...[seq, after, upTo],
    ),
    raw(
      `UPDATE webhook_endpoints SET reminders_applied_to = CASE WHEN EXISTS (
          SELECT 1 FROM subscriptions WHERE account_seq = ?1 AND id > ?2) THEN ?2 END
        WHERE account_seq = ?1 AND kind = 'mail'`,
      ...[seq, upTo],
    ),
  ];
}

/** The builder has no aggregate over a limited select. */
async function lastOfPage({ db, account }: Ctx, after: string): Promise<string> {
  const page = raw<{ last: string | null }>(
    `SELECT MAX(id) AS last FROM (
      SELECT id FROM subscriptions WHERE account_seq = ? AND id > ? ORDER BY id LIMIT ?)`,
    ...[account.seq, after, pageSize],
  );
  return (await first(db, page))?.last ?? after;
}

/** Makes the batch fail if another job has gone on, or the rules have changed and are applied from the start again. */
function guardUnmoved({ account }: Ctx, after: string): Statement {
  return guard(
    `NOT EXISTS (SELECT 1 FROM webhook_endpoints
      WHERE account_seq = ? AND kind = 'mail' AND reminders_applied_to = ?)`,
    [account.seq, after],
  );
}

const selectApplying = prepare(() =>
  build
    .select({ account_id: selectId(webhookEndpoints.account_seq).as("account_id") })
    .from(webhookEndpoints)
    .where(and(isNotNull(webhookEndpoints.reminders_applied_to), sql.raw(mayBeWritten("account_seq"))))
    .orderBy(webhookEndpoints.updated_at)
    .limit(mostAccountsATick),
);

/** The next tick finds the others. */
const mostAccountsATick = 500;
