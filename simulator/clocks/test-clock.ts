import { startAdvance } from "../../src/base/accounts/clock.ts";
import type { Job } from "../../src/base/job.ts";
import { later } from "../../src/base/lib/time/dates.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { shipNow } from "../../src/domain/billing/actions/ship-now.ts";
import { cancelSubscription } from "../../src/domain/subscriptions/actions/cancel.ts";
import { pauseSubscription } from "../../src/domain/subscriptions/actions/pause.ts";
import {
  reactivateSubscription,
  resumeSubscription,
} from "../../src/domain/subscriptions/actions/restart.ts";
import { skipSubscription } from "../../src/domain/subscriptions/actions/skip.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { advanceClock } from "../../src/runtime/jobs/advance-clock.ts";
import { handleJob } from "../../src/runtime/jobs/handle.ts";
import { runToEnd, start } from "../kernel/invocations.ts";
import type { Part, World } from "../kernel/world.ts";
import { type ClockAccount, createClockAccount } from "./account.ts";
import { checkDays } from "./check-days.ts";
import { newClockWatch } from "./watch-clock.ts";

/**
 * People move the test clock of a further account on by days and weeks, and change one of its subscriptions meanwhile, while the messages
 * that move it crash, are lost or doubled.
 */
export async function testClock(world: World): Promise<Part> {
  const { choices } = world;
  const watch = newClockWatch(world);
  const clock: ClockAccount = await createClockAccount(world, (actor) => watch.look(actor.type !== "system"));
  const { account } = clock.world;
  await watch.begin(account.id);
  let [advances, commands] = [2 + choices.below(4), choices.below(8)];
  let isLast = false;

  const ask = (name: string, work: (ctx: Ctx) => Promise<unknown>): Promise<void> =>
    start(
      world,
      name,
      async (task) => work(await clock.open(task, { type: "admin", name: "Ada" })),
      () => {},
    );

  const advance = (days: number): Promise<void> => {
    world.count("moves of a test clock");
    return ask(`move the test clock by ${days} days`, async (ctx) => {
      const now = ctx.account.clock_at ?? ctx.realNow;
      const isMoving = await startAdvance(ctx, ctx.account, now, later(now, days * dayMs));
      if (isMoving) await ctx.send([{ type: "advance_clock", account_id: account.id }]);
    });
  };

  const withIds = (ctx: Ctx): Ctx => ({ ...ctx, newId: world.newId });
  const handleHere = (ctx: Ctx, job: Job): Promise<void> =>
    job.type === "advance_clock"
      ? advanceClock(ctx, (opened, one) => handleJob(withIds(opened), one))
      : handleJob(ctx, job);

  return {
    account: { id: account.id, receive: (task, job) => clock.receive(task, (ctx) => handleHere(ctx, job)) },
    acts: [
      {
        name: "a test clock",
        weight: (_, isBusy) => (advances + commands === 0 ? 0 : isBusy ? 8 : 16),
        act() {
          const isAdvance = advances > 0 && (commands === 0 || choices.chance(500));
          if (isAdvance) {
            advances--;
            return advance(choices.pick([1, 2, 5, 9, 21]));
          }
          commands--;
          const [name, work] = choices.pick(kinds);
          return ask(`${name} by a test clock`, (ctx) => work(ctx, clock.changed.id));
        },
      },
    ],

    async arrive() {
      if (isLast || watch.isMoving()) return;
      isLast = true;
      await advance(9);
      await runToEnd(world);
    },
    nextAt: () => (watch.isMoving() ? world.clock : undefined),
    restored: () => watch.begin(account.id),
    async check() {
      await watch.checkEnd();
      await checkDays(clock);
    },
  };
}

const kinds: readonly [string, (ctx: Ctx, id: string) => Promise<unknown>][] = [
  ["ship now", (ctx, id) => shipNow(ctx, { id, request: {} })],
  ["pause", (ctx, id) => pauseSubscription(ctx, { id, request: {} })],
  ["resume", (ctx, id) => resumeSubscription(ctx, { id, request: {} })],
  ["skip", (ctx, id) => skipSubscription(ctx, { id, request: { skip_weeks: 1 } })],
  ["cancel", (ctx, id) => cancelSubscription(ctx, { id, request: {} })],
  ["reactivate", (ctx, id) => reactivateSubscription(ctx, { id, request: {} })],
];
