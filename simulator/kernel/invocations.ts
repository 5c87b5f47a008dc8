import { readAccount } from "../../src/base/accounts/queries.ts";
import { DomainError } from "../../src/base/errors.ts";
import { isForEndpoint, type Job } from "../../src/base/job.ts";
import { doublingPause } from "../../src/base/lib/backoff.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { type BatchPorts, type Delivered, workBatch } from "../../src/runtime/jobs/batch.ts";
import { invocationLimits, type Limits, mostStatements } from "../../src/runtime/jobs/budget.ts";
import { handleJob } from "../../src/runtime/jobs/handle.ts";
import { sendDueJobs } from "../../src/runtime/jobs/tick.ts";
import { UnknownOutcomeError } from "../../src/stores/port.ts";
import { end, performAtOnce, readyTasks, step } from "./faults.ts";
import { ctxOf } from "./ports.ts";
import { batchMax, deliveriesMax, type Message } from "./queue.ts";
import { asStrand, begin, call, newTask, type Task, type TaskEnd } from "./task.ts";
import { type Received, type World, worldOf } from "./world.ts";

type Work = (ctx: Ctx) => Promise<unknown>;

/** A refusal by the rules, or an error that the simulator injected. Any other error is a bug. */
export function isExpected(world: World, error: unknown): boolean {
  return (
    error instanceof DomainError ||
    error instanceof UnknownOutcomeError ||
    (typeof error === "object" && error !== null && world.injected.has(error))
  );
}

/** A request by a person or program. */
export function spawn(
  world: World,
  name: string,
  actor: Ctx["actor"],
  work: Work,
  onEnd: (end: TaskEnd) => void = () => {},
): Promise<void> {
  return start(
    world,
    name,
    async (task) => {
      await world.whereabouts?.enter(task, "request");
      return work(ctxOf(world, task, actor));
    },
    onEnd,
  );
}

/** Delivers a batch, which the Worker's own code works on within the limits of one invocation. */
export function deliver(world: World, messages: Message[]): Promise<void> {
  for (const message of messages) world.queue.take(message);
  const limits = limitsOf(world);
  let [begun, used] = [0, 0];
  const batch = messages.map((message): Held => {
    const held: Held = {
      ...{ message, job: message.body, isDone: false, isSentAgain: false, isSettled: false },
      ack: () => acknowledge(world, held),
      retry: () => giveBack(world, held),
    };
    return held;
  });
  const ports = (task: Task): BatchPorts<Held> => ({
    limits,
    elapsed: () => world.clock - task.bornAt,
    work: async (held) => {
      begun++;
      const worked = await asStrand(task, (strand) => work(world, strand, held));
      used += worked.statements;
      if (begun > 1 && used > limits.statements)
        world.report("an invocation stays within its limits", `${used} statements of ${limits.statements}`);
      return worked;
    },
    sendAgain: async (jobs) => {
      const left = batch.filter(({ job }) => jobs.includes(job));
      const put = async () => {
        for (const held of left) {
          world.queue.put(held.job, world.clock);
          held.isSentAgain = true;
        }
      };
      world.count("messages put off", left.length);
      const what = () => `send ${left.length} messages again`;
      return call(task, { kind: "send", what, perform: put }).then(
        () => left.every(({ isSentAgain }) => isSentAgain),
        () => false,
      );
    },
  });
  const onEnd = (): void => {
    for (const held of batch) if (!held.isSettled) giveBack(world, held);
  };
  const names = messages.map(({ body }) => body.type).join(", ");
  return start(world, `consumer of ${names}`, (task) => workBatch(batch, ports(task)), onEnd);
}

/** A batch of messages that begins with this one, as the queue might deliver it. */
export function batchWith({ queue, choices, clock }: World, first: Message): Message[] {
  if (isForEndpoint(first.body.type)) return [first];
  const others = queue
    .ready(clock)
    .filter((message) => message !== first && !isForEndpoint(message.body.type));
  return [first, ...others.slice(0, choices.below(batchMax))];
}

/** As jobs/tick.ts: finds the jobs that are due and sends those of the schedule's accounts. An object's alarm does the same. */
export function tick(world: World): Promise<void> {
  return start(
    world,
    cron,
    async (task) => {
      const { alarm, database, whereabouts } = world;
      const now = new Date(world.clock);
      const ctx = ctxOf(world, task, system);
      let sent = 0;
      const send: Ctx["send"] = (jobs) => {
        sent += jobs.length;
        return ctx.send(
          jobs.filter(
            ({ account_id }) =>
              world.parts.some(({ account }) => account?.id === account_id) ||
              world.worlds.some(({ account }) => account.id === account_id),
          ),
        );
      };
      alarm?.rings();
      if (whereabouts) return whereabouts.tick(task, { send, log: ctx.log });
      await sendDueJobs({ db: ctx.db, now, send, log: ctx.log });
      await alarm?.looked({ db: database, now, sent });
    },
    () => {},
  );
}

/** Runs every task to its end, one after the other, except those whose requests hang. */
export async function runToEnd(world: World): Promise<void> {
  for (let [task] = readyTasks(world); task; [task] = readyTasks(world)) await step(world, task);
}

