import { crash } from "./faults.ts";
import { rewindTo } from "./restores.ts";
import { phaseOf } from "./steps.ts";
import type { Act, Scenario, World } from "./world.ts";

/**
 * The part of a schedule in which anything may happen: people send commands, messages come in any order, twice or never, cron
 * runs or does not, calls fail or crash, time passes, the database is restored.
 */
export async function faultPhase(world: World): Promise<void> {
  const { choices, parts, scenario } = world;
  for (const { begin } of parts) begin?.(world);
  world.faultRate = choices.pick([0, 20, 50, 100, 200]);
  world.isQuiesced = false;
  const acts = parts.flatMap((part) => part.acts ?? []);
  const phase = phaseOf(world);
  for (let steps = 0; !phase.isOver && steps < stepsMax[scenario] && world.violations.length === 0; steps++) {
    const isBusy = world.tasks.length > 0;
    const possible = acts.map((one) => [one, one.weight(world, isBusy)] as const);
    await perform(world, choices.weighted(possible.filter(([, weight]) => weight > 0)));
  }
  if (phase.mark !== undefined && world.restores === 0) await rewindTo(world, phase.mark);
  if (choices.chance(500)) for (const task of world.tasks) crash(task);
}

/** A task does all that it does beside the call that it waits for before the next act is chosen. */
async function perform(world: World, { act }: Act): Promise<unknown> {
  return act(world);
}

const stepsMax: Record<Scenario, number> = {
  usual: 340,
  restless: 340,
  poor: 340,
  outage: 850,
  "gateway off": 425,
  "gateway on and off": 425,
  challenged: 510,
};
