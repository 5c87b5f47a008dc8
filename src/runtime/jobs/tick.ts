import { selectAdvancing } from "../../base/accounts/clock.ts";
import { openDb } from "../../base/db/client.ts";
import type { Db } from "../../base/db/port.ts";
import { alertIfFull, alertIfNearlyFull } from "../../base/db/room.ts";
import { type Bindings, type Env, parseEnv } from "../../base/env.ts";
import type { Job } from "../../base/job.ts";
import type { Log } from "../../base/lib/log.ts";
import { network } from "../../base/network.ts";
import { attemptSweep, findAccountsDue } from "../../domain/billing/due/due.ts";
import { reconciliationSweep } from "../../domain/billing/reconcile/nightly.ts";
import { closedDaySweep } from "../../domain/closed-days/outbox.ts";
import { unlinkedSweep } from "../../domain/contracts/link.ts";
import { contractSweep } from "../../domain/contracts/outbox.ts";
import { declarationSweep } from "../../domain/declarations/outbox.ts";
import { pruneDeclarations } from "../../domain/declarations/prune.ts";
import { noticeSweep } from "../../domain/dunning/notices.ts";
import { forecastSweep } from "../../domain/goods/nights.ts";
import { reminderRuleSweep } from "../../domain/mail/reminder-rules.ts";
import { pruneMails } from "../../domain/mail/retention.ts";
import { jobSweep } from "../../domain/merchant-jobs/outbox.ts";
import { pruneJobs } from "../../domain/merchant-jobs/prune.ts";
import { refundSweep } from "../../domain/own-orders/refund-outbox.ts";
import { erasureSweep } from "../../domain/privacy/erasures.ts";
import { pruneUploads } from "../../domain/profiles/upload.ts";
import { planSweep } from "../../domain/selling-plans/outbox.ts";
import { pruneSessions } from "../../domain/sessions/sessions.ts";
import { pruneStaffSessions } from "../../domain/staff-sessions/sessions.ts";
import { setUpSweeps } from "../../domain/store-sync/set-up.ts";
import { pruneConsents } from "../../domain/subscriptions/consents/prune.ts";
import { pruneImages } from "../../domain/subscriptions/undo/prune.ts";
import { endpointSweep, pruneEventDeliveries, recoverySweep } from "../../domain/webhook-endpoints/outbox.ts";
import { readFigures } from "../../edges/health/figures.ts";
import { alertOf, noteTick } from "../../edges/health/heartbeat.ts";
import { isHeld, type QueueName, readBacklogs } from "../../edges/health/queues.ts";
import { finishMoves } from "../../edges/operator/move/finish.ts";
import { portsOf } from "../../edges/operator/move/ports.ts";
import { deliverySweep, pruneDeliveries } from "../../edges/webhooks/deliveries.ts";
import { type Ctx, log, sender } from "../../kit/context.ts";
import { pruneIdempotencyKeys } from "../../kit/http/idempotency/idempotency.ts";
import { type Sweep, sweep } from "../../kit/outbox/sweep.ts";
import { fill } from "../backfills/fill.ts";

/** The surroundings of a tick: the database, the instant of real time, where its jobs and its log lines go, and which queues stand still. */
type Tick = { db: Db; now: Date; send: Ctx["send"]; log: Log; held?: readonly QueueName[] };

/** The cron tick: sends jobs, deletes what is too old, and notes that it was. Returns how many jobs it has sent. Throws where a part failed. */
export async function tick(bindings: Bindings, now: Date): Promise<number> {
  const env = parseEnv(bindings);
  const db = openDb(env);
  const sent: Job[] = [];
  const sendNow = sender(env, log);
  const send: Ctx["send"] = (jobs, ...delay) => {
    sent.push(...jobs);
    return sendNow(jobs, ...delay);
  };
  const elapsed = network.stopwatch();
  const held = db.engine === "d1" ? await readHeld(env, now) : [];
  const failures = await runAll({ db, now, send, log, held }, { ...finders, ...prunes, ...fills });
  alertIfNearlyFull(log, db);
  if (db.engine === "d1") {
    await finishMoves({ directory: db, portsOf: (account) => portsOf(env, account, now), now, log });
    await beat(db, { now, ms: elapsed(), failures, sent });
  }
  if (failures.length > 0) throw failures[0]?.cause;
  return sent.length;
}

/** The queues whose consumer stands still: the same work is not sent to them again each minute. */
async function readHeld(env: Env, now: Date): Promise<QueueName[]> {
  const held: QueueName[] = [];
  for (const [queue, backlog] of Object.entries(await readBacklogs(env, now.toISOString())))
    if (backlog && isHeld(backlog)) {
      log("queue_held", { alert: true, queue, ...backlog });
      held.push(queue as QueueName);
    }
  return held;
}

type Beat = { now: Date; ms: number; failures: Failure[]; sent: Job[] };

