import { and, eq } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { ConstraintError } from "../../base/db/commit.ts";
import { StaleError } from "../../base/db/retry-on-conflict.ts";
import { build, first, type Params, prepare } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import { later } from "../../base/lib/time/dates.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import { paused } from "./statuses.ts";
import { subjectOfJob } from "./subject.ts";
import { jobs, type MerchantJob } from "./tables.ts";

/**
 * Writes what makes a job change subscriptions. One job of an account does so at a time, which an index holds: where another has the turn,
 * nothing is written, and the refusal names that one. A turn that was given back meanwhile is asked for again, and one of a job that only
 * waits is taken from it.
 */
export async function takeTurn<T>(ctx: Ctx, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await write();
    } catch (error) {
      if (!isTurnTaken(error)) throw error;
      const waiting = await requireTurn(ctx);
      if (tries === triesMax)
        throw new DomainError("VERSION_CONFLICT", "Other jobs began and ended meanwhile, try again");
      if (waiting) await giveWay(ctx, waiting);
    }
}

const triesMax = 5;

/**
 * Throws INVALID_STATE where another job changes the account's subscriptions. Returns one that has the turn and only waits for a store or a
 * database that is out of reach, for so long that it gives way.
 */
export async function requireTurn(ctx: Ctx): Promise<MerchantJob | undefined> {
  const other = await first(ctx.db, selectChangingJob({ account_seq: ctx.account.seq }));
  if (!other || (other.waiting_since ?? ctx.realNow) <= later(ctx.realNow, -patienceMs)) return other;
  const { id, kind, status } = other;
  throw new DomainError(
    "INVALID_STATE",
    `Job ${id} of kind ${kind} is ${status} and changes subscriptions; wait until it has ended, or cancel it`,
  );
}

const patienceMs = hourMs;

/** Pauses a job that waits, so that another can begin; whoever wants it to go on resumes it. One that has got on meanwhile keeps its turn. */
async function giveWay({ claim: _claim, ...ctx }: Ctx, job: MerchantJob): Promise<void> {
  const after = { ...paused(job), error: gaveWay };
  const changes = { status: { from: job.status, to: after.status } };
  const entry = {
    action: "job_paused",
    subject: subjectOfJob(job),
    metadata: { kind: job.kind },
    changes,
    after,
  } as const;
  await change({ ...ctx, actor: { type: "system", name: null } }, entry).catch((error) => {
    if (!(error instanceof StaleError)) throw error;
  });
}

const gaveWay =
  "It waited for a store or a database that did not answer, and gave way to another job: resume it";

function isTurnTaken(error: unknown): boolean {
  return (
    error instanceof ConstraintError &&
    error.kind === "unique" &&
    /^(jobs\.account_seq|index 'jobs_changing')$/.test(error.on)
  );
}

const selectChangingJob = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .select()
    .from(jobs)
    .where(and(eq(jobs.account_seq, p("account_seq")), eq(jobs.is_changing, 1))),
);
