import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import type { Param } from "../filters.ts";
import type { Statement, Value } from "../port.ts";
import { inJson } from "../statement.ts";
import { type AnyListing, and, keyOf, scopeOf, unindexed } from "./list-definition.ts";
import { shownColumns } from "./list-joined.ts";
import type { Filters, ListScope } from "./list-shape.ts";
import { named, type Prepared, prepareQuery } from "./list-statements.ts";

/** A range of a list's rows by a key that is unique in it: those behind `after`, up to `upTo`, at most `size` of them. */
export type Range = { after: string | number; upTo: string | number; size: number };

/**
 * The statements that read rows in the ascending order of a key, whatever their number: each looks the range's first row up in the key's
 * index, and at no row twice. The filters of the list only sift, so that no other index leads.
 */
export function rangeReader<R>(listing: AnyListing, key: AnyColumn) {
  const known = new Map<string, Prepared<R>>();
  return (scope: ListScope, filters: Filters, { after, upTo, size }: Range): Statement<R> => {
    const present = Object.entries(filters).filter(
      (entry): entry is [string, Value] => entry[1] !== undefined,
    );
    const names = present.map(([name]) => name).sort();
    const statement = known.get(names.join()) ?? prepareQuery<R>(rangeQuery(listing, key, names, named));
    known.set(names.join(), statement);
    return statement({ ...Object.fromEntries(present), ...scope, after, up_to: upTo, size });
  };
}

function rangeQuery(listing: AnyListing, key: AnyColumn, names: string[], p: Param): SQL {
  const { table, joins } = listing;
  const where = and([
    scopeOf(listing, p),
    sql`${key} > ${p("after")}`,
    sql`${key} <= ${p("up_to")}`,
    ...names.map((name) => unindexed(sql`(${conditionOf(listing, name, p)})`)),
  ]);
  const inRange = sql`FROM ${table} WHERE ${where} ORDER BY ${key} LIMIT ${p("size")}`;
  if (!joins) return sql`SELECT ${shownColumns(listing)} ${inRange}`;
  return sql`SELECT ${shownColumns(listing)} FROM (SELECT ${keyOf(listing)} AS in_range ${inRange})
    CROSS JOIN ${table} ON ${keyOf(listing)} = in_range ${joins} ORDER BY ${unindexed(sql`${key}`)}`;
}

function conditionOf({ filters, split }: AnyListing, name: string, p: Param): SQL {
  return name === split?.name ? inJson(split.column, p(name)) : filters[name]!.where(p);
}
