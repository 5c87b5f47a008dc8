/** Invocations of the Worker within Node: the project `host` has this in the place of "cloudflare:test". */
import type { Job } from "../../../src/base/job.ts";

export { runInDurableObject } from "./objects.ts";

type Context = ExecutionContext & { waits: Promise<unknown>[] };
type Sent = { id: string; timestamp: Date; attempts: number; body: Job };
type Retry = { msgId: string; delaySeconds?: number };
type Batch = { messages: readonly { id: string }[]; retries: Map<string, Retry>; acks: Set<string> };

export function createExecutionContext(): Context {
  const waits: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void waits.push(work);
  return { waits, waitUntil, passThroughOnException() {}, props: {} } as unknown as Context;
}

/** Waits also for work that begins while it waits. */
export async function waitOnExecutionContext({ waits }: Context): Promise<void> {
  for (const work of waits) await work;
}

export function createScheduledController({ scheduledTime }: { scheduledTime: number }) {
  return { scheduledTime, cron: "* * * * *", noRetry() {} };
}

export function createMessageBatch(queue: string, sent: Sent[]) {
  const retries: Batch["retries"] = new Map();
  const acks: Batch["acks"] = new Set();
  const messages = sent.map(({ body, ...message }) => ({
    ...message,
    body: structuredClone(body),
    ack: () => void (retries.has(message.id) || acks.add(message.id)),
    retry: (options?: QueueRetryOptions) =>
      void (acks.has(message.id) || retries.set(message.id, { msgId: message.id, ...options })),
  }));
  return { queue, messages, retries, acks };
}

export async function getQueueResult({ messages, retries, acks }: Batch, ctx: Context) {
  await waitOnExecutionContext(ctx);
  const explicitAcks = messages.map(({ id }) => id).filter((id) => acks.has(id));
  return { retryMessages: [...retries.values()], explicitAcks };
}

/** Nothing of the runtime has to be emptied. */
export async function reset(): Promise<void> {}

export function applyD1Migrations(): never {
  throw new Error("There is no second database: the file belongs to the project workers");
}
