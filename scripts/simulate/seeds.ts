import { execFileSync } from "node:child_process";
import { onceFound } from "../../simulator/once-found.ts";
import { root } from "../paths.ts";

/** Consecutive seeds: the first, and how many there are. */
export type SeedRange = { seed: number; schedules: number };

/** The first seed of schedules that are the same in each run. */
export const fixedSeed = 20261121;

/**
 * The seeds of a run that names none. Half are the same in each run, those first that have once found something; the others follow
 * from the commit, so that each commit tries schedules that nobody has tried before, and trying it again finds the same.
 */
export function mixedSeeds(schedules: number): SeedRange[] {
  const fixed = Math.floor(schedules / 2);
  const found = onceFound.slice(0, fixed).map((seed) => ({ seed, schedules: 1 }));
  return [
    ...found,
    { seed: fixedSeed, schedules: fixed - found.length },
    { seed: commitSeed(), schedules: schedules - fixed },
  ];
}

/** A seed that the commit's hash comes to. */
export function commitSeed(): number {
  const hash = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  return Number.parseInt(hash.slice(0, 7), 16);
}
