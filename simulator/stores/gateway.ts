import { dayMs, hourMs } from "../../src/base/lib/time/durations.ts";
import type { World } from "../kernel/world.ts";

/** Whether the merchant's payment provider is off: for two days longer than other faults last, or by turns. */
export function isGatewayOff(world: World): boolean {
  const { scenario, isQuiesced, clock, quiescedAt } = world;
  if (isGatewayUnsteady(world)) return Math.floor(clock / turnMs) % 2 === 0;
  return scenario === "gateway off" && (!isQuiesced || clock < quiescedAt + 2 * dayMs);
}

/** Whether the payment provider is off by turns, and cards are declined in between: for some days longer than other faults last. */
export function isGatewayUnsteady({ scenario, isQuiesced, clock, quiescedAt }: World): boolean {
  return scenario === "gateway on and off" && (!isQuiesced || clock < quiescedAt + 6 * dayMs);
}

/** Not a whole number of days, so that retries and turns meet in every way. */
const turnMs = 20 * hourMs;
