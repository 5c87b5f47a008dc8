import type { Job } from "../../src/base/job.ts";
import { type Delivered, workBatch } from "../../src/runtime/jobs/batch.ts";
import { invocationLimits, type Limits } from "../../src/runtime/jobs/budget.ts";
import { type Bucket, type Consumer, openBucket, openDatabase, openQueue, times } from "./platform.ts";
import { virtualTime } from "./virtual-time.ts";

/**
 * Bills so many subscriptions that are due at once, with a store that takes so long for each charge, in virtual time: the queue and the
 * database are the platform's as `platform.ts` has them, the consumer is the Worker's own.
 */
export async function simulatePeak(
  due: number,
  consumer: Consumer,
  storeMs: number,
  { costs: its, limits, around }: Setting = { costs, limits: invocationLimits },
): Promise<Peak> {
  const time = virtualTime();
  const { now, sleep } = time;
  const database = openDatabase(time);
  const attempts: Attempt[] = [];
  const most = { statements: 0, atOnce: 0, invocationMs: 0, otherRequestMs: 0 };
  let [charged, putOff, throttled, endedAt] = [0, 0, 0, 0];
  const points = around && openBucket(time, around.bucket);

  const charge = async (id: number): Promise<number> => {
    const attempt = attempts[id] as Attempt;
    for (let nth = 0; nth < its.chargeReads[0]; nth++) await database.read();
    const isFree = !attempt.isCharged && attempt.leasedUntil <= now();
    if (isFree) [attempt.leasedUntil, attempt.nextAt] = [now() + minuteMs, now() + minuteMs];
    await database.write(isFree ? 6 : 0);
    if (!isFree) return 2;
    const waitMs = points?.take(around?.pointsPerCharge ?? 0) ?? 0;
    if (waitMs > pacingMs) {
      throttled++;
      await database.write(6);
      [attempt.leasedUntil, attempt.nextAt] = [0, now() + waitMs + minuteMs];
      void sleep(waitMs).then(() => queue.send([chargeJob(id)]));
      return 4;
    }
    await sleep(waitMs + storeMs);
    for (let nth = 0; nth < its.chargeReads[1]; nth++) await database.read();
    await database.write(60);
    attempt.isCharged = true;
    charged++;
    endedAt = now();
    for (let nth = 0; nth < (around?.webhooksPerOrder ?? 0); nth++) void receiveWebhook();
    return its.chargeStatements;
  };

  /** The store sends it some seconds later; a request stores it, and a job works on it. */
  const receiveWebhook = async (): Promise<void> => {
    await sleep(webhookAfterMs);
    await database.read();
    await database.write(3);
    await send([{ type: "webhook", account_id, webhook_id: "" } as Job]);
  };

  const workOnWebhook = async (): Promise<number> => {
    for (let nth = 0; nth < 2; nth++) await database.read();
    await database.write(12);
    return 10;
  };

  const askAsOthers = async (isWrite: boolean): Promise<void> => {
    const begunAt = now();
    await database.read();
    if (isWrite) await database.write(24);
    most.otherRequestMs = Math.max(most.otherRequestMs, now() - begunAt);
  };

  const processDue = async (count: number): Promise<number> => {
    const { reads, writes, statements } = its.processDue(count);
    for (let nth = 0; nth < reads; nth++) await database.read();
    for (let nth = 0; nth < writes; nth++) await database.write((25 * count) / writes);
    const first = attempts.length;
    for (let nth = 0; nth < count; nth++)
      attempts.push({ isCharged: false, leasedUntil: 0, nextAt: now() + minuteMs });
    await send(attempts.slice(first).map((_, nth) => chargeJob(first + nth)));
    return statements;
  };

  const findDue = async (from: number): Promise<number> => {
    await database.read();
    await database.write(1);
    const page = Math.min(pageSize, due - from);
    const pieces = Array.from({ length: Math.ceil(page / pieceSize) }, (_, nth) =>
      processDueJob(Math.min(pieceSize, page - nth * pieceSize)),
    );
    await send([...(from + page < due ? [findDueJob(from + page)] : []), ...pieces]);
    return 2;
  };

  const send = async (jobs: Job[]): Promise<void> => {
    await sleep(Math.ceil(jobs.length / 100) * times.send);
    queue.send(jobs);
  };

  const run = (job: Job): Promise<number> => {
    if (job.type === "charge") return charge(Number(job.attempt_id));
    if (job.type === "process_due") return processDue(job.subscription_ids.length);
    if (job.type === "find_due") return findDue(Number(job.after?.id ?? 0));
    if (job.type === "webhook") return workOnWebhook();
    throw new Error(`no ${job.type}`);
  };

  const consume = async (jobs: Job[]): Promise<void> => {
    const begunAt = now();
    let [statements, running] = [1, 0];
    await database.read();
    const batch = jobs.map((job): Delivered => ({ job, ack: () => {}, retry: () => queue.send([job]) }));
    await workBatch(batch, {
      limits,
      elapsed: () => now() - begunAt,
      work: async ({ job }) => {
        most.atOnce = Math.max(most.atOnce, ++running);
        const used = await run(job);
        running--;
        statements += used;
        return { isDone: true, statements: used };
      },
      sendAgain: async (left) => {
        putOff += left.length;
        await send(left);
        return true;
      },
    });
    most.statements = Math.max(most.statements, statements);
    most.invocationMs = Math.max(most.invocationMs, now() - begunAt);
  };

  const queue = openQueue(time, consumer, consume);
  queue.send([findDueJob(0)]);
  void tickUntilDone();
  if (around) void othersUntilDone(around.otherRequestsPerSecond);
  await time.run();
  const minutes = endedAt / minuteMs;
  return {
    ...{ minutes, messages: queue.sent(), putOff, throttled, charged, ...most },
    databaseBusy: database.busyMs() / endedAt,
  };

  /** One in ten of other accounts' requests writes. */
  async function othersUntilDone(perSecond: number): Promise<void> {
    for (let nth = 0; charged < due; nth++) {
      await sleep(1000 / perSecond);
      void askAsOthers(nth % 10 === 0);
    }
  }

  /** Each minute the sweep sends again what has waited too long (src/kit/outbox/sweep.ts). */
  async function tickUntilDone(): Promise<void> {
    while (charged < due) {
      await sleep(minuteMs);
      const late = attempts.flatMap((attempt, id) =>
        !attempt.isCharged && attempt.nextAt <= now() ? [id] : [],
      );
      const swept = late.slice(0, 20 * 500);
      for (const [nth, id] of swept.entries())
        (attempts[id] as Attempt).nextAt = now() + minuteMs * (1 + Math.floor(nth / 500));
      if (swept.length > 0) queue.send(swept.map(chargeJob));
    }
  }
}

