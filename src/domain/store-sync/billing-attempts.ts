import { and, eq, sql } from "drizzle-orm";
import { build, first, type Params, prepare } from "../../base/db/statement.ts";
import type { Outcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { chargeAttempt } from "../billing/actions/charge.ts";
import { followConfirmedLate } from "../billing/actions/confirmed-late.ts";
import { isOpen } from "../billing/queries.ts";
import { billingAttempts } from "../billing/tables.ts";

/**
 * Asks the store for the result of the attempt with this key, as polling does, but now. One that was given up here may have been paid since.
 * Other apps' keys are ignored.
 */
export async function refreshAttempt(ctx: Ctx, key: string): Promise<Outcome> {
  const attempt = await first(ctx.db, attemptOfKey({ account_id: ctx.account.id, key }));
  if (!attempt) return "done";
  if (!isOpen(attempt)) return followConfirmedLate(ctx, attempt);
  await chargeAttempt(ctx, attempt.id);
  return "done";
}

/** The condition is written out, as SQLite uses the partial index `billing_attempts_one_key` only where it sees the values. */
const attemptOfKey = prepare((p: Params<{ account_id: string; key: string }>) =>
  build
    .select()
    .from(billingAttempts)
    .where(
      and(
        eq(billingAttempts.store_key, p("key")),
        eq(billingAttempts.account_id, p("account_id")),
        sql`${billingAttempts.status} <> 'CANCELLED'`,
        sql`${billingAttempts.is_refused} = 0`,
      ),
    ),
);
