/** The units of a schedule. */
export const intervalUnits = ["DAY", "WEEK", "MONTH", "YEAR"] as const;
export type IntervalUnit = (typeof intervalUnits)[number];
export type Interval = { unit: IntervalUnit; count: number };

/** The largest count of each unit in an interval. */
export const largestCount: Record<IntervalUnit, number> = { DAY: 365, WEEK: 52, MONTH: 24, YEAR: 3 };

/** The fault of a count that is too large for its unit, or undefined. */
export function intervalFault(unit: IntervalUnit, count: number): string | undefined {
  return count > largestCount[unit] ? `must be at most ${largestCount[unit]} for ${unit}` : undefined;
}

/** The number of times that the short interval fits into the long one. Undefined if that is not a whole number. */
export function timesWithin(long: Interval, short: Interval): number | undefined {
  const [a, b] = [exact[long.unit], exact[short.unit]];
  const times = (long.count * a.factor) / (short.count * b.factor);
  return a.base === b.base && Number.isInteger(times) ? times : undefined;
}

/** An interval divided into equal parts, in its own unit if that is exact. Undefined if it cannot be divided. */
export function divideInterval({ unit, count }: Interval, parts: number): Interval | undefined {
  if (count % parts === 0) return { unit, count: count / parts };
  const { base, factor } = exact[unit];
  return (count * factor) % parts === 0 ? { unit: base, count: (count * factor) / parts } : undefined;
}

/** "Every week", "Every 2 weeks". */
export function frequencyLabel({ unit, count }: Interval): string {
  const noun = unit.toLowerCase();
  // Joined, for JSON.stringify.
  return count === 1 ? `Every ${noun}` : ["Every", count, `${noun}s`].join(" ");
}

/** Each unit in the smallest unit to which it converts exactly: weeks to days, years to months. */
const exact: Record<IntervalUnit, { base: IntervalUnit; factor: number }> = {
  DAY: { base: "DAY", factor: 1 },
  WEEK: { base: "DAY", factor: 7 },
  MONTH: { base: "MONTH", factor: 1 },
  YEAR: { base: "MONTH", factor: 12 },
};
