import { dayMs, hourMs, minuteMs, secondMs } from "../../src/base/lib/time/durations.ts";
import { readyTasks, step } from "./faults.ts";
import { batchWith, deliver, drain, runToEnd, tick } from "./invocations.ts";
import { passTime } from "./pass-time.ts";
import { perAccount } from "./per-account.ts";
import type { Message } from "./queue.ts";
import { rewindTo } from "./restores.ts";
import type { Act, Part, World } from "./world.ts";

/** How the phase of faults stands: whether it is over, and the commit that a later restore goes back to. */
export const phaseOf = perAccount((): { isOver: boolean; mark: number | undefined } => ({
  isOver: false,
  mark: undefined,
}));

function isLong({ scenario }: World): boolean {
  return scenario !== "usual" && scenario !== "restless";
}

function ready({ queue, clock }: World): Message[] {
  return queue.ready(clock);
}

/** Tasks go on, and messages come. */
export const running: Part = {
  acts: [
    {
      name: "stop",
      weight: (world, isBusy) => (isBusy ? 0 : isLong(world) ? 1 : 3),
      act: (world) => {
        phaseOf(world).isOver = true;
      },
    },
    {
      name: "step",
      weight: (world) => (readyTasks(world).length > 0 ? 200 : 0),
      act: (world) => step(world, world.choices.pick(readyTasks(world))),
    },
    {
      name: "deliver",
      weight: (world) => (ready(world).length > 0 ? 60 : 0),
      act: (world) => deliver(world, batchWith(world, world.choices.pick(ready(world)))),
    },
  ],
};

const lose: Act = {
  name: "lose",
  weight: (world) => (ready(world).length > 0 ? 3 : 0),
  act: (world) => {
    const lost = world.choices.pick(ready(world));
    world.log(() => `a message is LOST: ${lost.body.type}`);
    world.count("messages lost");
    world.queue.take(lost);
  },
};

const duplicate: Act = {
  name: "duplicate",
  weight: (world) => (ready(world).length > 0 ? 6 : 0),
  act: (world) => {
    const { body, deliveries } = world.choices.pick(ready(world));
    world.log(() => `a message comes TWICE: ${body.type}`);
    world.count("messages doubled");
    world.queue.put(body, world.clock, deliveries);
  },
};

/** Cron runs, time passes, messages are lost and doubled, an operator restores the database. */
export const passing: Part = {
  acts: [
    { name: "tick", weight: (_, isBusy) => (isBusy ? 2 : 12), act: tick },
    {
      name: "pass",
      weight: (_, isBusy) => (isBusy ? 7 : 25),
      act: (world) =>
        isIdleForDays(world) ? passDays(world) : passTime(world, world.choices.pick(pauses(world))),
    },
    lose,
    duplicate,
    {
      name: "mark",
      weight: (world) => (world.isRestorable && phaseOf(world).mark === undefined ? 6 : 0),
      act: (world) => {
        phaseOf(world).mark = world.commits;
        world.database.mark?.();
        for (const { mark } of world.parts) mark?.(world);
        world.log(() => "(a later restore goes back to here)");
      },
    },
    {
      name: "rewind",
      weight: (world) => (phaseOf(world).mark !== undefined && world.restores === 0 ? 3 : 0),
      act: (world) => rewindTo(world, phaseOf(world).mark!),
    },
  ],
};

const soon = [secondMs, 15 * secondMs, minuteMs, 2 * minuteMs, 6 * minuteMs, 11 * minuteMs];
const restless = [2 * minuteMs, 11 * minuteMs, hourMs, 5 * hourMs, dayMs];
/** Longer than a challenge waits, and some of it. */
const days = [11 * minuteMs, 5 * hourMs, dayMs, dayMs, 3 * dayMs + 2 * hourMs, 3 * dayMs + 2 * hourMs];
const later = [
  ...[2 * minuteMs, 11 * minuteMs, hourMs, 80 * minuteMs, 6 * hourMs, 22 * hourMs + 58 * minuteMs],
  ...[dayMs, dayMs, 2 * dayMs + 2 * hourMs, 7 * dayMs],
];

function isIdleForDays({ scenario, tasks }: World): boolean {
  return scenario === "challenged" && tasks.length === 0;
}

/** Customers take days to confirm a payment. Then they come back before cron looks, which finds most of what they did. */
async function passDays(world: World): Promise<void> {
  await passTime(world, world.choices.pick(days));
  for (const { comeBack } of world.parts) await comeBack?.(world);
  await runToEnd(world);
  await tick(world);
  await runToEnd(world);
  await drain(world);
}

/** How much time may pass: little while a task runs. */
function pauses({ tasks, scenario }: World): number[] {
  if (tasks.length > 0) return soon;
  return scenario === "restless" || scenario === "outage" ? restless : later;
}
