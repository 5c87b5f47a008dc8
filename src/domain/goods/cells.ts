import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { DayRange } from "../../kit/days.ts";

export const forecastDates = ["production_date", "delivery_date", "billing_date"] as const;
export type ForecastDate = (typeof forecastDates)[number];

export const groupings = ["variant", "slot", "plan", "entity_type"] as const;
export type ForecastGrouping = (typeof groupings)[number];

/** The most days that one answer, and one forecast, is about. */
export const daysMax = 62;

/** The days that are asked about, and how their goods are counted. */
export type Question = DayRange & {
  by: ForecastDate;
  groupBy: readonly ForecastGrouping[];
};

/** The names of goods, as people read them. */
export type Titles = { product_title: string | null; variant_title: string | null; sku: string | null };

/** The quantities of the goods that are to be packed, will be ordered, and may not be. */
export type Counts = { packed: number; planned: number; at_risk: number };

/** The values that the goods of a cell share; null for one that is not asked about, or where there is none. */
type CellKey = {
  date: CalendarDate;
  variant: string | null;
  slot: string | null;
  plan: string | null;
  entity_type: string | null;
};

/** The goods of one day that are alike. */
export type Cell = CellKey & Titles & Counts;

/** A place to count goods in, by what they have in common. */
export type Cells = Map<string, Cell>;

/** Counts goods: those that are alike are one cell. */
export function addCell(cells: Cells, { packed, planned, at_risk, ...cell }: Cell): void {
  const { date, variant, slot, plan, entity_type } = cell;
  const key = JSON.stringify([date, variant, slot, plan, entity_type]);
  const known = cells.get(key);
  if (!known) {
    cells.set(key, { ...cell, packed, planned, at_risk });
    return;
  }
  known.packed += packed;
  known.planned += planned;
  known.at_risk += at_risk;
  Object.assign(known, joinTitles(known, cell));
}

/** By date, then by variant, then by the rest. */
export function sortCells(cells: Cells): Cell[] {
  return [...cells.values()].sort(compareCells);
}

/** A product may have been sold under several names: the last of each by the alphabet, whatever the order they are read in. */
export function joinTitles(one: Titles, other: Titles): Titles {
  return {
    product_title: lastOf(one.product_title, other.product_title),
    variant_title: lastOf(one.variant_title, other.variant_title),
    sku: lastOf(one.sku, other.sku),
  };
}

function lastOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? other : one;
}

function compareCells(one: Cell, other: Cell): number {
  for (const name of ["date", "variant", "slot", "plan", "entity_type"] as const) {
    const [a, b] = [one[name] ?? "", other[name] ?? ""];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}
