const dayMs = 86_400_000;

/** Days since 1970, of a calendar date. */
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

export const plusDays = (date: string, days: number): string => dateOf(dayNumber(date) + days);

export const laterOf = (one: string, other: string): string => (one < other ? other : one);

const plusMonths = (date: string, months: number): string => {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dateOf(Date.UTC(year, month - 1 + months, Math.min(day, last)) / dayMs);
};

/** Days that recur: an anchor plus whole intervals, each counted from the anchor. */
export type Grid = { anchor: string; unit: string; count: number };

/** The n-th day of a grid, computed apart from the code under test. */
export const nthDay = ({ anchor, unit, count }: Grid, n: number): string => {
  if (unit === "MONTH") return plusMonths(anchor, n * count);
  if (unit === "YEAR") return plusMonths(anchor, 12 * n * count);
  return plusDays(anchor, n * count * (unit === "WEEK" ? 7 : 1));
};

/** The first day of a grid after a date, from its n-th day on, and which it is. */
export const firstAfter = (grid: Grid, date: string, from = 0): { n: number; day: string } => {
  for (let n = from; ; n++) {
    const day = nthDay(grid, n);
    if (day > date) return { n, day };
  }
};
