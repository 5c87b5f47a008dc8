import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../paths.ts";

/** By the name of a seeded bug, the seed of a schedule that has caught it: tried first, it often catches it again. */
export function knownSeeds(): Record<string, number> {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Keeps the seeds that have caught bugs now, of the bugs that there are. */
export function rememberSeeds(seeds: Record<string, number>, bugs: { name: string }[]): void {
  const all = Object.entries({ ...knownSeeds(), ...seeds })
    .filter(([known]) => bugs.some(({ name }) => name === known))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

const file = `${root}simulator/known-seeds.json`;
