import type { Job } from "../../../src/base/job.ts";
import { createExecutionContext, createMessageBatch, getQueueResult } from "./invocations.ts";

type Message = { body: Job; delaySeconds?: number };

/**
 * A queue within Node that hands each message over by itself, at once or after its delay. A message that its consumer retries or fails at
 * comes again after the delay that the consumer names, else after `retry_seconds`.
 */
export function openQueue(
  name: string,
  retry_seconds: number,
  consume: (batch: MessageBatch<unknown>) => Promise<void>,
) {
  let sent = 0;
  const handOver = async (message: Parameters<typeof createMessageBatch>[1][number]): Promise<void> => {
    const batch = createMessageBatch(name, [message]);
    const again = (seconds = retry_seconds) =>
      later(seconds, () => handOver({ ...message, attempts: message.attempts + 1 }));
    try {
      await consume(batch as unknown as MessageBatch<unknown>);
    } catch {
      return again();
    }
    const { retryMessages } = await getQueueResult(batch, createExecutionContext());
    for (const { delaySeconds } of retryMessages) again(delaySeconds);
  };
  const take = ({ body, delaySeconds = 0 }: Message): void => {
    const message = { id: `${name}-${++sent}`, timestamp: new Date(), attempts: 1, body };
    later(delaySeconds, () => handOver(message));
  };
  return {
    send: async (body: Job, options: Omit<Message, "body"> = {}) => take({ body, ...options }),
    sendBatch: async (messages: Iterable<Message>) => {
      for (const message of messages) take(message);
    },
    metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }),
  };
}

/** Nobody waits for a delay at the end of a run. */
function later(seconds: number, work: () => void): void {
  setTimeout(work, seconds * 1000).unref();
}
