/** Pauses between tries, each twice as long as the one before it: from `first` up to `longest`, in one unit. */
export type Doubling = { first: number; longest: number };

/** The pause that has been doubled so many times. */
export function doublingPause({ first, longest }: Doubling, doublings: number): number {
  return Math.min(longest, first * 2 ** doublings);
}

/** A pause made shorter or longer by up to a part of it, so that what failed together is not tried again together. */
export function scatterPause(pause: number, { part, chance }: Scatter): number {
  return Math.round(pause * (1 + part * (2 * chance - 1)));
}

/** `chance` is from 0, for the shortest pause, to 1. */
type Scatter = { part: number; chance: number };
