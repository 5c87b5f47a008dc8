import { z } from "zod";
import { findAccount } from "./accounts/queries.ts";
import { type Ctx, type Job, log, openCtx, sender } from "./context.ts";
import { openDb } from "./db/client.ts";
import { type Bindings, type Env, parseEnv } from "./env.ts";
import { DomainError } from "./errors.ts";
import { pruneIdempotencyKeys } from "./http/idempotency.ts";
import { findUnlinked, linkContract } from "./subscriptions/actions/contract.ts";
import { findPausesOver, resumeIfDue } from "./subscriptions/actions/due.ts";

const job = z.object({
  type: z.enum(["link_contract", "resume"]),
  account_id: z.string(),
  subscription_id: z.string(),
});

const handlers: Record<Job["type"], (ctx: Ctx, subscriptionId: string) => Promise<unknown>> = {
  link_contract: linkContract,
  resume: resumeIfDue,
};

const retrySeconds = (attempts: number): number => Math.min(3600, 5 * 2 ** Math.min(attempts, 10));

/** A system context for an account, by its id; undefined where there is none. */
const systemCtx = async (env: Env, accountId: string): Promise<Ctx | undefined> => {
  const db = openDb(env);
  const realNow = new Date();
  const account = await findAccount(db, accountId, realNow.getTime());
  return account && openCtx({ env, db, account, actor: { type: "system", name: null }, log, realNow });
};

const work = async (env: Env, message: Message): Promise<void> => {
  const parsed = job.safeParse(message.body);
  const ctx = parsed.success ? await systemCtx(env, parsed.data.account_id) : undefined;
  if (!parsed.success || !ctx) {
    log("message_not_understood", { message_id: message.id, attempts: message.attempts });
    return message.ack();
  }
  const { type, account_id, subscription_id } = parsed.data;
  await handlers[type](ctx, subscription_id).catch((error) => {
    if (!(error instanceof DomainError && error.code === "NOT_FOUND")) throw error;
    log("job_without_record", { type, account_id, subscription_id });
  });
  log("job", { type, account_id, subscription_id, ...ctx.db.usage });
  message.ack();
};

/** Dead letters are told and let go: the sweep finds again whatever still is to be done. */
const bury = (message: Message): void => {
  log("dead_letter", { alert: true, message_id: message.id, body: job.safeParse(message.body).data ?? null });
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
      else await work(parseEnv(bindings), message);
    } catch (error) {
      log("job_failed", { message_id: message.id, attempts: message.attempts, cause: String(error) });
      message.retry({ delaySeconds: retrySeconds(message.attempts) });
    }
  }
};

/** Found by a tick at most; what is left is found by the next. */
const perTick = 200;
const lostAfterMs = 60_000;

/** The cron tick: sends what has fallen due and what a lost message has left behind, and forgets what is too old. */
export const tick = async (bindings: Bindings, now: Date): Promise<void> => {
  const env = parseEnv(bindings);
  const db = openDb(env);
  const [paused, unlinked] = await Promise.all([
    findPausesOver(db, now.toISOString(), perTick),
    findUnlinked(db, new Date(now.getTime() - lostAfterMs).toISOString(), perTick),
  ]);
  await sender(
    env,
    log,
  )([
    ...paused.map(({ account_id, id }): Job => ({ type: "resume", account_id, subscription_id: id })),
    ...unlinked.map(
      ({ account_id, id }): Job => ({ type: "link_contract", account_id, subscription_id: id }),
    ),
  ]);
  await pruneIdempotencyKeys(db, now);
};
