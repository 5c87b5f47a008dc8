import { readEntry } from "../../src/base/accounts/queries.ts";
import { secondMs } from "../../src/base/lib/time/durations.ts";
import { getSubscription } from "../../src/domain/subscriptions/queries.ts";
import { continueMove } from "../../src/edges/operator/move/continue-move.ts";
import { otherEngine } from "../../src/edges/operator/move/state.ts";
import { runToEnd, spawn, start } from "../kernel/invocations.ts";
import { passTime } from "../kernel/pass-time.ts";
import type { World } from "../kernel/world.ts";
import { homesOf } from "./homes.ts";
import { portsOf } from "./ports.ts";

/** Whether an operator can take a step now. Two may be at it at once, and the last call of one may still be under way. */
export function canMove(world: World): boolean {
  const [homes, { tasks, clock }] = [homesOf(world), world];
  if (!homes || (homes.way && homes.way.notBefore > clock)) return false;
  return tasks.filter(({ name }) => name.startsWith(moving)).length < 2;
}

/** Takes a step of the account's way to the other engine, or back. */
export async function moveOn(world: World): Promise<void> {
  const [homes, { choices, account }] = [homesOf(world), world];
  if (!homes) return;
  homes.way ??= { to: otherEngine(homes.engine()), cursor: undefined, notBefore: 0 };
  const { way } = homes;
  // Now and then an operator thinks better of it, or begins anew.
  if (!world.isQuiesced && choices.chance(20)) way.to = otherEngine(way.to);
  if (choices.chance(50)) way.cursor = undefined;
  const { to, cursor } = way;
  world.count("steps of moves");
  return start(
    world,
    `${moving}${to}`,
    async (task) => {
      const asked = { accountId: account.id, to, cursor, force: true };
      const progress = await continueMove(portsOf(world, task), asked);
      way.cursor = progress.cursor;
      way.notBefore = world.clock + progress.waitMs;
      if (progress.step === "moved") homes.way = undefined;
    },
    () => {},
  );
}

/**
 * An operator takes one step after the other while customers look at what is theirs: before the first, and a moment after the last. An
 * isolate that knows the account from before may not know then that it has moved.
 */
export async function moveInOneGo(world: World): Promise<void> {
  await receiveCustomers(world);
  for (let steps = 0; steps < stepsOfGo && canMove(world); steps++) {
    await moveOn(world);
    await runToEnd(world);
  }
  await passTime(world, secondMs);
  await receiveCustomers(world);
}

/** Several customers look at their subscription, one after the other; each comes to some isolate. */
async function receiveCustomers(world: World): Promise<void> {
  for (let customers = 0; customers < 3; customers++) {
    await spawn(world, "look at a subscription", { type: "customer", name: null }, (ctx) =>
      getSubscription(ctx, world.subscriptionId),
    );
    await runToEnd(world);
  }
}

/** A move has fewer steps that need no wait. */
const stepsOfGo = 12;

const moving = "move to ";

/** The operator stays at it until the account has come to an engine. */
export async function endMove(world: World): Promise<void> {
  const [homes, { account }] = [homesOf(world), world];
  for (let steps = 0; homes && steps < stepsMax; steps++) {
    const entry = await readEntry(homes.d1, { id: account.id });
    if (!homes.way && entry?.moving === null) return;
    await passTime(world, Math.max(0, (homes.way?.notBefore ?? 0) - world.clock));
    await moveOn(world);
    await runToEnd(world);
  }
  const entry = homes && (await readEntry(homes.d1, { id: account.id }));
  if (entry) world.report("a move comes to its end", `after ${stepsMax} steps it stands at ${entry.moving}`);
}

const stepsMax = 80;