/** Notes the tick, for /health and /metrics. A failure leaves the last note, which then is too old. */
async function beat(db: Db, { now, ms, failures, sent }: Beat): Promise<void> {
  const at = now.toISOString();
  const failed = failures.map(({ part }) => part);
  try {
    const due = sent.filter(({ type }) => type === "find_due");
    const figures = await readFigures(db, at, due);
    alertOf(log, figures);
    await noteTick(db, { at, ms, failed, figures });
    log("tick", { ms, jobs: sent.length, failed, ...figures });
  } catch (error) {
    log("tick_failed", { alert: true, part: "heartbeat", cause: String(error) });
  }
}

/**
 * Sends the jobs at an instant of real time: what has fallen due, and work whose message was lost. After a missed tick the next
 * one finds the same; a tick that comes twice finds the same, or less.
 */
export async function sendDueJobs(parts: Tick): Promise<void> {
  const [failure] = await runAll(parts, finders);
  if (failure) throw failure.cause;
}

type Part = (parts: Tick) => Promise<unknown>;

const clockSweep: Sweep<{ id: string }> = {
  pageOf: () => selectAdvancing({}),
  jobOf: ({ id }) => ({ type: "advance_clock", account_id: id }),
};

/** Work that one statement finds: its message was lost, or it is due again. */
const sweeps: Record<string, Sweep[]> = {
  contracts: [contractSweep],
  plans: [planSweep],
  stores: setUpSweeps,
  attempts: [attemptSweep],
  notices: [noticeSweep],
  refunds: [refundSweep],
  declarations: [declarationSweep],
  erasures: [erasureSweep],
  webhooks: [deliverySweep],
  closed_days: [closedDaySweep],
  merchant_jobs: [jobSweep],
  unlinked: [unlinkedSweep],
  endpoints: [endpointSweep],
  recoveries: [recoverySweep],
  reminder_rules: [reminderRuleSweep],
  clocks: [clockSweep],
};

function sweepOf(some: Sweep[]): Part {
  return ({ db, now, send }) => sweep(db, some, { realNow: now.toISOString(), send });
}

/** Nights have trips of their own: who is taken is put off by a day, and the longer a trip takes, the likelier its answer is lost. */
const finders: Record<string, Part> = {
  accounts: async ({ db, now, send, log }) => {
    const jobs = await findAccountsDue(db, now.toISOString(), log);
    if (jobs.length > 0) await send(jobs);
  },
  reconciliations: sweepOf([reconciliationSweep]),
  forecasts: sweepOf([forecastSweep]),
};

const prunes: Record<string, Part> = {
  idempotency_keys: ({ db, now }) => pruneIdempotencyKeys(db, now),
  webhook_deliveries: ({ db, now }) => pruneDeliveries(db, now),
  event_deliveries: ({ db, now }) => pruneEventDeliveries(db, now),
  mails: ({ db, now }) => pruneMails(db, now),
  sessions: ({ db, now }) => pruneSessions(db, now),
  staff_sessions: ({ db, now }) => pruneStaffSessions(db, now),
  consents: ({ db, now }) => pruneConsents(db, now),
  declarations: ({ db, now }) => pruneDeclarations(db, now),
  uploads: ({ db, now }) => pruneUploads(db, now),
  ended_jobs: ({ db, now }) => pruneJobs(db, now),
  undo_images: ({ db, now }) => pruneImages(db, now),
};

/** Rows get the values of migrations, here as in objects. */
const fills: Record<string, Part> = {
  backfills: ({ db, now }) => fill(db, now.toISOString()),
};

/** A part of a tick that failed, and why. */
type Failure = { part: string; cause: unknown };

/** Sweeps everything at once, then runs every part. Where the sweeps fail together, each that has not ended is a part of its own. */
async function runAll(tick: Tick, all: Record<string, Part>): Promise<Failure[]> {
  const { db, now, send, held = [] } = tick;
  const parts = held.includes("jobs") ? withoutFinders(all) : all;
  let open = Object.entries(sweeps).flatMap(([name, some]) => (held.includes(queueOf(name)) ? [] : some));
  const left = (some: Sweep[]) => {
    open = some;
  };
  try {
    await sweep(db, open, { realNow: now.toISOString(), send, left });
  } catch (error) {
    tick.log("swept_apart", { cause: String(error) });
    return runEach(tick, { ...partsOf(open), ...parts });
  }
  return runEach(tick, parts);
}

/** The queue that the jobs of a sweep go to. */
function queueOf(name: string): QueueName {
  return name === "endpoints" ? "events" : "jobs";
}

function withoutFinders(parts: Record<string, Part>): Record<string, Part> {
  return Object.fromEntries(Object.entries(parts).filter(([name]) => !(name in finders)));
}

function partsOf(open: Sweep[]): Record<string, Part> {
  const parts = Object.entries(sweeps)
    .map(([name, some]) => [name, some.filter((one) => open.includes(one))] as const)
    .filter(([, some]) => some.length > 0);
  return Object.fromEntries(parts.map(([name, some]) => [name, sweepOf(some)]));
}

/** Runs every part, whatever becomes of the others. */
async function runEach(tick: Tick, parts: Record<string, Part>): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const [part, run] of Object.entries(parts))
    try {
      await run(tick);
    } catch (error) {
      tick.log("tick_failed", { alert: true, part, cause: String(error) });
      alertIfFull(tick.log, error);
      failures.push({ part, cause: error });
    }
  return failures;
}
