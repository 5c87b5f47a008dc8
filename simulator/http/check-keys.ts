import type { World } from "../kernel/world.ts";
import { askedOf } from "./asked.ts";

/** Whatever crashes, is lost or comes twice: a request with a key takes effect once, and one with a wrong credential never. */
export function checkKeys(world: World): void {
  const { report } = world;
  for (const { name, method, credential, effects } of askedOf(world)) {
    if (method === "POST" && effects.length > 1)
      report("a key has one effect", `${name} took effect ${effects.length} times`);
    if (credential !== "own" && effects.length > 0)
      report("a wrong key reaches nothing", `${name} took effect with a key that is ${credential}`);
  }
}
