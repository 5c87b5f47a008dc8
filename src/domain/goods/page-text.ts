import { toDate, toDay } from "../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../base/lib/time/dates.ts";
import {
  addCell,
  type Cells,
  type Counts,
  type ForecastDate,
  joinTitles,
  type Question,
  type Titles,
} from "./cells.ts";

/** Goods that are alike in everything that may be asked about, all three dates among them. */
export type DatedGoods = Record<ForecastDate, CalendarDate | null> &
  Titles &
  Counts & { variant: string; slot: string | null; plan: string | null; entity_type: string | null };

/** Groups of goods are numbered, so that a cell is a few numbers: days are counted from the first. */
type PageText = {
  goods: [variant: string, product_title: string | null, variant_title: string | null, sku: string | null][];
  groups: [slot: string | null, plan: string | null, entity_type: string | null][];
  cells: (number | null)[][];
};

/** The goods of a page as text, those that are alike counted together. */
export function writePage(all: Iterable<DatedGoods>, from: CalendarDate): string {
  const goods = numbered<string, Titles>(joinTitles);
  const groups = numbered<string, undefined>(() => undefined);
  const cells = new Map<string, { key: (number | null)[]; counts: number[] }>();
  const first = toDay(from);
  const offset = (date: CalendarDate | null) => (date === null ? null : toDay(date) - first);
  for (const { variant, slot, plan, entity_type, packed, planned, at_risk, ...rest } of all) {
    const { product_title, variant_title, sku } = rest;
    const key = [
      offset(rest.billing_date),
      offset(rest.production_date),
      offset(rest.delivery_date),
      goods.numberOf(variant, { product_title, variant_title, sku }),
      groups.numberOf(JSON.stringify([slot, plan, entity_type]), undefined),
    ];
    const known = cells.get(key.join())?.counts ?? [0, 0, 0];
    const counts = [known[0]! + packed, known[1]! + planned, known[2]! + at_risk];
    cells.set(key.join(), { key, counts });
  }
  const page: PageText = {
    goods: goods
      .all()
      .map(([variant, titles]) => [variant, titles.product_title, titles.variant_title, titles.sku]),
    groups: groups.all().map(([group]) => JSON.parse(group)),
    cells: [...cells.values()].map(({ key, counts }) => [...key, ...counts]),
  };
  return JSON.stringify(page);
}

/** Counts the goods of a page that are asked about. */
export function addPage(cells: Cells, text: string, first: CalendarDate, asked: Question): void {
  const page: PageText = JSON.parse(text);
  const [firstDay, from, to] = [toDay(first), toDay(asked.from), toDay(asked.to)];
  const nth = places.indexOf(asked.by);
  const has = (name: Question["groupBy"][number]) => asked.groupBy.includes(name);
  for (const cell of page.cells) {
    const offset = cell[nth];
    const day = firstDay + (offset ?? 0);
    if (offset === null || day < from || day > to) continue;
    const [variant, product_title, variant_title, sku] = page.goods[cell[3]!]!;
    const [slot, plan, entity_type] = page.groups[cell[4]!]!;
    const titles = has("variant") ? { product_title, variant_title, sku } : untitled;
    addCell(cells, {
      date: toDate(day),
      variant: has("variant") ? variant : null,
      slot: has("slot") ? slot : null,
      plan: has("plan") ? plan : null,
      entity_type: has("entity_type") ? entity_type : null,
      ...titles,
      ...{ packed: cell[5]!, planned: cell[6]!, at_risk: cell[7]! },
    });
  }
}

const untitled: Titles = { product_title: null, variant_title: null, sku: null };

/** The rows of a cell in which the dates stand. */
const places: ForecastDate[] = ["billing_date", "production_date", "delivery_date"];

/** Values in the order in which they came, each known by its number. `join` is told what is said of one that came again. */
function numbered<Key, About>(join: (one: About, other: About) => About) {
  const values = new Map<Key, { number: number; about: About }>();
  return {
    numberOf(key: Key, about: About): number {
      const known = values.get(key);
      const number = known?.number ?? values.size;
      values.set(key, { number, about: known ? join(known.about, about) : about });
      return number;
    },
    all: (): [Key, About][] => [...values].map(([key, { about }]) => [key, about]),
  };
}