/** Delivers every message, and those that follow from it, one after the other. */
export async function drain(world: World): Promise<void> {
  const ready = () => world.queue.ready(world.clock);
  for (let [message] = ready(), delivered = 1; message; [message] = ready(), delivered++) {
    if (delivered > mostAtOnce)
      return world.report("messages come to an end", `${message.body.type} is sent for ever`);
    await deliver(world, batchWith(world, message));
    await runToEnd(world);
  }
}

/** Far more messages than ever follow from those of one instant, however often a schedule full of faults has doubled them. */
const mostAtOnce = 50_000;

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}

/** Starts an invocation of the Worker. */
export function start(
  world: World,
  name: string,
  work: (task: Task) => Promise<unknown>,
  onEnd: (end: TaskEnd) => void,
): Promise<void> {
  const born = { bornAt: world.clock, bornAfter: world.commits };
  const task = newTask(name, born, (taskEnd) => {
    end(world, task);
    const { outcome } = taskEnd;
    task.ended = { outcome, at: world.clock };
    if (outcome === "failed" && !isExpected(world, taskEnd.error))
      world.report("no unexpected error", `${name}: ${textOf(taskEnd.error)}`);
    if (outcome === "crashed") world.count("invocations that died");
    if (outcome === "failed") world.log(() => `${name} fails: ${String(taskEnd.error)}`);
    else if (outcome === "crashed") world.log(() => `${name} crashes`);
    onEnd(taskEnd);
  });
  world.tasks.push(task);
  task.performAtOnce = (request) => performAtOnce(world, task, request);
  if (name !== cron) world.log(() => name);
  return begin(task, () => work(task));
}

const system = { type: "system", name: null } as const;

function retryMs(deliveries: number): number {
  return doublingPause({ first: 5, longest: 3600 }, deliveries) * 1000;
}

/** A message in the hands of an invocation: whether its job is done, and whether it was sent again. */
type Held = Delivered & { message: Message; isDone: boolean; isSentAgain: boolean; isSettled: boolean };

/** As jobs/consume.ts: reads the account, then does the job. */
async function work(world: World, task: Task, held: Held): Promise<{ isDone: boolean; statements: number }> {
  const { body } = held.message;
  const beside = world.parts.find(({ account }) => account?.id === body.account_id)?.account;
  const received = beside ? beside.receive(task, body) : receive(world, task, body);
  try {
    await received.run();
    held.isDone = true;
  } catch (error) {
    if (!isExpected(world, error)) world.report("no unexpected error", `${body.type}: ${textOf(error)}`);
    if (world.isQuiesced) world.report("jobs succeed without faults", `${body.type} failed`);
    world.log(() => `${body.type} fails: ${String(error)}`);
  }
  const { db_statements: statements } = received.db.usage;
  if (statements > mostStatements[body.type])
    world.report("a job runs no more statements than its most", `${body.type} ran ${statements}`);
  return { isDone: held.isDone, statements };
}

/** Reads the account of a message, where it is as its batch begins, then does its job. */
function receive(world: World, task: Task, job: Job): Received {
  let ctx = ctxOf(worldOf(world, job.account_id), task, system, job);
  const run = async () => {
    if (world.whereabouts) {
      await world.whereabouts.enter(task, "message");
      ctx = ctxOf(world, task, system, job);
    }
    const account = await readAccount(ctx.db, job.account_id);
    if (account) await handleJob({ ...ctx, account }, amongOthers(world, job));
  };
  return {
    get db() {
      return ctx.db;
    },
    run,
  };
}

/** Each account has one subscription; those of a message are worked on together where it names others, of which these are gone. */
function amongOthers({ choices }: World, job: Job): Job {
  return job.type === "process_due" && choices.chance(500)
    ? { ...job, subscription_ids: [...job.subscription_ids, "gone"] }
    : job;
}

/** A message that is acknowledged is gone, unless its acknowledgement is lost. */
function acknowledge(world: World, held: Held): void {
  held.isSettled = true;
  const { body, deliveries } = held.message;
  if (!held.isDone && !held.isSentAgain)
    world.report("a message is worked on or sent again", `${body.type} was acknowledged and nothing else`);
  if (!world.choices.chance(world.faultRate / 2)) return;
  world.count("acks lost");
  world.queue.put(body, world.clock + retryMs(deliveries + 1), deliveries + 1);
}

/** A message that is not acknowledged comes again, until it is a dead letter. */
function giveBack(world: World, held: Held): void {
  held.isSettled = true;
  const { body, deliveries } = held.message;
  if (deliveries + 1 >= deliveriesMax(body)) world.count("dead letters");
  else world.queue.put(body, world.clock + retryMs(deliveries + 1), deliveries + 1);
}

/**
 * The limits of an invocation: sometimes as much as the Worker's, sometimes so little that a part of its batch is left. What is left is sent
 * again, and may then come twice while there are faults: with a long queue no invocation leaves anything then, or it would grow without end.
 */
function limitsOf({ choices, queue, clock, isQuiesced }: World): Limits {
  const { statements } = invocationLimits;
  const isLong = !isQuiesced && queue.ready(clock).length > longQueue;
  return { ...invocationLimits, statements: choices.pick(isLong ? [statements] : [statements, 300, 60, 1]) };
}

/** So many messages are about more than all that a schedule has to do at once. */
const longQueue = 20;

/** The trace has of cron only what it sends and what fails. */
const cron = "cron";
