/** Units of a schedule, and how many of each make a sensible interval (docs/decisions.md#3-values). */
export const intervalUnits = ["DAY", "WEEK", "MONTH", "YEAR"] as const;
export type IntervalUnit = (typeof intervalUnits)[number];
export type Interval = { unit: IntervalUnit; count: number };

export const largestCount: Record<IntervalUnit, number> = { DAY: 365, WEEK: 52, MONTH: 24, YEAR: 3 };

/** What is wrong with an interval's count for its unit, or nothing. */
export const intervalFault = (unit: IntervalUnit, count: number): string | undefined =>
  count > largestCount[unit] ? `must be at most ${largestCount[unit]} for ${unit}` : undefined;

/** In units that convert exactly: days and weeks, or months and years. */
const exact: Record<IntervalUnit, { base: IntervalUnit; factor: number }> = {
  DAY: { base: "DAY", factor: 1 },
  WEEK: { base: "DAY", factor: 7 },
  MONTH: { base: "MONTH", factor: 1 },
  YEAR: { base: "MONTH", factor: 12 },
};

/** How many of one interval make another; undefined where it is no whole number of them. */
export const timesWithin = (long: Interval, short: Interval): number | undefined => {
  const [a, b] = [exact[long.unit], exact[short.unit]];
  const times = (long.count * a.factor) / (short.count * b.factor);
  return a.base === b.base && Number.isInteger(times) && times >= 1 ? times : undefined;
};

/** An interval divided into so many equal ones, in its own unit where that is exact; undefined where it cannot be. */
export const divideInterval = ({ unit, count }: Interval, parts: number): Interval | undefined => {
  if (count % parts === 0) return { unit, count: count / parts };
  const { base, factor } = exact[unit];
  return (count * factor) % parts === 0 ? { unit: base, count: (count * factor) / parts } : undefined;
};

/** "Every week", "Every 2 weeks" (docs/decisions.md#3-values). */
export const frequencyLabel = ({ unit, count }: Interval): string => {
  const noun = unit.toLowerCase();
  return count === 1 ? `Every ${noun}` : `Every ${count} ${noun}s`;
};
