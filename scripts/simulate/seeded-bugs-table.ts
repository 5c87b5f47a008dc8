import type { SeededBug } from "../../simulator/seeded-bug.ts";

/** The fate of a seeded bug: the rule that caught it, and a schedule that did, or why nothing has. */
export type Verdict = { caughtBy: string; seed?: number } | { missed: string };
export type Judged = { bug: SeededBug; verdict: Verdict; seconds: number };

export function isCaught({ verdict }: Judged): boolean {
  return "caughtBy" in verdict;
}

export function lineOf({ bug, verdict, seconds }: Judged): string {
  const name = bug.name.padEnd(nameWidth);
  const text = "caughtBy" in verdict ? verdict.caughtBy : `NOT CAUGHT: ${verdict.missed}`;
  return `${name} ${seconds.toFixed(0).padStart(4)} s  ${text}`;
}

/** All bugs, those that were not caught last. */
export function tableOf(judged: Judged[]): string {
  const caught = judged.filter(isCaught);
  const missed = judged.filter((one) => !isCaught(one));
  const byName = [...caught].sort((a, b) => (a.bug.name < b.bug.name ? -1 : 1));
  return [
    `${"seeded bug".padEnd(nameWidth)}   time  caught by`,
    ...[...byName, ...missed].map(lineOf),
    `\n${caught.length} of ${judged.length} seeded bugs are caught`,
  ].join("\n");
}

const nameWidth = 52;
