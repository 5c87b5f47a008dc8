import { findAdvancing } from "../../base/accounts/clock.ts";
import { openDb } from "../../base/db/client.ts";
import type { Db } from "../../base/db/port.ts";
import { alertIfFull, alertIfNearlyFull } from "../../base/db/room.ts";
import { type Bindings, parseEnv } from "../../base/env.ts";
import { type Job, syncContractJob } from "../../base/job.ts";
import { minuteMs } from "../../base/lib/durations.ts";
import type { Log } from "../../base/lib/log.ts";
import { attemptSweep, findAccountsDue } from "../../domain/billing/due.ts";
import { takeReconciliations } from "../../domain/billing/reconcile/nightly.ts";
import { findUnlinked } from "../../domain/contracts/link.ts";
import { contractSweep } from "../../domain/contracts/outbox.ts";
import { closedDaySweep } from "../../domain/delivery/closed-day-outbox.ts";
import { noticeSweep } from "../../domain/dunning/notices.ts";
import { findForecastsDue } from "../../domain/goods/nights.ts";
import { sweepReminderRules } from "../../domain/mail/reminder-rules.ts";
import { pruneMails } from "../../domain/mail/retention.ts";
import { pruneJobs } from "../../domain/merchant-jobs/prune.ts";
import { jobSweep } from "../../domain/merchant-jobs/work.ts";
import { refundSweep } from "../../domain/own-orders/refund-outbox.ts";
import { erasureSweep } from "../../domain/privacy/erasures.ts";
import { pruneUploads } from "../../domain/profiles/upload.ts";
import { planSweep } from "../../domain/selling-plans/outbox.ts";
import { pruneSessions } from "../../domain/sessions/sessions.ts";
import { setUpSweeps } from "../../domain/store-sync/set-up.ts";
import {
  pruneEventDeliveries,
  sweepEndpoints,
  sweepRecoveries,
} from "../../domain/webhook-endpoints/outbox.ts";
import { finishMoves } from "../../edges/operator/move/finish.ts";
import { portsOf } from "../../edges/operator/move/ports.ts";
import { deliverySweep, pruneDeliveries } from "../../edges/webhooks/deliveries.ts";
import { type Ctx, log, sender } from "../../kit/context.ts";
import { pruneIdempotencyKeys } from "../../kit/http/idempotency.ts";
import { type Sweep, sweep } from "../../kit/outbox/sweep.ts";

/** The surroundings of a tick: the database, the instant of real time, and where its jobs and its log lines go. */
type Tick = { db: Db; now: Date; send: Ctx["send"]; log: Log };

/** The cron tick: sends jobs, and deletes what is too old. Returns how many jobs it has sent. */
export async function tick(bindings: Bindings, now: Date): Promise<number> {
  const env = parseEnv(bindings);
  const sendNow = sender(env, log);
  let sent = 0;
  const send: Ctx["send"] = (jobs, ...delay) => {
    sent += jobs.length;
    return sendNow(jobs, ...delay);
  };
  const db = openDb(env);
  await runAll({ db, now, send, log }, { ...finders, ...prunes });
  alertIfNearlyFull(log, db);
  if (db.engine === "d1")
    await finishMoves({ directory: db, portsOf: (account) => portsOf(env, account, now), now, log });
  return sent;
}

/**
 * Sends the jobs at an instant of real time: what has fallen due, and work whose message was lost. After a missed tick the next
 * one finds the same; a tick that comes twice finds the same, or less.
 */
export function sendDueJobs(parts: Tick): Promise<void> {
  return runAll(parts, finders);
}

/** The most that one tick finds; the next finds the rest. */
const perTick = 200;
const lostAfterMs = minuteMs;

type Part = (parts: Tick) => Promise<unknown>;

function sendFound(find: (db: Db, now: Date, log: Log) => Promise<Job[]>): Part {
  return async ({ db, now, send, log }) => {
    const jobs = await find(db, now, log);
    if (jobs.length > 0) await send(jobs);
  };
}

/** The outboxes, whose rows have lost their messages or are due again. */
const sweeps: Record<string, Sweep[]> = {
  contracts: [contractSweep],
  plans: [planSweep],
  stores: setUpSweeps,
  attempts: [attemptSweep],
  notices: [noticeSweep],
  refunds: [refundSweep],
  erasures: [erasureSweep],
  webhooks: [deliverySweep],
  closed_days: [closedDaySweep],
  merchant_jobs: [jobSweep],
};

function sweepOf(some: Sweep[]): Part {
  return ({ db, now, send }) => sweep(db, some, { realNow: now.toISOString(), send });
}

const sweepAll = sweepOf(Object.values(sweeps).flat());
const sweepEach = Object.fromEntries(Object.entries(sweeps).map(([name, some]) => [name, sweepOf(some)]));

const finders: Record<string, Part> = {
  unlinked: sendFound(findUnlinkedJobs),
  endpoints: sendFound((db, now) => sweepEndpoints(db, now.toISOString())),
  recoveries: sendFound((db) => sweepRecoveries(db)),
  reminder_rules: sendFound((db) => sweepReminderRules(db)),
  accounts: sendFound((db, now, log) => findAccountsDue(db, now.toISOString(), log)),
  reconciliations: sendFound((db, now) => takeReconciliations(db, now.toISOString())),
  forecasts: sendFound((db, now) => findForecastsDue(db, now.toISOString())),
  clocks: sendFound(findAdvancingJobs),
};

const prunes: Record<string, Part> = {
  idempotency_keys: ({ db, now }) => pruneIdempotencyKeys(db, now),
  webhook_deliveries: ({ db, now }) => pruneDeliveries(db, now),
  event_deliveries: ({ db, now }) => pruneEventDeliveries(db, now),
  mails: ({ db, now }) => pruneMails(db, now),
  sessions: ({ db, now }) => pruneSessions(db, now),
  uploads: ({ db, now }) => pruneUploads(db, now),
  ended_jobs: ({ db, now }) => pruneJobs(db, now),
};

/** Sweeps all outboxes at once, then runs every part. Where the outboxes fail together, each is a part of its own. */
async function runAll(tick: Tick, parts: Record<string, Part>): Promise<void> {
  const areSwept = await sweepAll(tick).then(
    () => true,
    (error: unknown) => {
      tick.log("outboxes_swept_apart", { cause: String(error) });
      return false;
    },
  );
  await runEach(tick, areSwept ? parts : { ...sweepEach, ...parts });
}

/** Runs every part, whatever becomes of the others. The first failure is thrown at the end, so that the platform counts it. */
async function runEach(tick: Tick, parts: Record<string, Part>): Promise<void> {
  const failures: unknown[] = [];
  for (const [part, run] of Object.entries(parts))
    try {
      await run(tick);
    } catch (error) {
      tick.log("tick_failed", { alert: true, part, cause: String(error) });
      alertIfFull(tick.log, error);
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

async function findUnlinkedJobs(db: Db, now: Date): Promise<Job[]> {
  const until = new Date(now.getTime() - lostAfterMs).toISOString();
  const unlinked = await findUnlinked(db, until, perTick);
  return unlinked.map(({ account_id, id }) => syncContractJob(account_id, id));
}

async function findAdvancingJobs(db: Db): Promise<Job[]> {
  const advancing = await findAdvancing(db);
  return advancing.map(({ id }): Job => ({ type: "advance_clock", account_id: id }));
}
