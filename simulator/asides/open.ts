import { testClock } from "../clocks/test-clock.ts";
import { signIns } from "../portal/sign-ins.ts";
import { planPushes } from "../shopify/plan-pushes.ts";
import type { Platform } from "../simulated-store.ts";
import type { World } from "../world.ts";
import type { Aside, AsideName } from "./aside.ts";

/** Names the aside of a seed's schedule, if it has one: by the seed alone, so that no choice of the other schedules is another one. */
export function asideOf(seed: number, platform: Platform): AsideName | undefined {
  if (platform === "shopify") return Math.floor(seed / 5) % 3 === 1 ? "plans" : undefined;
  if (seed % 32 === 3) return "links";
  return seed % 32 === 6 ? "clock" : undefined;
}

export async function openAside(world: World, name: AsideName): Promise<Aside | undefined> {
  const { shopify } = world;
  if (name === "plans") return shopify && planPushes(world, shopify);
  return name === "links" ? signIns(world) : testClock(world);
}
