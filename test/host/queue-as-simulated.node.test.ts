/** Whatever the host's queue does, the simulator's queue may do: what its schedules show of jobs holds on one machine too. */
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { deliveriesMax, type Message, newQueue } from "../../simulator/kernel/queue.ts";
import type { Job } from "../../src/base/job.ts";
import { openQueues } from "../../src/host/queues/queues.ts";
import { newFolder } from "./process.ts";

/** `hang`: still being worked on when the process is killed. */
type Fate = "done" | "again" | "throw" | "hang";
type Step =
  | { do: "send"; type: "charge" | "deliver_event"; count: number; delaySeconds: number }
  | { do: "wait"; seconds: number }
  | { do: "kill" };

const seconds = fc.integer({ min: 0, max: 5000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("send" as const),
    type: fc.constantFrom("charge" as const, "deliver_event" as const),
    count: fc.integer({ min: 1, max: 25 }),
    delaySeconds: seconds,
  }),
  fc.record({ do: fc.constant("wait" as const), seconds }),
  fc.record({ do: fc.constant("kill" as const) }),
);
const fates = fc.infiniteStream(
  fc.constantFrom<Fate>("done", "done", "again", "again", "again", "throw", "throw", "throw", "hang"),
);

afterEach(() => void vi.useRealTimers());

test("each message is handed over as the simulator's queue might, until it is done or a dead letter", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "queueMicrotask", "Date"] });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), fates, async (steps, decide) => {
      const run = newRun(decide);
      for (const each of steps) await run.take(each);
      expect(await run.end()).toEqual(run.expected());
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 50) },
  );
});

function newRun(decide: IterableIterator<Fate>) {
  const file = `${newFolder()}/queue.sqlite`;
  const model = newQueue();
  const inHand = new Set<Message>();
  const ended: Record<string, number> = {};
  const buried: string[] = [];
  const unexpected: unknown[] = [];
  let [sent, isQuiet] = [0, false];
  let queues = open();

  function open(): ReturnType<typeof openQueues> {
    const opened = openQueues(file, () => {});
    opened.start((batch) => consume(batch));
    return opened;
  }

  async function consume({ queue, messages }: MessageBatch<unknown>): Promise<void> {
    if (queue === "perennial-jobs-dlq") {
      for (const { body } of messages) ended[idOf(body)] = (ended[idOf(body)] ?? 0) + 1;
      return;
    }
    const taken = messages.map(({ body, attempts }) => {
      const message = model.ready(Date.now()).find((ready) => idOf(ready.body) === idOf(body));
      if (message?.deliveries !== attempts - 1)
        unexpected.push({ handed: body, attempts, simulated: message ?? "not due" });
      if (message) model.take(message);
      return message ?? { body: body as Job, at: 0, deliveries: attempts - 1 };
    });
    const fate = isQuiet ? "done" : (decide.next().value as Fate);
    if (fate === "hang") {
      for (const message of taken) inHand.add(message);
      return new Promise(() => {});
    }
    for (const [nth, message] of taken.entries()) {
      if (fate === "done") ended[idOf(message.body)] = (ended[idOf(message.body)] ?? 0) + 1;
      else giveBack(message, fate === "again" ? 100 : retryDelayOf(message));
      if (fate === "again") messages[nth]!.retry({ delaySeconds: 100 });
    }
    if (fate === "throw") throw new Error("broken");
  }

  function giveBack({ body, deliveries }: Message, delaySeconds: number): void {
    if (deliveries + 1 < deliveriesMax(body))
      model.put(body, Date.now() + delaySeconds * 1000, deliveries + 1);
    else buried.push(idOf(body));
  }

  /** Where no batch hangs, nothing that is due waits, nor does a dead letter. A batch that ends begins the next one, at the same time. */
  async function pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    await vi.advanceTimersByTimeAsync(0);
    if (inHand.size > 0) return;
    const late = [
      ...model.ready(Date.now()).map(({ body }) => idOf(body)),
      ...buried.filter((id) => !ended[id]),
    ];
    if (late.length > 0) unexpected.push({ late });
  }

  async function kill(): Promise<void> {
    await queues.stop(0);
    queues.close();
    for (const { body, deliveries } of inHand) model.put(body, Date.now(), deliveries + 1);
    inHand.clear();
    queues = open();
  }

  return {
    async take(next: Step): Promise<void> {
      if (next.do === "send") {
        const bodies = Array.from({ length: next.count }, () => ({ type: next.type, nth: sent++ }));
        const at = Date.now() + next.delaySeconds * 1000;
        for (const body of bodies) model.put(body as unknown as Job, at);
        await queues
          .producer(next.type === "charge" ? "perennial-jobs" : "perennial-events")
          .sendBatch(bodies.map((body) => ({ body, delaySeconds: next.delaySeconds })));
        await pass(1);
      } else if (next.do === "wait") await pass(next.seconds * 1000);
      else await kill();
    },
    /** Faults stop, the process is killed once more, and all the time passes that a message may wait. */
    async end() {
      isQuiet = true;
      await kill();
      await vi.advanceTimersByTimeAsync(20_000_000);
      expect(model.nextAt()).toBeUndefined();
      await queues.stop(0);
      queues.close();
      return { ended, unexpected };
    },
    expected: () => ({
      ended: Object.fromEntries(Array.from({ length: sent }, (_, nth) => [String(nth), 1])),
      unexpected: [],
    }),
  };
}

function idOf(body: unknown): string {
  return String((body as { nth: number }).nth);
}

/** As in wrangler.toml. */
function retryDelayOf({ body }: Message): number {
  return body.type === "charge" ? 10 : 60;
}
