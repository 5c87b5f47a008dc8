const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Ids with the prefixes of Stripe's (docs.stripe.com/api). `random` is between 0 and 1. */
export function idMaker(random: () => number) {
  const text = (length: number): string =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join("");
  return { id: (prefix: string): string => `${prefix}_${text(24)}`, secret: text };
}

/** A repeatable sequence of numbers between 0 and 1 (mulberry32). */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
