import type { Mutant } from "../../simulator/mutants/edits.ts";

/** A seeded bug, and the rule or the test that caught it, if any did. */
export type Judged = { mutant: Mutant; caughtBy: string | undefined; seconds: number };

const nameWidth = 52;

export function lineOf({ mutant, caughtBy, seconds }: Judged): string {
  const name = mutant.name.padEnd(nameWidth);
  return `${name} ${seconds.toFixed(0).padStart(4)} s  ${caughtBy ?? "NOT CAUGHT"}`;
}

/** All bugs, those that were not caught last. */
export function tableOf(judged: Judged[]): string {
  const caught = judged.filter(({ caughtBy }) => caughtBy !== undefined);
  const missed = judged.filter(({ caughtBy }) => caughtBy === undefined);
  const byName = [...caught].sort((a, b) => (a.mutant.name < b.mutant.name ? -1 : 1));
  return [
    `${"seeded bug".padEnd(nameWidth)}   time  caught by`,
    ...[...byName, ...missed].map(lineOf),
    `\n${caught.length} of ${judged.length} seeded bugs are caught`,
  ].join("\n");
}
