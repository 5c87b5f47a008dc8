/** Values of records that are numbered through, for accounts with thousands of them. */
export function pad(n: number, width = 2): string {
  return String(n).padStart(width, "0");
}

/** One every 97 minutes, over months. */
export function instantOf(n: number): string {
  return new Date(Date.UTC(2025, 0, 1) + n * 97 * 60_000).toISOString();
}

export function dayOfNumber(n: number): string {
  return instantOf(n).slice(0, 10);
}

export function pick<T>(n: number, from: readonly T[]): T {
  return from[n % from.length]!;
}
