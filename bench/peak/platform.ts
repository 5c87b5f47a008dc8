import { joinTrips } from "../../src/base/db/wrapped/joined.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A consumer of wrangler.toml. */
export type Consumer = { max_batch_size: number; max_batch_timeout: number; max_concurrency: number };

/** The time that the platform takes for its parts, in milliseconds: assumptions, which the report states. */
export const times = {
  /** A trip to the database and back, without its work. */
  hop: 15,
  read: 1,
  write: 5,
  /** One more batch of statements in the same trip. */
  further: 0.3,
  rowWritten: 0.05,
  send: 20,
  /** One more invocation runs at once after so long, while messages wait. */
  scaleUp: 15_000,
};

/** A batch, and the rows that it writes. One that writes none costs what a read does. */
type Batch = { rows: number };

/** A database as a request or an invocation has it. */
export type Trips = { read: () => Promise<void>; write: (rows: number) => Promise<void> };

/** D1 does one thing at a time. */
export function openDatabase({ now, sleep }: VirtualTime) {
  let freeAt = 0;
  let busyMs = 0;
  const trip = async (batches: Batch[]): Promise<undefined[]> => {
    const workMs = workOf(batches);
    const begins = Math.max(now() + times.hop / 2, freeAt);
    freeAt = begins + workMs;
    busyMs += workMs;
    await sleep(freeAt + times.hop / 2 - now());
    return batches.map(() => undefined);
  };
  const of = (make: (batches: Batch[]) => Promise<unknown>): Trips => ({
    read: async () => void (await make([{ rows: 0 }])),
    write: async (rows) => void (await make([{ rows }])),
  });
  return {
    ...of(trip),
    /** The database of an invocation, whose works make their trips together, as the Worker's own code has it. */
    together: (): Trips => {
      const join = joinTrips(trip, { gather: () => sleep(1), hasDoneNothing: () => false, itemsMax: 30 });
      return of((batches) => join(batches, () => {}));
    },
    busyMs: () => busyMs,
  };
}

/** A trip costs what its first batch does, a write where there is one, and a little for each further one. */
function workOf(batches: Batch[]): number {
  const rows = batches.reduce((sum, batch) => sum + batch.rows, 0);
  return (
    (rows > 0 ? times.write : times.read) + (batches.length - 1) * times.further + rows * times.rowWritten
  );
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
export function openQueue<Message>(
  { now, sleep }: VirtualTime,
  { max_batch_size, max_batch_timeout, max_concurrency }: Consumer,
  consume: (messages: Message[]) => Promise<void>,
) {
  const waiting: { message: Message; at: number }[] = [];
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
      const batch = waiting.slice(taken, taken + max_batch_size).map(({ message }) => message);
      taken += batch.length;
      running++;
      void consume(batch).then(() => {
        running--;
        dispatch();
      });
    }
    // Where all are busy, the first that ends looks again.
    if (left() > 0 && !isWatched) {
      isWatched = true;
      void sleep(running < allowed ? max_batch_timeout * 1000 : times.scaleUp).then(() => {
        isWatched = false;
        dispatch();
      });
    }
  };
  return {
    send: (messages: Message[]): void => {
      for (const message of messages) waiting.push({ message, at: now() });
      dispatch();
    },
    sent: () => waiting.length,
  };
}
