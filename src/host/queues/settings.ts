/** The way of a queue's messages, in the words and with the numbers of wrangler.toml. */
export type QueueSettings = {
  max_batch_size: number;
  max_concurrency: number;
  max_retries: number;
  retry_delay: number;
  dead_letter_queue?: string;
};

export const queueSettings: Record<string, QueueSettings> = {
  "perennial-jobs": {
    ...{ max_batch_size: 10, max_concurrency: 10, max_retries: 10, retry_delay: 10 },
    dead_letter_queue: "perennial-jobs-dlq",
  },
  "perennial-events": {
    ...{ max_batch_size: 1, max_concurrency: 20, max_retries: 3, retry_delay: 60 },
    dead_letter_queue: "perennial-jobs-dlq",
  },
  "perennial-jobs-dlq": { max_batch_size: 10, max_concurrency: 1, max_retries: 10, retry_delay: 60 },
};
