/** A queue whose oldest message is so old. What is sent to it is kept. */
export function queueOf(ageMs: number, messages = 1): Queue & { sent: unknown[] } {
  const sent: unknown[] = [];
  const queue = {
    sent,
    metrics: async () => ({
      ...{ backlogCount: messages, backlogBytes: 100 },
      oldestMessageTimestamp: new Date(Date.now() - ageMs),
    }),
    sendBatch: async (batch: Iterable<{ body: unknown }>) =>
      void sent.push(...[...batch].map(({ body }) => body)),
  };
  return queue as unknown as Queue & { sent: unknown[] };
}
