import type { ForwardedMessage } from "../../base/accounts/objects.ts";
import type { Bindings } from "../../base/env.ts";

/** Queues that keep what is sent, for whoever works on it at once. */
export function newCollectingQueue(): {
  queues: Pick<Bindings, "JOBS" | "EVENTS">;
  messages: () => ForwardedMessage[];
} {
  const bodies: unknown[] = [];
  const sendBatch = async (sent: Iterable<MessageSendRequest<unknown>>): Promise<void> => {
    for (const { body } of sent) bodies.push(body);
  };
  const queue = { sendBatch } as unknown as Queue<unknown>;
  return {
    queues: { JOBS: queue, EVENTS: queue },
    messages: () => bodies.map((body, nth) => ({ id: `kept-${nth}`, attempts: 1, body })),
  };
}
