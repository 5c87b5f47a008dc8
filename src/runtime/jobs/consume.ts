import { readAccount, readAccounts } from "../../base/accounts/queries.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { openDb, openDbs } from "../../base/db/client.ts";
import type { Db } from "../../base/db/port.ts";
import { alertIfFull } from "../../base/db/room.ts";
import { type Bindings, parseEnv } from "../../base/env.ts";
import { isForEndpoint, type Job } from "../../base/job.ts";
import { jobSchema } from "../../base/job-schema.ts";
import { type Doubling, doublingPause } from "../../base/lib/backoff.ts";
import type { Log } from "../../base/lib/log.ts";
import { once } from "../../base/lib/once.ts";
import { noteDeadLetter } from "../../edges/health/heartbeat.ts";
import { log, openCtx, sendJobs } from "../../kit/context.ts";
import { type Delivered, workBatch } from "./batch.ts";
import { invocationLimits } from "./budget.ts";
import { forwardJobs } from "./forward.ts";
import { handleJob } from "./handle.ts";

/** A message of the platform's queue, or one that an account's object is handed. */
type QueueMessage = Pick<Message, "id" | "attempts" | "body" | "ack" | "retry"> & { timestamp?: Date };
type Batch = { queue: string; messages: readonly QueueMessage[] };

/**
 * The queue consumer. It never throws: the platform would deliver the whole batch again. Each message is
 * acknowledged, retried or sent again by itself.
 */
export async function consume(
  batch: Batch,
  bindings: Bindings,
  execution?: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  if (batch.queue.endsWith("-dlq")) return buryAll(batch.messages, bindings);
  const started = Date.now();
  const delivered = batch.messages.flatMap(understand);
  const { read, accountOf } = accountReader(delivered.map(({ job }) => job.account_id));
  const shared: Shared = { bindings, accountOf, dbs: once(() => openDbs(parseEnv(bindings))) };
  const here = await forwardJobs({ bindings, queue: batch.queue, delivered, readAccounts: read });
  const waiting = here.filter((message) => !workInBackground(message, shared, execution));
  await workBatch(waiting, {
    limits: invocationLimits,
    elapsed: () => Date.now() - started,
    work: (message) => work(message, shared),
    sendAgain: (jobs) => sendAgain(bindings, jobs),
  });
}

type MessageOfJob = Delivered & { message: QueueMessage };

/** The things that the jobs of an invocation have in common. */
type Shared = { bindings: Bindings; accountOf: AccountReader; dbs: () => () => Db };

/**
 * The local runtime works on one batch of a queue at a time, so that an endpoint that hangs would keep all others waiting. There a message
 * to an endpoint is acknowledged, and the delivery goes on after its batch (wrangler.toml has the flag for it); a delivery that is lost
 * with the process is found by the sweep. Says whether it is so.
 */
function workInBackground(
  message: MessageOfJob,
  shared: Shared,
  execution: Pick<ExecutionContext, "waitUntil"> | undefined,
): boolean {
  const isLocal = shared.bindings.ENVIRONMENT === "local";
  if (!execution || !isLocal || !isForEndpoint(message.job.type)) return false;
  execution.waitUntil(work(message, shared));
  message.ack();
  return true;
}

/** Logs dead letters, notes them for /metrics, and drops them: the tick finds the work again if it is still to be done. */
async function buryAll(messages: readonly QueueMessage[], bindings: Bindings): Promise<void> {
  for (const message of messages) {
    const { id } = message;
    const job = jobSchema.safeParse(message.body).data ?? null;
    log("dead_letter", { alert: true, message_id: id, body: job });
    await noteDeadLetter(openDb(parseEnv(bindings)), { id, at: new Date().toISOString(), job }).catch(
      (error) => log("dead_letter_not_noted", { message_id: id, cause: String(error) }),
    );
    message.ack();
  }
}

/** The job of a message; one that has none is logged and acknowledged. */
function understand(message: QueueMessage): MessageOfJob[] {
  const job = jobSchema.safeParse(message.body).data;
  if (!job) {
    reportUnknown(message);
    message.ack();
    return [];
  }
  const retry = () => message.retry({ delaySeconds: doublingPause(retryPauses, message.attempts) });
  return [{ job, message, ack: () => message.ack(), retry }];
}

function reportUnknown({ id, attempts }: QueueMessage): void {
  log("message_not_understood", { message_id: id, attempts });
}

/** Between two deliveries of a message: 10, 20, 40 … seconds, an hour at most. */
const retryPauses: Doubling = { first: 5, longest: 3600 };

type AccountReader = (db: Db, id: string) => Promise<Account | undefined>;

/** Does the job of a message. A failure is logged with its account, so that a job that fails again and again is found. */
async function work({ job, message }: MessageOfJob, { bindings, accountOf, dbs }: Shared) {
  const started = Date.now();
  let db: Db | undefined;
  try {
    const env = parseEnv(bindings);
    db = dbs()();
    const account = await accountOf(db, job.account_id);
    if (account) {
      const about = { message_id: message.id, account_id: account.id };
      const logged: Log = (event, fields) =>
        log(event, { ...about, ...(event === "job" && timesOf(message, started)), ...fields });
      const ctx = await openCtx({ env, db, account, actor: system, log: logged, realNow: new Date() });
      await handleJob(ctx, job);
    } else reportUnknown(message);
    return { isDone: true, statements: db.usage.db_statements };
  } catch (error) {
    const { type, account_id } = job;
    const { id: message_id, attempts } = message;
    const alert = attempts === alertedTry;
    log("queue_job_failed", {
      ...(alert && { alert }),
      ...{ message_id, attempts, type, account_id, outcome: "failed", ...timesOf(message, started) },
      cause: String(error),
    });
    alertIfFull(log, error);
    return { isDone: false, statements: db?.usage.db_statements ?? 0 };
  }
}

/** The time that a job took, and for how long its message had waited before. */
function timesOf({ timestamp }: QueueMessage, started: number) {
  return {
    ms: Date.now() - started,
    ...(timestamp && { waited_ms: Math.max(0, started - timestamp.getTime()) }),
  };
}

/** A job that fails once or twice has met a store in a bad mood; people are told of one that goes on failing. */
const alertedTry = 4;

const system = { type: "system", name: null } as const;

/** Accounts are read together, and anew for jobs that are begun later than this. */
const freshMs = 5_000;

/** Reads the accounts of a batch in one trip. One whose test clock has moved is read for each job. */
function accountReader(ids: string[]) {
  let last: { at: number; accounts: Promise<Account[]> } | undefined;
  const read = (db: Db): Promise<Account[]> => {
    if (!last || Date.now() - last.at > freshMs) last = { at: Date.now(), accounts: readAccounts(db, ids) };
    return last.accounts;
  };
  const accountOf: AccountReader = async (db, id) => {
    const account = (await read(db)).find((each) => each.id === id);
    return account?.clock_at ? readAccount(db, id) : account;
  };
  return { read, accountOf };
}

async function sendAgain(bindings: Bindings, jobs: Job[]): Promise<boolean> {
  try {
    await sendJobs(parseEnv(bindings), jobs);
    log("jobs_put_off", { jobs: jobs.length });
    return true;
  } catch (error) {
    log("jobs_not_sent", { cause: String(error) });
    return false;
  }
}
