import { characters, searchTerm } from "../../lib/text.ts";
import type { AccountSeq } from "../columns.ts";
import type { Value } from "../port.ts";
import type { AnyListing, SearchShape, Shape, WalkStart } from "./list-definition.ts";
import type { Position } from "./list-position.ts";
import { indexedFrom, phrase } from "./search.ts";

export type ListScope = Record<string, Value> & { account_seq: AccountSeq };
export type Filters = Record<string, Value | undefined>;

type Asked = {
  scope: ListScope;
  filters: Filters;
  sort: string;
  order: "asc" | "desc";
  start: WalkStart;
  deep: boolean;
  sample?: Position["sample"];
};

/** The shape of a request's query, and the values of its statements. */
export function deriveShape(
  listing: AnyListing,
  { scope, filters, sample, ...order }: Asked,
): { shape: Shape; values: Record<string, Value> } {
  const { split } = listing;
  const { search, ...others } = filters;
  const present = Object.entries(others).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  const values: Record<string, Value> = { ...Object.fromEntries(present), ...scope };
  const names = present.map(([name]) => name).filter((name) => name !== split?.name);
  const shape: Shape = {
    names: names.sort(),
    search: "none",
    ...splitValues(listing, names, split && values[split.name]),
    ...order,
  };
  // Only in the sort by the split column the SQL itself says with which of its values the walk begins.
  if (order.sort !== split?.name) shape.start = { at: order.start.at, isInclusive: order.start.isInclusive };
  if (typeof search !== "string") return { shape, values };
  const term = searchTerm(search);
  Object.assign(values, { search: term, match: phrase(term), tenant: phrase(tenantOf(scope.account_seq)) });
  for (const [name, bound] of Object.entries(sample?.bounds ?? {})) values[`sample_${name}`] = bound;
  return { shape: { ...shape, search: searchShapeOf(term, sample) }, values };
}

function searchShapeOf(term: string, sample: Position["sample"]): SearchShape {
  if (characters(term) < indexedFrom) return "short";
  if (!sample) return "indexed";
  return sample.isBeside ? "beside" : "sampled";
}

/** The columns `search_tenant` are made by this: few accounts have the same. A trigram index knows no shorter text. */
function tenantOf(account: AccountSeq): string {
  return (account & 4095).toString(16).padStart(3, "0");
}

/** The values of the split column that are asked for, and those of them that the other filters leave; undefined where they are all. */
function splitValues({ split, filters }: AnyListing, names: string[], asked: Value | undefined) {
  if (!split) return {};
  const named: unknown[] = asked ? JSON.parse(String(asked)) : split.values;
  const chosen = split.values.filter((value) => named.includes(value));
  const implied = chosen.filter((value) =>
    names.every((name) => filters[name]?.implies?.includes(value) ?? true),
  );
  return { split: lessThanAll(chosen), implied: lessThanAll(implied) };

  function lessThanAll(values: string[]): string[] | undefined {
    return values.length < (split?.values.length ?? 0) ? values : undefined;
  }
}
