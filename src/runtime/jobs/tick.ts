import { selectAdvancing } from "../../base/accounts/clock.ts";
import { openDb } from "../../base/db/client.ts";
import type { Db } from "../../base/db/port.ts";
import { alertIfFull, alertIfNearlyFull } from "../../base/db/room.ts";
import { type Bindings, parseEnv } from "../../base/env.ts";
import type { Log } from "../../base/lib/log.ts";
import { attemptSweep, findAccountsDue } from "../../domain/billing/due/due.ts";
import { reconciliationSweep } from "../../domain/billing/reconcile/nightly.ts";
import { closedDaySweep } from "../../domain/closed-days/outbox.ts";
import { unlinkedSweep } from "../../domain/contracts/link.ts";
import { contractSweep } from "../../domain/contracts/outbox.ts";
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
import { setUpSweeps } from "../../domain/store-sync/set-up.ts";
import { pruneImages } from "../../domain/subscriptions/undo/prune.ts";
import { endpointSweep, pruneEventDeliveries, recoverySweep } from "../../domain/webhook-endpoints/outbox.ts";
import { finishMoves } from "../../edges/operator/move/finish.ts";
import { portsOf } from "../../edges/operator/move/ports.ts";
import { deliverySweep, pruneDeliveries } from "../../edges/webhooks/deliveries.ts";
import { type Ctx, log, sender } from "../../kit/context.ts";
import { pruneIdempotencyKeys } from "../../kit/http/idempotency/idempotency.ts";
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
  uploads: ({ db, now }) => pruneUploads(db, now),
  ended_jobs: ({ db, now }) => pruneJobs(db, now),
  undo_images: ({ db, now }) => pruneImages(db, now),
};

/** Sweeps everything at once, then runs every part. Where the sweeps fail together, each that has not ended is a part of its own. */
async function runAll(tick: Tick, parts: Record<string, Part>): Promise<void> {
  const { db, now, send } = tick;
  let open = Object.values(sweeps).flat();
  const left = (some: Sweep[]) => {
    open = some;
  };
  try {
    await sweep(db, open, { realNow: now.toISOString(), send, left });
  } catch (error) {
    tick.log("swept_apart", { cause: String(error) });
    return runEach(tick, { ...partsOf(open), ...parts });
  }
  await runEach(tick, parts);
}

function partsOf(open: Sweep[]): Record<string, Part> {
  const parts = Object.entries(sweeps)
    .map(([name, some]) => [name, some.filter((one) => open.includes(one))] as const)
    .filter(([, some]) => some.length > 0);
  return Object.fromEntries(parts.map(([name, some]) => [name, sweepOf(some)]));
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
