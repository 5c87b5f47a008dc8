/**
 * The random choices of a schedule: from a seed, or from the record of an earlier run. 0 is always the simplest choice (no
 * fault, the first in line), so that zeros and a shorter record make a simpler schedule.
 */
export type Choices = {
  /** A whole number from 0 up to, not including, `n`. */
  below: (n: number) => number;
  /** True so often in a thousand. */
  chance: (perMille: number) => boolean;
  pick: <T>(options: readonly T[]) => T;
  /** One of several, each as likely as its weight. */
  weighted: <T>(options: readonly (readonly [T, number])[]) => T;
  /** The choices that were made so far. */
  record: number[];
};

export function fromSeed(seed: number): Choices {
  const number = numbersFrom(seed);
  return choicesFrom((n) => number() % n);
}

/** Repeats the choices of a record; beyond its end, the simplest. */
export function fromRecord(known: readonly number[]): Choices {
  return choicesFrom((n, nth) => (known[nth] ?? 0) % n);
}

/** mulberry32: small, and good enough for schedules. */
function numbersFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

function choicesFrom(next: (n: number, nth: number) => number): Choices {
  const record: number[] = [];
  const below = (n: number): number => {
    if (n <= 1) return 0;
    const chosen = next(n, record.length);
    record.push(chosen);
    return chosen;
  };
  return {
    below,
    record,
    chance: (perMille) => perMille > 0 && below(1000) >= 1000 - perMille,
    pick: (options) => options[below(options.length)]!,
    weighted: (options) => {
      let left = below(options.reduce((sum, [, weight]) => sum + weight, 0));
      for (const [option, weight] of options) {
        if (left < weight) return option;
        left -= weight;
      }
      return options[0]![0];
    },
  };
}
