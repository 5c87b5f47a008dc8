import { leaseClock, releaseClock, stepClock, underLease } from "../../base/accounts/clock.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { DomainError } from "../../base/errors.ts";
import {
  deliverEventJob,
  isForEndpoint,
  type Job,
  longJobStatements,
  syncContractJob,
} from "../../base/job.ts";
import { aDayLater, dateIn, type Instant } from "../../base/lib/time/dates.ts";
import { findAllDue } from "../../domain/billing/due/due-pages.ts";
import { findNextDue, type NextDue } from "../../domain/billing/due/next-due.ts";
import { findUnlinkedOfAccount } from "../../domain/contracts/link.ts";
import { findMailEndpoint } from "../../domain/mail/queries.ts";
import { countDueMails, endWaits } from "../../domain/mail/waits.ts";
import { type Ctx, openCtx } from "../../kit/context.ts";

type Handle = (ctx: Ctx, job: Job) => Promise<void>;

/**
 * Moves an account's test clock towards its target, a day at a time: at each instant the jobs that cron would find are
 * done by the same code, in order. Days on which cron would find nothing are passed over. If one invocation cannot do all
 * of it, the next message goes on; it comes later where the clock waits for somebody else who has a charge in hand.
 */
export async function advanceClock(from: Ctx, handle: Handle): Promise<void> {
  const leased = await leaseClock(from.db, from.account.id, from.realNow);
  if (!leased) return;
  const ctx = { ...from, db: underLease(from.db, leased) };
  const mailer = (await findMailEndpoint(ctx))?.id;
  let account: Account = leased;
  while (!isSpent(ctx)) {
    const outcome = await processInstant(ctx, account, { handle, mailer });
    if (outcome !== "done") return goOn(ctx, account, outcome);
    if (account.clock_at === account.clock_target) return releaseClock(ctx.db, account.id, true);
    account = await stepClock(ctx.db, account, await nextStop(ctx, account));
  }
  return goOn(ctx, account, "spent");
}

/** Leaves the move to the next message: at once, or once whoever has a charge in hand has had some time for it. */
async function goOn(ctx: Ctx, { id }: Account, why: "spent" | "held"): Promise<void> {
  await releaseClock(ctx.db, id, false);
  await ctx.send([{ type: "advance_clock", account_id: id }], why === "held" ? heldSeconds : 0);
}

/** Less than cron takes to send the message again. */
const heldSeconds = 15;

function isSpent({ db }: Ctx): boolean {
  return db.usage.db_statements >= longJobStatements;
}

/**
 * Does all that falls due at the account's instant, and all that follows from it, until every job that is left has had its
 * turns; not done if the budget is spent before, or while an attempt is held by somebody else: what follows from its charge belongs to
 * this instant.
 */
async function processInstant(
  from: Ctx,
  account: Account,
  { handle, mailer }: Processing,
): Promise<"done" | "spent" | "held"> {
  const turns = new Map<string, number>();
  const turnsOf = (job: Job): number => turns.get(JSON.stringify(job)) ?? 0;
  let unlinked = (await findUnlinkedOfAccount(from)).map((id) => syncContractJob(account.id, id));
  for (;;) {
    const { ctx, queue } = await ctxAt(from, account, mailer);
    const { jobs, isHeld } = await findAllDue(ctx);
    const found = [...unlinked, ...jobs].filter((job) => turnsOf(job) < maxTurns(job));
    unlinked = [];
    if (found.length === 0) {
      if (isHeld) return "held";
      const reminders: Job = { type: "find_due", account_id: account.id, kind: "reminder" };
      await handle(ctx, reminders).catch((error) => logUnlessOutage(ctx, reminders, error));
      return mailer === undefined ? "done" : sendMails(ctx, { handle, mailer });
    }
    queue.push(...found);
    for (let job = queue.shift(); job; job = queue.shift()) {
      if (isSpent(ctx)) return "spent";
      turns.set(JSON.stringify(job), turnsOf(job) + 1);
      await handle(ctx, job).catch((error) => logUnlessOutage(ctx, job, error));
    }
  }
}

type Processing = { handle: Handle; mailer: string | undefined };

/**
 * Sends the mails of the instant before the clock moves on, as they speak of what is to come. Those that wait for it to move are due
 * again, but not those that a provider has put off.
 */
async function sendMails(
  ctx: Ctx,
  { handle, mailer }: { handle: Handle; mailer: string },
): Promise<"done" | "spent"> {
  await endWaits(ctx, mailer);
  const mails = deliverEventJob(ctx.account.id, mailer);
  let due = await countDueMails(ctx, mailer);
  for (let before = Number.POSITIVE_INFINITY; due > 0 && due < before; ) {
    if (isSpent(ctx)) return "spent";
    await handle(ctx, mails).catch((error) => logUnlessOutage(ctx, mails, error));
    before = due;
    due = await countDueMails(ctx, mailer);
  }
  return "done";
}

/**
 * A context at the account's instant. Its jobs go into a queue in memory, to be done in order; but the clock waits for no
 * endpoint, and mails are sent once all of the instant is done.
 */
async function ctxAt(
  { env, db, actor, log, realNow }: Ctx,
  account: Account,
  mailer?: string,
): Promise<{ ctx: Ctx; queue: Job[] }> {
  const queue: Job[] = [];
  const opened = await openCtx({ env, db, account, actor, log, realNow: new Date(realNow) });
  const send = async (jobs: Job[], delaySeconds = 0) => {
    const ofOthers = jobs.filter((job) => job.type !== "deliver_event" || job.endpoint_id !== mailer);
    await opened.send(
      ofOthers.filter(({ type }) => isForEndpoint(type)),
      delaySeconds,
    );
    if (delaySeconds === 0) queue.push(...ofOthers.filter(({ type }) => !isForEndpoint(type)));
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
  ctx.log("queue_job_failed", { alert: true, type, account_id, cause: String(error) });
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
