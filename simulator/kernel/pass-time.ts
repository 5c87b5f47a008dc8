import { hourMs, minuteMs, secondMs } from "../../src/base/lib/time/durations.ts";
import { crash } from "./faults.ts";
import type { World } from "./world.ts";

/** Time passes: invocations that have run too long end, and late requests arrive at the store. */
export async function passTime(world: World, ms: number): Promise<void> {
  const until = world.clock + ms;
  for (let next = nextAtStores(world); next && next.at <= until; next = nextAtStores(world)) {
    world.clock = Math.max(next.at, world.clock);
    await next.store.passTime();
  }
  world.clock = until;
  world.log(() => `(${lengthOf(ms)} pass)`);
  for (const task of world.tasks) if (world.clock - task.bornAt > invocationMsMax) crash(task);
}

export function lengthOf(ms: number): string {
  if (ms < 2 * minuteMs) return `${Math.round(ms / secondMs)} seconds`;
  return ms < 2 * hourMs ? `${Math.round(ms / minuteMs)} minutes` : `${Math.round(ms / hourMs)} hours`;
}

/** The longest that an invocation runs; so old may its idea of today be. */
export const invocationMsMax = 15 * minuteMs;

/** The store at which something is due next, and when. */
function nextAtStores({ worlds }: World): { store: World["store"]; at: number } | undefined {
  return worlds
    .map(({ store }) => ({ store, at: store.nextAt() ?? Number.POSITIVE_INFINITY }))
    .filter(({ at }) => at < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.at - b.at)[0];
}
