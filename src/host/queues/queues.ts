import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../../base/lib/log.ts";
import { atMost } from "../at-most.ts";
import { type Outcome, openMessages, type TakenMessage } from "./messages.ts";
import { type QueueSettings, queueSettings } from "./settings.ts";

/** The consumer of all queues, as the Worker has it. */
type Consume = (batch: MessageBatch<unknown>) => Promise<void>;

/**
 * Queues in a file, handed over within this process: in batches, so many at once, again after a delay, and to the dead letters after so
 * many tries, as wrangler.toml has it.
 */
export function openQueues(
  file: string,
  log: Log,
  count: (queue: string, outcome: string) => void = () => {},
) {
  const messages = openMessages(file);
  const batches = new Map<string, Set<Promise<void>>>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let consume: Consume | undefined;

  function send(queue: string, each: Parameters<typeof messages.add>[1]): void {
    messages.add(queue, each);
    queueMicrotask(() => handOver(queue));
  }

  /** Hands over what is due as far as the queue's concurrency goes, and comes back when the next message is. */
  function handOver(queue: string): void {
    if (!consume) return;
    const { max_batch_size, max_concurrency } = settingsOf(queue);
    const running = batches.get(queue) ?? new Set();
    batches.set(queue, running);
    clearTimeout(timers.get(queue));
    try {
      while (running.size < max_concurrency) {
        const taken = messages.take(queue, max_batch_size);
        if (taken.length === 0) break;
        const batch = work(queue, taken, consume).finally(() => {
          running.delete(batch);
          setImmediate(handOver, queue);
        });
        running.add(batch);
      }
      const at = messages.nextAt(queue);
      if (at !== null && running.size < max_concurrency) comeBack(queue, at - Date.now());
    } catch (error) {
      logFailure(queue, error);
      comeBack(queue, retryMs);
    }
  }

  /** Hands over again after a while. A message may be due in a month, and a longer timer would fire at once. */
  function comeBack(queue: string, ms: number): void {
    timers.set(queue, setTimeout(handOver, Math.min(Math.max(1, ms), longestTimerMs), queue));
  }

  async function work(queue: string, taken: TakenMessage[], its: Consume): Promise<void> {
    const decided = new Map<number, "done" | { delaySeconds: number }>();
    const { retry_delay } = settingsOf(queue);
    const isFailed = await its(batchOf(queue, taken, decided, retry_delay)).then(
      () => false,
      (error) => {
        log("queue_handler_threw", { alert: true, queue, cause: String(error) });
        return true;
      },
    );
    const otherwise = isFailed ? { delaySeconds: retry_delay } : "done";
    const outcomes = taken.map((each) => outcomeOf(queue, each, decided.get(each.id) ?? otherwise));
    await settle(queue, outcomes);
    for (const outcome of outcomes) count(queue.replace("perennial-", ""), outcome.is);
    for (const outcome of outcomes) if (outcome.is === "buried") handOver(outcome.queue);
  }

  /** Notes what became of a batch, as often as it takes: what is not noted would be done again. */
  async function settle(queue: string, outcomes: Outcome[]): Promise<void> {
    for (;;)
      try {
        return messages.settle(outcomes);
      } catch (error) {
        logFailure(queue, error);
        await wait(retryMs, undefined, { ref: false });
        if (!consume) return;
      }
  }

  function logFailure(queue: string, error: unknown): void {
    log("queue_stands_still", { alert: true, queue, cause: String(error) });
  }

  return {
    producer(queue: string): Queue<unknown> {
      const producer = {
        send: async (body: unknown, options: QueueSendOptions = {}) => send(queue, [{ body, ...options }]),
        sendBatch: async (each: Iterable<MessageSendRequest<unknown>>) => send(queue, [...each]),
        metrics: async () => messages.metrics(queue),
      };
      return producer as unknown as Queue<unknown>;
    },

    start(consumer: Consume): void {
      consume = consumer;
      for (const queue of Object.keys(queueSettings)) handOver(queue);
    },

    /** Takes no more, and waits so long for what is being worked on. What is not done then is handed over after the next start. */
    async stop(ms: number): Promise<void> {
      consume = undefined;
      for (const timer of timers.values()) clearTimeout(timer);
      await atMost(ms, ...[...batches.values()].flatMap((each) => [...each]));
    },

    close: () => messages.close(),
  };
}

/** A full disk, mostly: somebody has to make room first. */
const retryMs = 1_000;

/** A timer that Node can hold: it takes 2^31 ms at most. */
const longestTimerMs = 3_600_000;

function settingsOf(queue: string): QueueSettings {
  const settings = queueSettings[queue];
  if (!settings) throw new Error(`No such queue: ${queue}`);
  return settings;
}

function batchOf(
  queue: string,
  taken: TakenMessage[],
  decided: Map<number, "done" | { delaySeconds: number }>,
  retry_delay: number,
): MessageBatch<unknown> {
  const messages = taken.map(({ id, body, attempts, sent_at }) => ({
    ...{ id: String(id), attempts, timestamp: new Date(sent_at), body: JSON.parse(body) },
    ack: () => void (decided.has(id) || decided.set(id, "done")),
    retry: ({ delaySeconds = retry_delay }: QueueRetryOptions = {}) =>
      void (decided.has(id) || decided.set(id, { delaySeconds })),
  }));
  return { queue, messages } as unknown as MessageBatch<unknown>;
}

function outcomeOf(
  queue: string,
  { id, attempts }: TakenMessage,
  decided: "done" | { delaySeconds: number },
): Outcome {
  if (decided === "done") return { id, is: "done" };
  const { max_retries, dead_letter_queue } = settingsOf(queue);
  if (attempts <= max_retries)
    return { id, is: "again", visible_at: Date.now() + decided.delaySeconds * 1000 };
  return dead_letter_queue === undefined
    ? { id, is: "done" }
    : { id, is: "buried", queue: dead_letter_queue };
}
