import { isForEndpoint, type Job } from "../../src/base/job.ts";

/** A message, not to be delivered before an instant. */
export type Message = { body: Job; at: number; deliveries: number };

/** The queue, from which messages come in any order. */
export type MessageQueue = {
  messages: Message[];
  put: (body: Job, at: number, deliveries?: number) => void;
  take: (message: Message) => void;
  ready: (now: number) => Message[];
  nextAt: () => number | undefined;
};

/** As in wrangler.toml: the most messages of one batch. */
export const batchMax = 10;

/** As in wrangler.toml, for its two queues; after so many deliveries a message is a dead letter. */
export function deliveriesMax({ type }: Job): number {
  return isForEndpoint(type) ? 4 : 11;
}

export function newQueue(): MessageQueue {
  const messages: Message[] = [];
  return {
    messages,
    put: (body, at, deliveries = 0) => void messages.push({ body, at, deliveries }),
    take: (message) => void messages.splice(messages.indexOf(message), 1),
    ready: (now) => messages.filter(({ at }) => at <= now),
    nextAt: () => (messages.length === 0 ? undefined : Math.min(...messages.map(({ at }) => at))),
  };
}
