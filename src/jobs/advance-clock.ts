import { leaseClock, releaseClock, stepClock } from "../accounts/clock.ts";
import type { Account } from "../accounts/tables.ts";
import { findDue, findOpenAttempts } from "../billing/due.ts";
import { type Ctx, openCtx } from "../context.ts";
import { findUnlinkedOf } from "../contracts/link.ts";
import { DomainError } from "../errors.ts";
import { isForEndpoint, type Job } from "../job.ts";

type Handle = (ctx: Ctx, job: Job) => Promise<void>;

/** Trips to the database in one invocation; the platform allows a thousand. */
const mostTrips = 600;

const isSpent = ({ db }: Ctx): boolean => db.usage.db_round_trips >= mostTrips;

/** A context at the account's instant, whose jobs are kept to be done in order instead of being sent; but endpoints wait for no clock. */
const ctxAt = ({ env, db, actor, log, realNow }: Ctx, account: Account): { ctx: Ctx; kept: Job[] } => {
  const kept: Job[] = [];
  const opened = openCtx({ env, db, account, actor, log, realNow: new Date(realNow) });
  const send = async (jobs: Job[], delaySeconds = 0) => {
    const [forEndpoints = [], own = []] = [true, false].map((wanted) =>
      jobs.filter(({ type }) => isForEndpoint(type) === wanted),
    );
    await opened.send(forEndpoints, delaySeconds);
    if (delaySeconds === 0) kept.push(...own);
  };
  return { ctx: { ...opened, send }, kept };
};

/** Everything that can be done of an account at its instant, in the order in which it matters. */
const jobsAt = async (ctx: Ctx): Promise<Job[]> => {
  const unlinked = await findUnlinkedOf(ctx);
  return [
    ...unlinked.map(
      (subscription_id): Job => ({ type: "sync_contract", account_id: ctx.account.id, subscription_id }),
    ),
    ...(await findOpenAttempts(ctx)),
    ...(await findDue(ctx, "dunning")),
    ...(await findDue(ctx, "waiting")),
    ...(await findDue(ctx, "schedule")),
  ];
};

/** One that fails keeps none of the others, nor the clock, from going on; an outage stops all of them. */
const goOn = (ctx: Ctx, { type, account_id }: Job, error: unknown): void => {
  if (error instanceof DomainError && error.code === "UNAVAILABLE") throw error;
  ctx.log("job_failed", { alert: true, type, account_id, cause: String(error) });
};

/** One thing may follow another on the same day; what the store leaves open it is asked about once. */
const mostTurns = (job: Job): number => (job.type === "process_due" ? 4 : 1);

/**
 * Does all that falls due at the account's instant, and what follows from it, until nothing is left that has not had
 * its turns, or the budget is spent.
 */
const processInstant = async (from: Ctx, account: Account, handle: Handle): Promise<boolean> => {
  const turns = new Map<string, number>();
  const turnsOf = (job: Job): number => turns.get(JSON.stringify(job)) ?? 0;
  for (;;) {
    const { ctx, kept } = ctxAt(from, account);
    const found = (await jobsAt(ctx)).filter((job) => turnsOf(job) < mostTurns(job));
    if (found.length === 0) {
      await handle(ctx, { type: "find_due", account_id: account.id, kind: "reminder" });
      return true;
    }
    kept.push(...found);
    for (let job = kept.shift(); job; job = kept.shift()) {
      if (isSpent(ctx)) return false;
      turns.set(JSON.stringify(job), turnsOf(job) + 1);
      await handle(ctx, job).catch((error) => goOn(ctx, job, error));
    }
  }
};

/**
 * Moves an account's test clock towards its target, a day at a time: at each instant the jobs that cron would find are
 * done by the very code that does them, in order. What one invocation cannot do, its next message goes on with.
 */
export const advanceClock = async (ctx: Ctx, handle: Handle): Promise<void> => {
  const leased = await leaseClock(ctx.db, ctx.account.id, ctx.realNow);
  if (!leased) return;
  let account: Account = leased;
  let isThere = false;
  while (!isThere && !isSpent(ctx)) {
    if (!(await processInstant(ctx, account, handle))) break;
    isThere = account.clock_at === account.clock_target;
    const stepped: Account | undefined = isThere ? account : await stepClock(ctx.db, account);
    if (!stepped) return;
    account = stepped;
  }
  await releaseClock(ctx.db, account.id, isThere);
  if (!isThere) await ctx.send([{ type: "advance_clock", account_id: account.id }]);
};
