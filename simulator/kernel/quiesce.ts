import { dayMs, hourMs, minuteMs } from "../../src/base/lib/time/durations.ts";
import { drain, runToEnd, tick } from "./invocations.ts";
import { checkAlarm, nextOf } from "./next-due.ts";
import { passTime } from "./pass-time.ts";
import { nextCallAt } from "./task.ts";
import type { World } from "./world.ts";

/**
 * Faults have stopped: tasks end, messages are delivered, cron runs when something is due, for ten days, ever less often; then
 * every minute until nothing is due. Work that is not done then never will be.
 */
export async function quiesce(world: World): Promise<void> {
  world.faultRate = 0;
  world.log(() => "--- faults stop ---");
  await runToEnd(world);
  while (world.tasks.length > 0) await giveUp(world);
  world.isQuiesced = true;
  world.quiescedAt = world.clock;
  for (const { end } of world.parts) await end?.(world);
  await runToEnd(world);
  const until = world.clock + quiesceMs;
  const isClean = () => world.violations.length === 0;
  for (let pause = minuteMs; isClean() && world.clock < until; pause = Math.min(pause * 1.2, 8 * hourMs)) {
    const next = await turn(world);
    await passTime(world, Math.min(Math.max(next - world.clock, Math.round(pause)), until + 1 - world.clock));
  }
  for (let minutes = 0; isClean() && minutes < minutesMax; minutes++) {
    if ((await turn(world)) > world.clock + minuteMs) return;
    await passTime(world, minuteMs);
  }
}

/** Longer than anything that can follow: the last retry of dunning comes after a week. */
const quiesceMs = 10 * dayMs;
/** Work that is still due after so many more minutes will stay due for ever. */
const minutesMax = 20;

/** Time passes until the next request that hangs is given up. */
async function giveUp(world: World): Promise<void> {
  await passTime(world, Math.max(0, Math.min(...world.tasks.map(nextCallAt)) - world.clock));
  await runToEnd(world);
}

/** Time passes until no request hangs any more, and what follows is done: where more passed, their senders would die in the middle. */
async function awaitAnswers(world: World): Promise<void> {
  while (world.tasks.length > 0) {
    await giveUp(world);
    await drain(world);
  }
}

/** Does everything that is due at this instant, and returns when the next thing is. */
async function turn(world: World): Promise<number> {
  for (const { arrive } of world.parts) await arrive?.(world);
  await drain(world);
  for (const { settle } of world.parts) await settle?.(world);
  await runToEnd(world);
  await awaitAnswers(world);
  const next = await nextOf(world);
  await checkAlarm(world);
  if (next > world.clock) return next;
  await tick(world);
  await runToEnd(world);
  await drain(world);
  for (const { rest } of world.parts) await rest?.(world);
  await awaitAnswers(world);
  return nextOf(world);
}
