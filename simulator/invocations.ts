import { readAccount } from "../src/accounts/queries.ts";
import type { Ctx } from "../src/context.ts";
import { DomainError } from "../src/errors.ts";
import type { Job } from "../src/job.ts";
import { handleJob } from "../src/jobs/handle.ts";
import { findJobs } from "../src/jobs/tick.ts";
import { UnknownOutcomeError } from "../src/store/port.ts";
import { end, step } from "./faults.ts";
import { ctxOf } from "./ports.ts";
import { type Message, mostDeliveries } from "./queue.ts";
import { begin, type EndOfTask, newTask, type Task } from "./task.ts";
import type { World } from "./world.ts";

type Work = (ctx: Ctx) => Promise<unknown>;

/** A refusal by the rules, or what the simulator itself has brought about; anything else is a fault of the code's. */
export const isExpected = (world: World, error: unknown): boolean =>
  error instanceof DomainError ||
  error instanceof UnknownOutcomeError ||
  (typeof error === "object" && error !== null && world.injected.has(error));

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? String(error)) : String(error);

const start = (
  world: World,
  name: string,
  work: (task: Task) => Promise<unknown>,
  onEnd: (how: EndOfTask) => void,
): Promise<void> => {
  const task = newTask(name, world.clock, (how) => {
    end(world, task);
    if (how.how === "failed" && !isExpected(world, how.error))
      world.report("no fault of ours", `${name}: ${textOf(how.error)}`);
    if (how.how === "failed") world.tell(() => `${name} fails: ${String(how.error)}`);
    else if (how.how === "crashed") world.tell(() => `${name} is gone`);
    onEnd(how);
  });
  world.tasks.push(task);
  if (name !== cron) world.tell(() => name);
  return begin(task, () => work(task));
};

/** A request of somebody's. */
export const spawn = (
  world: World,
  name: string,
  actor: Ctx["actor"],
  work: Work,
  onEnd: (how: EndOfTask) => void = () => {},
): Promise<void> => start(world, name, (task) => work(ctxOf(world, task, actor)), onEnd);

const system = { type: "system", name: null } as const;

const retryMs = (deliveries: number): number => Math.min(3600, 5 * 2 ** Math.min(deliveries, 10)) * 1000;

/** As jobs/consume.ts does it: the account is read, then the job is done, then the message is acknowledged. */
const consume = async (world: World, task: Task, body: Job): Promise<void> => {
  const ctx = ctxOf(world, task, system, body);
  const account = await readAccount(ctx.db, body.account_id);
  if (account) await handleJob({ ...ctx, account }, body);
};

/** A message that is not acknowledged comes again; at last it is a dead letter, which is let go. */
export const deliver = (world: World, message: Message): Promise<void> => {
  const { body } = message;
  const deliveries = message.deliveries + 1;
  world.queue.take(message);
  const onEnd = ({ how }: EndOfTask): void => {
    const isGone = how === "done" ? !world.choices.chance(world.faultRate / 2) : deliveries >= mostDeliveries;
    if (how === "done" && !isGone) world.count("acks lost");
    if (how !== "done" && isGone) world.count("dead letters");
    if (how === "failed" && world.isQuiesced)
      world.report("jobs succeed where nothing fails", `${body.type} failed`);
    if (!isGone) world.queue.put(body, world.clock + retryMs(deliveries), deliveries);
  };
  return start(world, `consumer of ${body.type}`, (task) => consume(world, task, body), onEnd);
};

/** Of cron only what it sends is told, and what goes wrong. */
const cron = "cron";

/** As jobs/tick.ts does it: what is to be done is found, then sent. Other accounts' jobs are none of this world's. */
export const tick = (world: World): Promise<void> =>
  start(
    world,
    cron,
    async (task) => {
      const ctx = ctxOf(world, task, system);
      const jobs = await findJobs(ctx.db, new Date(world.clock));
      await ctx.send(jobs.filter(({ account_id }) => account_id === world.account.id));
    },
    () => {},
  );

/** Lets every task there is go on to its end, one after the other. */
export const runToEnd = async (world: World): Promise<void> => {
  for (let [task] = world.tasks; task; [task] = world.tasks) await step(world, task);
};

/** Delivers whatever is there, and what follows from it, one message after the other. */
export const drain = async (world: World): Promise<void> => {
  for (let [message] = world.queue.ready(world.clock); message; [message] = world.queue.ready(world.clock)) {
    await deliver(world, message);
    await runToEnd(world);
  }
};
