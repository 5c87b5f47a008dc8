import { readAccount } from "../src/accounts/queries.ts";
import type { Ctx } from "../src/context.ts";
import { DomainError } from "../src/errors.ts";
import type { Job } from "../src/job.ts";
import { handleJob } from "../src/jobs/handle.ts";
import { sendDueJobs } from "../src/jobs/tick.ts";
import { UnknownOutcomeError } from "../src/store/port.ts";
import { end, readyTasks, step } from "./faults.ts";
import { ctxOf } from "./ports.ts";
import { deliveriesMax, type Message } from "./queue.ts";
import { begin, newTask, type Task, type TaskEnd } from "./task.ts";
import { type World, worldOf } from "./world.ts";

type Work = (ctx: Ctx) => Promise<unknown>;

/** A refusal by the rules, or an error that the simulator injected. Any other error is a bug. */
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
  onEnd: (end: TaskEnd) => void,
): Promise<void> => {
  const task = newTask(name, world.clock, (taskEnd) => {
    end(world, task);
    const { outcome } = taskEnd;
    if (outcome === "failed" && !isExpected(world, taskEnd.error))
      world.report("no unexpected error", `${name}: ${textOf(taskEnd.error)}`);
    if (outcome === "failed") world.log(() => `${name} fails: ${String(taskEnd.error)}`);
    else if (outcome === "crashed") world.log(() => `${name} crashes`);
    onEnd(taskEnd);
  });
  world.tasks.push(task);
  if (name !== cron) world.log(() => name);
  return begin(task, () => work(task));
};

/** A request by a person or program. */
export const spawn = (
  world: World,
  name: string,
  actor: Ctx["actor"],
  work: Work,
  onEnd: (end: TaskEnd) => void = () => {},
): Promise<void> => start(world, name, (task) => work(ctxOf(world, task, actor)), onEnd);

const system = { type: "system", name: null } as const;

const retryMs = (deliveries: number): number => Math.min(3600, 5 * 2 ** Math.min(deliveries, 10)) * 1000;

/** As jobs/consume.ts: reads the account, then does the job; the message is acknowledged afterwards. */
const consume = async (world: World, task: Task, body: Job): Promise<void> => {
  const ctx = ctxOf(world, task, system, body);
  const account = await readAccount(ctx.db, body.account_id);
  if (account) await handleJob({ ...ctx, account }, body);
};

/** A message that is not acknowledged comes again, until it is a dead letter. */
export const deliver = (world: World, message: Message): Promise<void> => {
  const { body } = message;
  const deliveries = message.deliveries + 1;
  world.queue.take(message);
  const onEnd = ({ outcome }: TaskEnd): void => {
    const isRemoved =
      outcome === "done" ? !world.choices.chance(world.faultRate / 2) : deliveries >= deliveriesMax(body);
    if (outcome === "done" && !isRemoved) world.count("acks lost");
    if (outcome !== "done" && isRemoved) world.count("dead letters");
    if (outcome === "failed" && world.isQuiesced)
      world.report("jobs succeed without faults", `${body.type} failed`);
    if (!isRemoved) world.queue.put(body, world.clock + retryMs(deliveries), deliveries);
  };
  return start(
    world,
    `consumer of ${body.type}`,
    (task) => consume(worldOf(world, body.account_id), task, body),
    onEnd,
  );
};

/** The trace has of cron only what it sends and what fails. */
const cron = "cron";

/** As jobs/tick.ts: finds the jobs that are due and sends those of the schedule's accounts. */
export const tick = (world: World): Promise<void> =>
  start(
    world,
    cron,
    async (task) => {
      const ctx = ctxOf(world, task, system);
      const send: Ctx["send"] = (jobs) =>
        ctx.send(
          jobs.filter(({ account_id }) => world.worlds.some(({ account }) => account.id === account_id)),
        );
      await sendDueJobs({ db: ctx.db, now: new Date(world.clock), send, log: ctx.log });
    },
    () => {},
  );

/** Runs every task to its end, one after the other, except those whose requests hang. */
export const runToEnd = async (world: World): Promise<void> => {
  for (let [task] = readyTasks(world); task; [task] = readyTasks(world)) await step(world, task);
};

/** Delivers every message, and those that follow from it, one after the other. */
export const drain = async (world: World): Promise<void> => {
  for (let [message] = world.queue.ready(world.clock); message; [message] = world.queue.ready(world.clock)) {
    await deliver(world, message);
    await runToEnd(world);
  }
};
