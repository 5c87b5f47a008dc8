import { leaseClock, releaseClock, stepClock } from "../../base/accounts/clock.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { DomainError } from "../../base/errors.ts";
import { isForEndpoint, type Job, longJobStatements, syncContractJob } from "../../base/job.ts";
import { aDayLater, dateIn, type Instant } from "../../base/lib/dates.ts";
import { findAllDue } from "../../domain/billing/due-pages.ts";
import { findNextDue, type NextDue } from "../../domain/billing/next-due.ts";
import { findUnlinkedOfAccount } from "../../domain/contracts/link.ts";
import { type Ctx, openCtx } from "../../kit/context.ts";

type Handle = (ctx: Ctx, job: Job) => Promise<void>;

/**
 * Moves an account's test clock towards its target, a day at a time: at each instant the jobs that cron would find are
 * done by the same code, in order. Days on which cron would find nothing are passed over. If one invocation cannot do all
 * of it, the next message goes on.
 */
export async function advanceClock(ctx: Ctx, handle: Handle): Promise<void> {
  const leased = await leaseClock(ctx.db, ctx.account.id, ctx.realNow);
  if (!leased) return;
  let account: Account = leased;
  let isThere = false;
  while (!isThere && !isSpent(ctx)) {
    if (!(await processInstant(ctx, account, handle))) break;
    isThere = account.clock_at === account.clock_target;
    if (isThere) break;
    const stepped = await stepClock(ctx.db, account, await nextStop(ctx, account));
    if (!stepped) return;
    account = stepped;
  }
  await releaseClock(ctx.db, account.id, isThere);
  if (!isThere) await ctx.send([{ type: "advance_clock", account_id: account.id }]);
}

function isSpent({ db }: Ctx): boolean {
  return db.usage.db_statements >= longJobStatements;
}

/**
 * Does all that falls due at the account's instant, and all that follows from it, until every job that is left has had its
 * turns. False if the budget is spent before.
 */
async function processInstant(from: Ctx, account: Account, handle: Handle): Promise<boolean> {
  const turns = new Map<string, number>();
  const turnsOf = (job: Job): number => turns.get(JSON.stringify(job)) ?? 0;
  let unlinked = (await findUnlinkedOfAccount(from)).map((id) => syncContractJob(account.id, id));
  for (;;) {
    const { ctx, queue } = await ctxAt(from, account);
    const found = [...unlinked, ...(await findAllDue(ctx))].filter((job) => turnsOf(job) < maxTurns(job));
    unlinked = [];
    if (found.length === 0) {
      await handle(ctx, { type: "find_due", account_id: account.id, kind: "reminder" });
      return true;
    }
    queue.push(...found);
    for (let job = queue.shift(); job; job = queue.shift()) {
      if (isSpent(ctx)) return false;
      turns.set(JSON.stringify(job), turnsOf(job) + 1);
      await handle(ctx, job).catch((error) => logUnlessOutage(ctx, job, error));
    }
  }
}

/**
 * A context at the account's instant. Its jobs go into a queue in memory, to be done in order; but the clock waits for no
 * endpoint.
 */
async function ctxAt(
  { env, db, actor, log, realNow }: Ctx,
  account: Account,
): Promise<{ ctx: Ctx; queue: Job[] }> {
  const queue: Job[] = [];
  const opened = await openCtx({ env, db, account, actor, log, realNow: new Date(realNow) });
  const send = async (jobs: Job[], delaySeconds = 0) => {
    await opened.send(
      jobs.filter(({ type }) => isForEndpoint(type)),
      delaySeconds,
    );
    if (delaySeconds === 0) queue.push(...jobs.filter(({ type }) => !isForEndpoint(type)));
  };
  return { ctx: { ...opened, send }, queue };
}

/** One thing may follow another on the same day; about an attempt that stays open the store is asked once. */
function maxTurns(job: Job): number {
  return job.type === "process_due" ? 4 : 1;
}

/** A job that fails stops neither the others nor the clock; an outage stops all of them. */
function logUnlessOutage(ctx: Ctx, { type, account_id }: Job, error: unknown): void {
  if (error instanceof DomainError && error.code === "UNAVAILABLE") throw error;
  ctx.log("job_failed", { alert: true, type, account_id, cause: String(error) });
}

/** The next day, by the same time of day, on which something is due, or the clock's target if that comes first. */
async function nextStop(from: Ctx, account: Account): Promise<Instant> {
  const { clock_at, clock_target, timezone } = account as Account &
    Record<"clock_at" | "clock_target", Instant>;
  const due = await findNextDue((await ctxAt(from, account)).ctx);
  let stop = aDayLater(clock_at, timezone);
  while (stop < clock_target && !isDue(due, stop, timezone)) stop = aDayLater(stop, timezone);
  return [stop, clock_target].sort()[0] as Instant;
}

function isDue({ date, instant }: NextDue, at: Instant, timezone: string): boolean {
  return (date !== null && date <= dateIn(at, timezone)) || (instant !== null && instant <= at);
}