const account_id = "merchant";
/** How long a request waits for the store's points; where that is not enough, its job is done again later (stores/shopify/pacing.ts). */
const pacingMs = 3_000;
const webhookAfterMs = 5_000;
const [pageSize, pieceSize, minuteMs] = [1000, 20, 60_000];

type Setting = { costs: Costs; limits: Limits; around?: Surroundings };

/** The other things for which the database and the store are asked meanwhile. */
export type Surroundings = {
  /** The points of the store, and what a charge costs of them: its mutation, and the looks at its outcome and its order. */
  bucket: Bucket;
  pointsPerCharge: number;
  webhooksPerOrder: number;
  otherRequestsPerSecond: number;
};

/** Shopify's limits of a standard plan and of Plus, two webhooks an order, and other accounts that keep the database busy too. */
export const surroundings: Record<"standard" | "plus", Surroundings> = {
  standard: {
    bucket: { size: 2_000, perSecond: 100 },
    pointsPerCharge: 20,
    webhooksPerOrder: 2,
    otherRequestsPerSecond: 20,
  },
  plus: {
    bucket: { size: 20_000, perSecond: 1_000 },
    pointsPerCharge: 20,
    webhooksPerOrder: 2,
    otherRequestsPerSecond: 20,
  },
};

/** The costs of the jobs: their trips to the database, statements and rows written (docs/scale.md). */
export type Costs = {
  /** Reads before the claim of a charge, and before its recording. */
  chargeReads: [number, number];
  chargeStatements: number;
  /** Trips that read and that write, to start so many attempts. */
  processDue: (count: number) => { reads: number; writes: number; statements: number };
};

export const costs: Costs = {
  chargeReads: [0, 1],
  chargeStatements: 16,
  processDue: (count) => ({ reads: 1, writes: 1, statements: 4 + 3 * count }),
};

/** The Worker before it worked on messages side by side. */
export const earlier: { costs: Costs; limits: Limits } = {
  costs: {
    chargeReads: [1, 3],
    chargeStatements: 16,
    processDue: (count) => ({ reads: 2 * count + 1, writes: count, statements: 6 * count + 1 }),
  },
  limits: { statements: Number.POSITIVE_INFINITY, beginMs: Number.POSITIVE_INFINITY, atOnce: 1 },
};

export type Peak = {
  minutes: number;
  messages: number;
  putOff: number;
  /** Charges that were put off until the store has points for them. */
  throttled: number;
  /** The most that one invocation has run, waited for at once, and lasted. */
  statements: number;
  atOnce: number;
  invocationMs: number;
  /** The longest that another account's request has waited for the database. */
  otherRequestMs: number;
  databaseBusy: number;
  charged: number;
};

type Attempt = { isCharged: boolean; leasedUntil: number; nextAt: number };

function chargeJob(id: number): Job {
  return { type: "charge", account_id, attempt_id: String(id) };
}

function processDueJob(count: number): Job {
  return {
    type: "process_due",
    account_id,
    subscription_ids: Array.from({ length: count }, () => ""),
  };
}

function findDueJob(from: number): Job {
  return {
    type: "find_due",
    account_id,
    kind: "schedule",
    after: { due: "", id: String(from) },
  };
}
