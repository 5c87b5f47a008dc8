import { log } from "./context.ts";

/**
 * The queue consumer. It never throws: the platform would deliver the whole batch again. Each message is
 * acknowledged or retried by itself, and one that no job knows is recorded and let go.
 */
export const consume = async (batch: MessageBatch): Promise<void> => {
  for (const message of batch.messages) {
    log("message_not_understood", { queue: batch.queue, message_id: message.id, attempts: message.attempts });
    message.ack();
  }
};
