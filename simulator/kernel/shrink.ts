import type { Violation } from "./world.ts";

/** The end of a schedule, and how it came to it. */
export type Outcome = {
  violations: Violation[];
  trace: string[];
  tally: Record<string, number>;
  /** The choices that were made. */
  record: number[];
};

import { type Choices, fromRecord } from "./choices.ts";

type Run = (choices: Choices) => Promise<Outcome>;

/**
 * The shortest record of choices that still violates the same rule, found within a number of runs: pieces, ever smaller, are
 * left out or set to zeros while the violation stays.
 */
export async function shrink(found: Outcome, run: Run, runsMax = 1200): Promise<number[]> {
  const rule = found.violations[0]?.rule;
  let best = withoutEnd(found.record);
  let runs = 0;
  const improve = async (candidate: number[]): Promise<boolean> => {
    if (++runs > runsMax) return false;
    const outcome = await run(fromRecord(candidate));
    const record = withoutEnd(outcome.record);
    if (outcome.violations[0]?.rule !== rule || !isSmaller(record, best)) return false;
    best = record;
    return true;
  };
  const pass = async (size: number): Promise<boolean> => {
    let isBetter = false;
    for (let at = best.length - size; at > -size && runs <= runsMax; at -= size)
      for (const candidate of simpler(best, Math.max(0, at), size))
        if (await improve(candidate)) {
          isBetter = true;
          break;
        }
    return isBetter;
  };
  for (let size = Math.ceil(best.length / 2); size >= 1 && runs <= runsMax; ) {
    const isBetter = await pass(size);
    if (!isBetter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return best;
}

function withoutEnd(record: readonly number[]): number[] {
  return record.slice(0, record.findLastIndex((n) => n > 0) + 1);
}

/** A shorter record is smaller; of the same length, the one with the smaller first difference. */
function isSmaller(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const first = a.findIndex((n, nth) => n !== b[nth]);
  return first >= 0 && a[first]! < b[first]!;
}

/** Simpler records: a piece left out, set to zeros, or made smaller. */
function simpler(record: readonly number[], at: number, size: number): number[][] {
  const [before, piece, behind] = [record.slice(0, at), record.slice(at, at + size), record.slice(at + size)];
  const [only = 0] = piece;
  return [
    [...before, ...behind],
    ...(size > 1 ? [[...before, 0, ...behind]] : []),
    [...before, ...piece.map(() => 0), ...behind],
    ...(size === 1 && only > 1
      ? [
          [...before, only >> 1, ...behind],
          [...before, only - 1, ...behind],
        ]
      : []),
  ];
}
