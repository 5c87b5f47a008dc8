import { type World, worldWith } from "../kernel/world.ts";

/** Further accounts with the same database, queue and cron, each with a shop and a store of its own. */
export async function addNeighbours(world: World, open: (neighbour: World) => Promise<void>): Promise<void> {
  const count = world.choices.weighted([
    [0, 24],
    [1, 4],
    [2, 1],
  ]);
  for (let nth = 0; nth < count; nth++) {
    const neighbour = worldWith(world, { platform: "ledger" });
    world.worlds.push(neighbour);
    await open(neighbour);
  }
}
