import type { Job } from "../../src/base/job.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A consumer of wrangler.toml. */
export type Consumer = { max_batch_size: number; max_batch_timeout: number; max_concurrency: number };

/** The time that the platform takes for its parts, in milliseconds: assumptions, which the report states. */
export const times = {
  /** A trip to the database and back, without its work. */
  hop: 15,
  read: 1,
  write: 5,
  rowWritten: 0.05,
  send: 20,
  /** One more invocation runs at once after so long, while messages wait. */
  scaleUp: 15_000,
};

/** D1 does one thing at a time. */
export function openDatabase({ now, sleep }: VirtualTime) {
  let freeAt = 0;
  let busyMs = 0;
  const trip = async (workMs: number): Promise<void> => {
    const begins = Math.max(now() + times.hop / 2, freeAt);
    freeAt = begins + workMs;
    busyMs += workMs;
    await sleep(freeAt + times.hop / 2 - now());
  };
  return {
    read: () => trip(times.read),
    write: (rows: number) => trip(times.write + rows * times.rowWritten),
    busyMs: () => busyMs,
  };
}

/** A store's points: so many at most, and so many more each second. */
export type Bucket = { size: number; perSecond: number };

/** Who takes points has to wait until there are as many, after those who have taken some before. Nobody waits longer than `mostMs`. */
export function openBucket({ now }: VirtualTime, { size, perSecond }: Bucket, mostMs = 3_000) {
  let [points, countedAt] = [size, 0];
  return {
    /** How long to wait. Beyond the most nothing is taken: so long until it may be worth asking again. */
    take(cost: number): number {
      points = Math.min(size, points + ((now() - countedAt) / 1000) * perSecond);
      countedAt = now();
      const waitMs = (Math.max(0, cost - points) / perSecond) * 1000;
      if (waitMs <= mostMs) points -= cost;
      return waitMs;
    },
  };
}

/** Calls the consumer with batches: as many at once as are allowed, each as large as it may be or as old. */
export function openQueue(
  { now, sleep }: VirtualTime,
  { max_batch_size, max_batch_timeout, max_concurrency }: Consumer,
  consume: (jobs: Job[]) => Promise<void>,
) {
  const waiting: { job: Job; at: number }[] = [];
  let [taken, running, allowed, scaledAt, isWatched] = [0, 0, 1, 0, false];

  const left = (): number => waiting.length - taken;
  const isReady = (): boolean =>
    left() >= max_batch_size || (left() > 0 && now() - (waiting[taken]?.at ?? 0) >= max_batch_timeout * 1000);
  const scale = (): void => {
    if (allowed === max_concurrency || now() - scaledAt < times.scaleUp || left() < max_batch_size) return;
    allowed++;
    scaledAt = now();
  };
  const dispatch = (): void => {
    scale();
    while (running < allowed && isReady()) {
      const batch = waiting.slice(taken, taken + max_batch_size).map(({ job }) => job);
      taken += batch.length;
      running++;
      void consume(batch).then(() => {
        running--;
        dispatch();
      });
    }
    if (left() > 0 && !isWatched) {
      isWatched = true;
      void sleep(max_batch_timeout * 1000).then(() => {
        isWatched = false;
        dispatch();
      });
    }
  };
  return {
    send: (jobs: Job[]): void => {
      for (const job of jobs) waiting.push({ job, at: now() });
      dispatch();
    },
    sent: () => waiting.length,
  };
}
