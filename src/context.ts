import type { Account } from "./accounts/tables.ts";
import type { Db, Statement } from "./db/client.ts";
import type { Env } from "./env.ts";
import type { Job } from "./job.ts";
import type { Instant } from "./lib/dates.ts";
import { newId } from "./lib/ids.ts";
import type { Log } from "./lib/log.ts";
import { openStore } from "./store/open.ts";
import type { Store } from "./store/port.ts";

export const actorTypes = ["customer", "admin", "api", "system"] as const;
export type ActorType = (typeof actorTypes)[number];

/** Who acts. `profile_id` is a customer's own. */
export type Actor = { type: ActorType; name: string | null; profile_id?: string };

/** Everything an action needs to know about the world; the account's data and nobody else's. */
export type Ctx = {
  env: Env;
  db: Db;
  account: Account;
  actor: Actor;
  /** The account's instant, UTC, `2026-11-20T12:00:00.000Z`; one for the whole request. A test clock may have moved it. */
  now: Instant;
  /** Real time: for leases, limits, and whatever else no test clock moves. */
  realNow: Instant;
  newId: () => string;
  log: Log;
  /** The connected store platform. */
  store: Store;
  /** Sends jobs, after the commit that makes them due, some seconds later if told. A message that is lost is found by the sweep. */
  send: (jobs: Job[], delaySeconds?: number) => Promise<void>;
  /** Set while the request runs under an Idempotency-Key (http/idempotency.ts): what joins its one batch. */
  claim?: () => Statement;
};

/** One JSON line. */
export const log: Log = (event, fields = {}) => console.log(JSON.stringify({ event, ...fields }));

const largestSend = 100;

/** Sends jobs; what could not be sent is logged, and found by the sweep. */
export const sender =
  (env: Env, log: Log): Ctx["send"] =>
  async (jobs, delaySeconds = 0) => {
    for (let at = 0; at < jobs.length; at += largestSend) {
      const messages = jobs.slice(at, at + largestSend).map((body) => ({ body, delaySeconds }));
      await env.JOBS.sendBatch(messages).catch((error) => log("jobs_not_sent", { cause: String(error) }));
    }
  };

/** A context whose jobs are kept until `send`, which sends all of them at once. */
export const collectingJobs = (ctx: Ctx): { ctx: Ctx; send: () => Promise<void> } => {
  const collected: Job[] = [];
  const send: Ctx["send"] = async (jobs, delaySeconds = 0) => {
    if (delaySeconds === 0) collected.push(...jobs);
    else await ctx.send(jobs, delaySeconds);
  };
  return {
    ctx: { ...ctx, send },
    send: async () => {
      if (collected.length > 0) await ctx.send(collected);
    },
  };
};

/** A context for one request, message or tick on behalf of an account. */
export const openCtx = (
  parts: Pick<Ctx, "env" | "db" | "account" | "actor" | "log"> & { realNow: Date },
): Ctx => {
  const { realNow, ...given } = parts;
  const now = given.account.clock_at ?? realNow.toISOString();
  return {
    ...given,
    now,
    realNow: realNow.toISOString(),
    newId,
    store: openStore({ ...given, now, realNow }),
    send: sender(given.env, given.log),
  };
};
