import { and, eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { build, first, type Params, prepare } from "../../base/db/statement.ts";
import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { chargeAttempt } from "../billing/actions/charge.ts";
import { followConfirmedLate } from "../billing/actions/confirmed-late.ts";
import { followForeignCharge } from "../billing/actions/foreign-charge.ts";
import { attemptColumns } from "../billing/charge-content.ts";
import { isOpen } from "../billing/queries.ts";
import { billingAttempts } from "../billing/tables.ts";

/**
 * Asks the store for the result of an attempt, as polling does, but now. One that was given up here may have been paid since; one that is
 * unknown here somebody else may have made. `subject` is the store's id of the attempt, empty where it was not sent, and its key: without
 * the id, what is unknown is left to the nightly comparison.
 */
export async function refreshAttempt(ctx: Ctx, subject: string): Promise<JobOutcome> {
  const at = subject.indexOf(" ");
  const [reference, key] = [subject.slice(0, at), subject.slice(at + 1)];
  const attempt = await first(ctx.db, selectAttemptOfKey({ account_seq: ctx.account.seq, key }));
  if (!attempt) return refreshUnknown(ctx, reference);
  if (!isOpen(attempt)) return followConfirmedLate(ctx, attempt);
  await chargeAttempt(ctx, attempt.id);
  return "done";
}

/** While another attempt at the cycle is open, what follows from somebody else's charge is decided later. */
async function refreshUnknown(ctx: Ctx, reference: string): Promise<JobOutcome> {
  const charge = reference === "" ? undefined : await ctx.store.findMadeCharge?.(reference);
  const outcome = charge && (await followForeignCharge(ctx, charge));
  return outcome === "open" ? "later" : "done";
}

/** The condition is written out, as SQLite uses the partial index `billing_attempts_one_key` only where it sees the values. */
const selectAttemptOfKey = prepare((p: Params<{ account_seq: AccountSeq; key: string }>) =>
  build
    .select(attemptColumns(billingAttempts))
    .from(billingAttempts)
    .where(
      and(
        eq(billingAttempts.store_key, p("key")),
        eq(billingAttempts.account_seq, p("account_seq")),
        sql`${billingAttempts.status} <> 'CANCELLED'`,
        sql`${billingAttempts.is_refused} = 0`,
      ),
    ),
);
