/** Values of records that are numbered through, for accounts with thousands of them. */
export const pad = (n: number, width = 2): string => String(n).padStart(width, "0");

/** One every 97 minutes, over months. */
export const instantOf = (n: number): string =>
  new Date(Date.UTC(2025, 0, 1) + n * 97 * 60_000).toISOString();

export const dayOfNumber = (n: number): string => instantOf(n).slice(0, 10);

export const pick = <T>(n: number, from: readonly T[]): T => from[n % from.length]!;
