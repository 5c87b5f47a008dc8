/** Messages are handed over in batches, so many at once, again after a delay, and to the dead letters in the end; none is lost. */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { openQueues } from "../../src/host/queues/queues.ts";
import { newFolder } from "./process.ts";

type Queues = ReturnType<typeof openQueues>;
type Handed = { queue: string; bodies: unknown[]; attempts: number[] };

const opened: Queues[] = [];
const lines: unknown[][] = [];
afterEach(async () => {
  vi.useRealTimers();
  lines.length = 0;
  for (const queues of opened.splice(0)) await queues.stop(0).then(queues.close);
});

function open(file = `${newFolder()}/queue.sqlite`): Queues {
  const queues = openQueues(file, (...line) => void lines.push(line));
  opened.push(queues);
  return queues;
}

/** Hands all messages to a consumer, and tells what it was handed. */
function start(queues: Queues, consume: (batch: MessageBatch<unknown>) => unknown = () => {}): Handed[] {
  const handed: Handed[] = [];
  queues.start(async (batch) => {
    const { queue, messages } = batch;
    handed.push({
      queue,
      bodies: messages.map(({ body }) => body),
      attempts: messages.map(({ attempts }) => attempts),
    });
    await consume(batch);
  });
  return handed;
}

const jobs = "perennial-jobs";
const events = "perennial-events";

test("jobs come in batches of ten, deliveries one by one", async () => {
  const queues = open();
  await queues.producer(jobs).sendBatch(Array.from({ length: 12 }, (_, body) => ({ body })));
  await queues.producer(events).sendBatch([{ body: "a" }, { body: "b" }]);
  const handed = start(queues);
  await vi.waitFor(() => expect(handed).toHaveLength(4));
  expect(handed.map(({ queue, bodies }) => [queue, bodies.length])).toEqual([
    [jobs, 10],
    [jobs, 2],
    [events, 1],
    [events, 1],
  ]);
  await vi.waitFor(async () =>
    expect(await queues.producer(jobs).metrics()).toEqual({ backlogCount: 0, backlogBytes: 0 }),
  );
});

test("no more than twenty deliveries are under way at once", async () => {
  const queues = open();
  await queues.producer(events).sendBatch(Array.from({ length: 30 }, (_, body) => ({ body })));
  const waiting: (() => void)[] = [];
  const handed = start(queues, () => new Promise<void>((done) => waiting.push(done)));
  await vi.waitFor(() => expect(handed).toHaveLength(20));
  await wait(50);
  expect(handed).toHaveLength(20);
  waiting[0]!();
  await vi.waitFor(() => expect(handed).toHaveLength(21));
  for (const done of waiting) done();
  await vi.waitFor(() => expect(handed).toHaveLength(30));
  for (const done of waiting) done();
});

test("a message is acknowledged or retried by itself, and comes again after its delay", async () => {
  const queues = open();
  await queues.producer(jobs).sendBatch([{ body: "good" }, { body: "bad" }]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "Date"] });
  const handed = start(queues, ({ messages }) => {
    for (const message of messages) if (message.body === "bad") message.retry({ delaySeconds: 40 });
  });
  await vi.advanceTimersByTimeAsync(39_000);
  expect(handed).toEqual([{ queue: jobs, bodies: ["good", "bad"], attempts: [1, 1] }]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(handed.at(-1)).toEqual({ queue: jobs, bodies: ["bad"], attempts: [2] });
});

test("a batch whose consumer fails comes again, three times for deliveries, and then is a dead letter", async () => {
  const queues = open();
  await queues.producer(events).send("gone");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "Date"] });
  const handed = start(queues, ({ queue }) => {
    if (queue === events) throw new Error("broken");
  });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(handed.map(({ queue, attempts }) => [queue, ...attempts])).toEqual([
    [events, 1],
    [events, 2],
    [events, 3],
    [events, 4],
    ["perennial-jobs-dlq", 1],
  ]);
});

test("a message that is sent with a delay waits for it, and for a process that starts later", async () => {
  const file = `${newFolder()}/queue.sqlite`;
  const before = open(file);
  await before.producer(jobs).send("later", { delaySeconds: 90 });
  expect(await before.producer(jobs).metrics()).toMatchObject({ backlogCount: 1, backlogBytes: 7 });
  await before.stop(0);
  before.close();
  opened.splice(0);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "Date"] });
  const handed = start(open(file));
  await vi.advanceTimersByTimeAsync(80_000);
  expect(handed).toEqual([]);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(handed).toMatchObject([{ bodies: ["later"] }]);
});

test("messages that were being worked on when the process was killed are handed over again", async () => {
  const file = `${newFolder()}/queue.sqlite`;
  const killed = open(file);
  await killed.producer(jobs).send("half done");
  start(killed, () => new Promise(() => {}));
  await vi.waitFor(async () =>
    expect(await killed.producer(jobs).metrics()).toMatchObject({ backlogCount: 1 }),
  );
  await killed.stop(0);
  killed.close();
  opened.splice(0);
  const handed = start(open(file));
  await vi.waitFor(() => expect(handed).toEqual([{ queue: jobs, bodies: ["half done"], attempts: [2] }]));
});

test("to stop waits for the batches that are under way, and takes no more", async () => {
  const queues = open();
  await queues.producer(jobs).send("one");
  let isDone = false;
  const handed = start(queues, () =>
    wait(100).then(() => {
      isDone = true;
    }),
  );
  await vi.waitFor(() => expect(handed).toHaveLength(1));
  const stopped = queues.stop(10_000);
  await queues.producer(jobs).send("two");
  await stopped;
  expect([isDone, handed.length]).toEqual([true, 1]);
  expect(await queues.producer(jobs).metrics()).toMatchObject({ backlogCount: 1 });
});

test("a disk that is full ends no process and repeats no work: what was done is noted once there is room", async () => {
  const file = `${newFolder()}/queue.sqlite`;
  const queues = open(file);
  const disk = new DatabaseSync(file);
  disk.exec("CREATE TRIGGER full BEFORE DELETE ON messages BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
  await queues.producer(jobs).send("paid");
  const handed = start(queues);
  await vi.waitFor(() =>
    expect(lines).toContainEqual(["queue_stands_still", expect.objectContaining({ queue: jobs })]),
  );
  disk.exec("DROP TRIGGER full");
  await vi.waitFor(
    async () => expect(await queues.producer(jobs).metrics()).toMatchObject({ backlogCount: 0 }),
    { timeout: 10_000 },
  );
  expect(handed).toEqual([{ queue: jobs, bodies: ["paid"], attempts: [1] }]);
  disk.close();
});

test("messages that cannot be taken from a full disk are taken once there is room", async () => {
  const file = `${newFolder()}/queue.sqlite`;
  const queues = open(file);
  const disk = new DatabaseSync(file);
  await queues.producer(jobs).send("waits");
  disk.exec("CREATE TRIGGER full BEFORE UPDATE ON messages BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
  const handed = start(queues);
  await vi.waitFor(() =>
    expect(lines).toContainEqual(["queue_stands_still", expect.objectContaining({ queue: jobs })]),
  );
  expect(handed).toEqual([]);
  disk.exec("DROP TRIGGER full");
  await vi.waitFor(() => expect(handed).toEqual([{ queue: jobs, bodies: ["waits"], attempts: [1] }]), {
    timeout: 10_000,
  });
  disk.close();
});
