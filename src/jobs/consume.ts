import { readAccount } from "../accounts/queries.ts";
import { log, openCtx } from "../context.ts";
import { openDb } from "../db/client.ts";
import { type Bindings, type Env, parseEnv } from "../env.ts";
import { type Job, jobSchema } from "../job.ts";
import type { Log } from "../lib/log.ts";
import { handleJob } from "./handle.ts";

const retrySeconds = (attempts: number): number => Math.min(3600, 5 * 2 ** Math.min(attempts, 10));

/** Does the job of a message; false if the message has none, or names an unknown account. */
const work = async (env: Env, { id, body }: Message): Promise<boolean> => {
  const job: Job | undefined = jobSchema.safeParse(body).data;
  if (!job) return false;
  const db = openDb(env);
  const account = await readAccount(db, job.account_id);
  if (!account) return false;
  const actor = { type: "system", name: null } as const;
  const { id: account_id } = account;
  const logged: Log = (event, fields) => log(event, { message_id: id, account_id, ...fields });
  await handleJob(openCtx({ env, db, account, actor, log: logged, realNow: new Date() }), job);
  return true;
};

/** What a message is about, for the log: a job that fails again and again is to be found by its account. */
const namesOf = (body: unknown): Partial<Pick<Job, "type" | "account_id">> => {
  const job = jobSchema.safeParse(body).data;
  return job ? { type: job.type, account_id: job.account_id } : {};
};

const receive = async (env: Env, message: Message): Promise<void> => {
  if (!(await work(env, message)))
    log("message_not_understood", { message_id: message.id, attempts: message.attempts });
  message.ack();
};

/** Logs a dead letter and drops it: the tick finds the work again if it is still to be done. */
const bury = (message: Message): void => {
  const body = jobSchema.safeParse(message.body).data ?? null;
  log("dead_letter", { alert: true, message_id: message.id, body });
  message.ack();
};

/**
 * The queue consumer. It never throws: the platform would deliver the whole batch again. Each message is
 * acknowledged or retried by itself.
 */
export const consume = async (batch: MessageBatch, bindings: Bindings): Promise<void> => {
  for (const message of batch.messages) {
    try {
      if (batch.queue.endsWith("-dlq")) bury(message);
      else await receive(parseEnv(bindings), message);
    } catch (error) {
      log("job_failed", {
        message_id: message.id,
        attempts: message.attempts,
        ...namesOf(message.body),
        cause: String(error),
      });
      message.retry({ delaySeconds: retrySeconds(message.attempts) });
    }
  }
};
