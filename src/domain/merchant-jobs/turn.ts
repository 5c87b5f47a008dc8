import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { ConstraintError } from "../../base/db/commit.ts";
import { build, first, type Params, prepare } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { jobs } from "./tables.ts";

/**
 * Writes what makes a job change subscriptions. One job of an account does so at a time, which an index holds: where another has the turn,
 * nothing is written, and the refusal names that one. A turn that was given back meanwhile is asked for again.
 */
export async function takeTurn<T>(ctx: Ctx, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await write();
    } catch (error) {
      if (!isTurnTaken(error)) throw error;
      await requireTurn(ctx);
      if (tries === triesMax)
        throw new DomainError("VERSION_CONFLICT", "Other jobs began and ended meanwhile, try again");
    }
}

const triesMax = 5;

/** Throws INVALID_STATE where another job changes the account's subscriptions. */
export async function requireTurn(ctx: Ctx): Promise<void> {
  const other = await first(ctx.db, changingJob({ account_seq: ctx.account.seq }));
  if (!other) return;
  const { id, kind, status } = other;
  throw new DomainError(
    "INVALID_STATE",
    `Job ${id} of kind ${kind} is ${status} and changes subscriptions; wait until it has ended, or cancel it`,
  );
}

function isTurnTaken(error: unknown): boolean {
  return (
    error instanceof ConstraintError &&
    error.kind === "unique" &&
    /^(jobs\.account_seq|index 'jobs_changing')$/.test(error.on)
  );
}

const changingJob = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .select({ id: jobs.id, kind: jobs.kind, status: jobs.status })
    .from(jobs)
    .where(and(eq(jobs.account_seq, p("account_seq")), eq(jobs.is_changing, 1))),
);
