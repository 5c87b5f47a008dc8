import type { Job } from "../../src/base/job.ts";
import { type Delivered, workBatch } from "../../src/runtime/jobs/batch.ts";
import { invocationLimits, type Limits } from "../../src/runtime/jobs/budget.ts";
import { openDeliveries, type Receivers } from "./deliveries.ts";
import {
  type Bucket,
  type Consumer,
  openBucket,
  openDatabase,
  openQueue,
  type Trips,
  times,
} from "./platform.ts";
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
  const deliveries = openDeliveries(time, database, around?.receivers);
  const attempts: Attempt[] = [];
  const most = { statements: 0, atOnce: 0, invocationMs: 0, otherRequestMs: 0, otherJobMs: 0 };
  let [charged, putOff, throttled, endedAt, busyAtEnd] = [0, 0, 0, 0, 0];
  let webhooks = 0;
  const points = around && openBucket(time, around.bucket);

  const charge = async (id: number, trips: Trips): Promise<number> => {
    const attempt = attempts[id] as Attempt;
    for (let nth = 0; nth < its.chargeReads[0]; nth++) await trips.read();
    const isFree = !attempt.isCharged && attempt.leasedUntil <= now();
    if (isFree) [attempt.leasedUntil, attempt.nextAt] = [now() + minuteMs, now() + minuteMs];
    await trips.write(isFree ? rowsOf.claim : 0);
    if (!isFree) return 2;
    const waitMs = points?.take(around?.pointsPerCharge ?? 0) ?? 0;
    if (waitMs > pacingMs) {
      throttled++;
      await trips.write(rowsOf.claim);
      [attempt.leasedUntil, attempt.nextAt] = [0, now() + waitMs + minuteMs];
      void sleep(waitMs).then(() => queue.send([chargeJob(id)]));
      return 4;
    }
    await sleep(waitMs + storeMs * (0.7 + ((id * 7919) % 601) / 1000));
    for (let nth = 0; nth < its.chargeReads[1]; nth++) await trips.read();
    await trips.write(rowsOf.charge);
    attempt.isCharged = true;
    charged++;
    [endedAt, busyAtEnd] = [now(), database.busyMs()];
    deliveries.add({ events: eventsOf.charge, mails: 1 });
    for (let nth = 0; nth < (around?.webhooksPerOrder ?? 0); nth++) void receiveWebhook();
    return its.chargeStatements;
  };

  /** The store sends it some seconds later; a request stores it, and a job works on it. */
  const receiveWebhook = async (): Promise<void> => {
    await sleep(webhookAfterMs);
    await database.read();
    await database.write(3);
    await send([{ type: "webhook", account_id, webhook_id: String(webhooks++) } as Job]);
  };

  const workOnWebhook = async (trips: Trips): Promise<number> => {
    await trips.write(rowsOf.webhook);
    for (let nth = 0; nth < 2; nth++) await trips.read();
    await trips.write(rowsOf.webhook);
    return 10;
  };

  const askAsOthers = async (isWrite: boolean): Promise<void> => {
    const begunAt = now();
    await database.read();
    if (isWrite) await database.write(24);
    most.otherRequestMs = Math.max(most.otherRequestMs, now() - begunAt);
  };

  /** A job of another account: how long it has waited is noted. */
  const workForOther = async (sentAt: number, trips: Trips): Promise<number> => {
    most.otherJobMs = Math.max(most.otherJobMs, now() - sentAt);
    await trips.read();
    await trips.write(rowsOf.claim);
    return 4;
  };

  const processDue = async (count: number, trips: Trips): Promise<number> => {
    const { reads, writes, statements } = its.processDue(count);
    for (let nth = 0; nth < reads; nth++) await trips.read();
    for (let nth = 0; nth < writes; nth++) await trips.write((rowsOf.attempt * count) / writes);
    deliveries.add({ events: eventsOf.attempt * count, mails: 0 });
    const first = attempts.length;
    for (let nth = 0; nth < count; nth++)
      attempts.push({ isCharged: false, leasedUntil: 0, nextAt: now() + minuteMs });
    await send(attempts.slice(first).map((_, nth) => chargeJob(first + nth)));
    return statements;
  };

  /** The next page waits until most of the one before is done. */
  const findDue = async (from: number, trips: Trips): Promise<number> => {
    await trips.read();
    if (attempts.length - charged > fewOpen) {
      void sleep(waitMs).then(() => queue.send([findDueJob(from)]));
      return 1;
    }
    await trips.write(1);
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

  const run = (job: Job, trips: Trips): Promise<number> => {
    if (job.type === "charge") return charge(Number(job.attempt_id), trips);
    if (job.type === "process_due") return processDue(job.subscription_ids.length, trips);
    if (job.type === "find_due") return findDue(Number(job.after?.id ?? 0), trips);
    if (job.type === "webhook") return workOnWebhook(trips);
    if (job.type === "sync_plan") return workForOther(Number(job.selling_plan_id), trips);
    throw new Error(`no ${job.type}`);
  };

  const consume = async (jobs: Job[]): Promise<void> => {
    const begunAt = now();
    let [statements, running] = [1, 0];
    const trips = limits.atOnce > 1 ? database.together() : database;
    await trips.read();
    const batch = jobs.map((job): Delivered => ({ job, ack: () => {}, retry: () => queue.send([job]) }));
    await workBatch(batch, {
      limits,
      elapsed: () => now() - begunAt,
      work: async ({ job }) => {
        most.atOnce = Math.max(most.atOnce, ++running);
        const used = await run(job, trips);
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

  const queue = openQueue<Job>(time, consumer, consume);
  queue.send([findDueJob(0)]);
  void tickUntilDone();
  if (around) void othersUntilDone(around.otherRequestsPerSecond);
  await time.run();
  const minutes = endedAt / minuteMs;
  return {
    ...{ minutes, messages: queue.sent(), putOff, throttled, charged, ...most },
    receivedMinutes: deliveries.endedAt() / minuteMs,
    databaseBusy: busyAtEnd / endedAt,
  };

  /** One in ten of other accounts' requests writes. */
  async function othersUntilDone(perSecond: number): Promise<void> {
    for (let nth = 0; charged < due; nth++) {
      await sleep(1000 / perSecond);
      void askAsOthers(nth % 10 === 0);
      if (nth % (otherJobEveryS * perSecond) === 0) queue.send([otherJob(now())]);
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

/** The rows that are written: an attempt that begins, its claim, its outcome with the order, and a webhook that is taken and done. */
const rowsOf = { attempt: 16, claim: 3, charge: 26, webhook: 3 };
/** The events of it that an endpoint receives. */
const eventsOf = { attempt: 1, charge: 2 };

const account_id = "merchant";
/** How long a request waits for the store's points; where that is not enough, its job is done again later (stores/shopify/pacing.ts). */
const pacingMs = 3_000;
const webhookAfterMs = 5_000;
const otherJobEveryS = 30;
const [pageSize, pieceSize, minuteMs] = [500, 20, 60_000];
/** As in domain/billing/due/due-pages.ts. */
const [fewOpen, waitMs] = [250, 5_000];

type Setting = { costs: Costs; limits: Limits; around?: Surroundings };

/** The other things for which the database and the store are asked meanwhile. */
export type Surroundings = {
  /** The points of the store, and what a charge costs of them: its mutation, and the looks at its outcome and its order. */
  bucket: Bucket;
  pointsPerCharge: number;
  webhooksPerOrder: number;
  otherRequestsPerSecond: number;
  /** Mails and an endpoint of the merchant's. */
  receivers?: Receivers;
};

const beside = { pointsPerCharge: 20, webhooksPerOrder: 2, otherRequestsPerSecond: 20 };
const plus = { ...beside, bucket: { size: 20_000, perSecond: 1_000 } };

/** Shopify's limits of a standard plan and of Plus, two webhooks an order, and other accounts that keep the database busy too. */
export const surroundings: Record<"standard" | "plus" | "plus with mails", Surroundings> = {
  standard: { ...beside, bucket: { size: 2_000, perSecond: 100 } },
  plus,
  "plus with mails": { ...plus, receivers: { endpointMs: 200, providerMs: 200 } },
};

/** The costs of the jobs: their trips to the database, statements and rows written. */
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
  /** The longest that another account's request has waited for the database, and its message in the queue. */
  otherRequestMs: number;
  otherJobMs: number;
  databaseBusy: number;
  /** When the last mail and the last event were out. */
  receivedMinutes: number;
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

function otherJob(sentAt: number): Job {
  return { type: "sync_plan", account_id: "another", selling_plan_id: String(sentAt) };
}

function findDueJob(from: number): Job {
  return {
    type: "find_due",
    account_id,
    kind: "schedule",
    after: { due: "", id: String(from) },
  };
}
