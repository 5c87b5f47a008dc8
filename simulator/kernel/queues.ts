import type { Env } from "../../src/base/env.ts";
import type { Job } from "../../src/base/job.ts";
import { call, type Task } from "./task.ts";
import type { World } from "./world.ts";

/** The platform's queues as a task sees them. */
export function queuesOf(world: World, task: Task): Pick<Env, "JOBS" | "EVENTS"> {
  const sendBatch = async (messages: { body: unknown; delaySeconds?: number }[]): Promise<void> => {
    const jobs = messages.map(({ body }) => body as Job);
    await call(task, {
      kind: "send",
      what: () => `send ${jobs.map(({ type }) => type).join(", ")}`,
      perform: async () => {
        for (const { body, delaySeconds = 0 } of messages)
          world.queue.put(body as Job, world.clock + delaySeconds * 1000);
      },
    });
  };
  const queue = { sendBatch } as unknown as Queue<unknown>;
  return { JOBS: queue, EVENTS: queue };
}
