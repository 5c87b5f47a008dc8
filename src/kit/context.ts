import type { CredentialLimits } from "../base/accounts/limits.ts";
import type { StaffRole } from "../base/accounts/roles.ts";
import type { Account } from "../base/accounts/tables.ts";
import type { Db, Statement } from "../base/db/port.ts";
import { newRehearsal, type Rehearsal } from "../base/db/wrapped/rehearsal.ts";
import type { Env } from "../base/env.ts";
import { isForEndpoint, type Job } from "../base/job.ts";
import { newId } from "../base/lib/ids.ts";
import { type Log, levelOf } from "../base/lib/log.ts";
import { type Instant, toInstant } from "../base/lib/time/dates.ts";
import { type Network, network } from "../base/network.ts";
import { openStore } from "../stores/open.ts";
import type { Store } from "../stores/port.ts";

export const actorTypes = ["customer", "admin", "api", "system"] as const;
export type ActorType = (typeof actorTypes)[number];

/** A member of staff who acts as a customer, as the history names them; without a role if only a token names them. */
type StandIn = { name: string | null; role?: StaffRole };

/** Who acts. A customer has a `profile_id`, a member of staff who is signed in a `role`. */
export type Actor = {
  type: ActorType;
  name: string | null;
  profile_id?: string;
  role?: StaffRole;
  /** Present where staff act as a customer, whose permissions bind them; the history has their own name. */
  standIn?: StandIn;
};

/** Everything that an action needs. Its data is the account's and nobody else's. */
export type Ctx = {
  env: Env;
  db: Db;
  account: Account;
  actor: Actor;
  /** The key that has proven the request, or has issued its token. What it makes ends with it (base/accounts/key-life.ts). */
  keyId?: string | undefined;
  /** The account's time, UTC, `2026-11-20T12:00:00.000Z`, the same for the whole request. A test clock may have moved it. */
  now: Instant;
  /** Real time, for leases, limits and everything else that no test clock moves. */
  realNow: Instant;
  /** A new id, of real time or of a given instant (lib/ids.ts). */
  newId: (at?: Instant) => string;
  log: Log;
  /** The connected store platform. */
  store: Store;
  /** Sends jobs after the commit that makes them due, with an optional delay. The sweep finds work whose message was lost. */
  send: (jobs: Job[], delaySeconds?: number) => Promise<void>;
  network: Network;
  /** The bounds of the credentials, where they have any. */
  limits?: CredentialLimits | undefined;
  /** Set where a request is decided on before it is done, or instead. */
  rehearsal?: Rehearsal;
  /** Set if the request has an Idempotency-Key (http/idempotency.ts): makes the statement that claims it in its one batch. */
  claim?: () => Statement;
  /** Set with `claim`, which keeps them: the ids of the records that the request creates. */
  created?: Partial<Created>;
  /** Set while a row of a merchant's job is done: whatever is changed belongs to the job. */
  jobRow?: JobRowNote;
};

/**
 * The job that a change belongs to, named in its entries, with notes about its row: the latest change that was decided on, and whether the
 * store has answered.
 */
export type JobRowNote = {
  job_id: string;
  change?: { before: object; after: object; entryId: string | undefined } | undefined;
  hasStoreAnswered?: boolean;
};

/** The ids that a repeated request is answered from, by what they are of; empty for what the request has not created. */
export type Created = typeof nothingCreated;

export const nothingCreated = {
  address: "",
  apiKey: "",
  attempt: "",
  closedDay: "",
  deliveryDay: "",
  deliverySlot: "",
  endpoint: "",
  entity: "",
  entry: "",
  eventDelivery: "",
  job: "",
  leavingCase: "",
  mail: "",
  member: "",
  paymentUpdate: "",
  profile: "",
  reason: "",
  refund: "",
  /** Sealed (kit/kept-secret.ts). */
  secret: "",
  subscriptions: [] as string[],
};

/** The context of work that is only decided on: nothing is written, and nobody is told. */
export function rehearse({ claim: _, ...ctx }: Ctx): Ctx & { rehearsal: Rehearsal } {
  const rehearsal = newRehearsal();
  const newId = (at?: Instant) => {
    const id = ctx.newId(at);
    rehearsal.ids.push(id);
    return id;
  };
  return { ...ctx, rehearsal, newId, send: async () => {} };
}

/** The context of the same work, to be done exactly as it was rehearsed: with the same ids, or not at all (OtherDecisionError). */
export function asRehearsed(ctx: Ctx, rehearsal: Rehearsal): Ctx {
  const ids = [...rehearsal.ids];
  return { ...ctx, rehearsal: { ...rehearsal, isDry: false }, newId: (at) => ids.shift() ?? ctx.newId(at) };
}

export function isRehearsed({ rehearsal }: Pick<Ctx, "rehearsal">): boolean {
  return rehearsal?.isDry === true;
}

/** Keeps ids of what is about to be created with the request's key. Those of a later try replace those of an earlier one. */
export function keepCreated({ created }: Ctx, ids: Partial<Created>): void {
  if (created) Object.assign(created, ids);
}

export const log: Log = (event, fields = {}) =>
  console.log(JSON.stringify({ event, level: levelOf(fields), ...fields }));

/** Sends jobs in batches. If the queue fails, that is logged, and the sweep finds the work. */
export function sender(env: Env, log: Log): Ctx["send"] {
  return async (jobs, delaySeconds = 0) => {
    for (const { queue, messages } of batchesOf(env, jobs, delaySeconds))
      await queue.sendBatch(messages).catch((error) => log("jobs_not_sent", { cause: String(error) }));
  };
}

/** Sends jobs in batches. Throws if the queue fails; some of them may have been sent. */
export async function sendJobs(env: Env, jobs: Job[]): Promise<void> {
  for (const { queue, messages } of batchesOf(env, jobs, 0)) await queue.sendBatch(messages);
}

/** The context of one request, message or tick on behalf of an account. */
export async function openCtx(
  parts: Pick<Ctx, "env" | "db" | "account" | "actor" | "keyId" | "limits" | "log"> & { realNow: Date },
): Promise<Ctx> {
  const { realNow: date, ...rest } = parts;
  const realNow = toInstant(date.getTime());
  const now = rest.account.clock_at ?? realNow;
  return {
    ...rest,
    now,
    realNow,
    newId,
    store: await openStore({ ...rest, now, realNow: date }),
    send: sender(rest.env, rest.log),
    network,
  };
}

const maxBatch = 100;

/** Jobs that talk to endpoints have a queue of their own. */
function queueOf(env: Env, { type }: Job): Queue<unknown> {
  return isForEndpoint(type) ? env.EVENTS : env.JOBS;
}

function* batchesOf(env: Env, jobs: Job[], delaySeconds: number) {
  for (const [queue, its] of Map.groupBy(jobs, (job) => queueOf(env, job)))
    for (let at = 0; at < its.length; at += maxBatch)
      yield { queue, messages: its.slice(at, at + maxBatch).map((body) => ({ body, delaySeconds })) };
}
