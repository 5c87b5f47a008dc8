import { afterRestore } from "../../src/edges/operator/after-restore.ts";
import { crash } from "./faults.ts";
import type { World } from "./world.ts";

/** The database goes back to a commit, as an operator would restore it. Running tasks are lost; messages and requests stay. */
export async function rewindTo(world: World, commit: number): Promise<void> {
  for (const task of world.tasks) crash(task);
  world.database.rewind?.();
  world.restoredTo = commit;
  for (const { rewind } of world.parts) rewind?.(world);
  await afterRestore(world.database);
  world.alarm?.soon();
  world.restores++;
  world.count("restores");
  world.log(() => "THE DATABASE IS RESTORED to the point marked before");
  for (const { restored } of world.parts) await restored?.(world);
}
