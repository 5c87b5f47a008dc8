import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../paths.ts";

const file = `${root}simulator/mutants/known-seeds.json`;

/** By the name of a seeded bug, the seed of a schedule that has caught it: tried first, it often catches it again. */
export const knownSeeds = (): Record<string, number> => JSON.parse(readFileSync(file, "utf8"));

/** Keeps the seeds that have caught bugs now. */
export function rememberSeeds(seeds: Record<string, number>): void {
  const all = Object.entries({ ...knownSeeds(), ...seeds }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
