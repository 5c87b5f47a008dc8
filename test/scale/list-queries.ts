import { type Operation, operations, resolve } from "../support/document.ts";

export type Query = Record<string, string>;
export type ListQuery = {
  query: Query;
  sort: string;
  /** The filters that it has. */
  filters: string[];
};

/** Values of the filters that the document cannot name, by filter: those that leave many rows, few, or none. */
export type FilterValues = (name: string) => string[];

/** The lists that have pages and no record in their path. */
export const lists: Operation[] = operations.filter(
  ({ method, path, parameters = [] }) =>
    method === "GET" && !path.includes("{") && parameters.some(({ name }) => name === "limit"),
);

/**
 * The queries of a list: in each of its sorts everything and each filter with each value; in some sort each pair of filters with
 * some of their values, others from pair to pair.
 */
export function queriesOf(list: Operation, valuesOf: FilterValues): ListQuery[] {
  const sorts = sortsOf(list);
  const filters = filtersOf(list, valuesOf);
  const pairs = pairsOf(filters);
  const ranges = rangesOf(list);
  const singles = [[], ...filters.flat().map((filter) => [filter])];
  return ranges.flatMap((range) => [
    ...sorts.flatMap((sort) => singles.map((chosen) => queryOf(chosen, sort, range))),
    ...pairs.map((chosen, nth) => queryOf(chosen, [undefined, ...sorts][nth % (sorts.length + 1)], range)),
  ]);
}

type Sort = { sort_by: string; sort_order: string };
type Named = [name: string, value: string];

function queryOf(chosen: Named[], sort: Sort | undefined, range: Query): ListQuery {
  const admins: Query = chosen.some(([name]) => name === "actor_name") ? { actor_type: "admin" } : {};
  return {
    query: { ...range, ...sort, ...admins, ...Object.fromEntries(chosen) },
    sort: sort?.sort_by ?? "created_at",
    filters: chosen.map(([name]) => name),
  };
}

function sortsOf({ parameters = [] }: Operation): (Sort | undefined)[] {
  const schema = parameters.find(({ name }) => name === "sort_by")?.schema;
  const sorts: string[] = (schema && resolve(schema).enum) ?? [];
  const all = sorts.flatMap((sort_by) => ["asc", "desc"].map((sort_order) => ({ sort_by, sort_order })));
  return all.length > 0 ? all : [undefined];
}

const notFilters = ["page", "limit", "cursor", "sort_by", "sort_order", "start_date", "end_date"];

/** Each filter with each of its values. */
function filtersOf({ parameters = [] }: Operation, valuesOf: FilterValues): Named[][] {
  return parameters
    .filter((parameter) => parameter.in === "query" && !notFilters.includes(parameter.name))
    .map(({ name, schema }) => {
      const { enum: all } = resolve(schema);
      const values: string[] =
        all?.filter((value: string) => value !== "1" && value !== "0") ??
        (name === "status" ? statusesOf(schema) : valuesOf(name));
      return values.map((value): Named => [name, value]);
    });
}

/** Of two filters as many pairs as the one with more values has, three at most; which values meet differs from pair to pair of filters. */
function pairsOf(filters: Named[][]): Named[][] {
  const both = filters.flatMap((one, nth) => filters.slice(nth + 1).map((other) => [one, other] as const));
  return both.flatMap(([one, other], turn) =>
    Array.from({ length: Math.min(Math.max(one.length, other.length), 3) }, (_, nth) => [
      one[(nth + turn) % one.length]!,
      other[(nth + 2 * turn) % other.length]!,
    ]),
  );
}

/** A list of statuses is text for the document; its pattern names them. */
function statusesOf({ pattern = "" }: { pattern?: string }): string[] {
  const each = [...new Set(pattern.match(/[A-Z_]{4,}/g))];
  return [...each, each.slice(0, 2).join(","), each.join(",")];
}

/** The days of a feed: all, the first ones, and some before the first. */
function rangesOf({ parameters = [] }: Operation): Query[] {
  if (!parameters.some(({ name }) => name === "start_date")) return [{}];
  return [
    { start_date: "2024-01-01", end_date: "2025-12-31" },
    { start_date: "2024-01-01", end_date: "2024-01-20" },
    { start_date: "2020-01-01", end_date: "2020-12-31" },
  ];
}
