import { findAdvancing } from "../accounts/clock.ts";
import { findAccountsDue, sweepAttempts } from "../billing/due.ts";
import { log, sender } from "../context.ts";
import { findUnlinked } from "../contracts/link.ts";
import { sweepContracts } from "../contracts/outbox.ts";
import { type Db, openDb } from "../db/client.ts";
import { type Bindings, parseEnv } from "../env.ts";
import { pruneIdempotencyKeys } from "../http/idempotency.ts";
import type { Job } from "../job.ts";
import { pruneUploads } from "../profiles/upload.ts";
import { pruneEventDeliveries, sweepEndpoints, sweepRecoveries } from "../webhook-endpoints/outbox.ts";
import { pruneDeliveries, sweepDeliveries } from "../webhooks/deliveries.ts";

/**
 * The jobs at an instant of real time: what has fallen due, and work whose message was lost. After a missed tick the next one
 * finds the same; a tick that comes twice finds the same, or less.
 */
export const findJobs = async (db: Db, now: Date): Promise<Job[]> => {
  const realNow = now.toISOString();
  const unlinked = await findUnlinked(db, new Date(now.getTime() - lostAfterMs).toISOString(), perTick);
  const advancing = await findAdvancing(db);
  return [
    ...unlinked.map(
      ({ account_id, id }): Job => ({ type: "sync_contract", account_id, subscription_id: id }),
    ),
    ...(await sweepContracts(db, realNow)),
    ...(await sweepAttempts(db, realNow)),
    ...(await sweepDeliveries(db, realNow)),
    ...(await sweepEndpoints(db, realNow)),
    ...(await sweepRecoveries(db)),
    ...(await findAccountsDue(db, realNow)),
    ...advancing.map(({ id }): Job => ({ type: "advance_clock", account_id: id })),
  ];
};

/** The cron tick: sends jobs, and deletes what is too old. */
export const tick = async (bindings: Bindings, now: Date): Promise<void> => {
  const env = parseEnv(bindings);
  const db = openDb(env);
  await sender(env, log)(await findJobs(db, now));
  await pruneIdempotencyKeys(db, now);
  await pruneDeliveries(db, now);
  await pruneEventDeliveries(db, now);
  await pruneUploads(db, now);
};

/** The most that one tick finds; the next finds the rest. */
const perTick = 200;
const lostAfterMs = 60_000;
