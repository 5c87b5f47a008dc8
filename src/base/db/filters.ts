import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { inJson } from "./statement.ts";

/** Stands for a value by name; filled in when the list is read. */
export type Param = (name: string) => SQLWrapper;

/**
 * The SQL of a filter, and the index that finds its rows.
 * - `narrow`: it leaves few rows in nearly every account (one customer's).
 * - `facet` and `range`: they may leave many rows.
 * - `unindexed`: no index finds its rows.
 * In the sorts of `sorts` one index serves the filter and the order. In other sorts the filter's index leads while it leaves few rows,
 * which are sorted; else the index of the sort leads, and the filter sifts.
 */
export type Filter = {
  kind: "narrow" | "facet" | "range" | "unindexed";
  where: (p: Param) => SQL;
  sorts: string[];
  /** A better source than the table, which finds exactly the rows of the filter. */
  from?: (p: Param) => SQL;
  /** The rows that `from` begins with, where these may be more than it finds: it leads if they are few, and no total is counted by it. */
  candidates?: (p: Param) => SQL;
  /** The rows that `from` begins with, as many as it finds: they are counted with one read each. */
  found?: (p: Param) => SQL;
  /** The index that finds its rows, where SQLite would not take it (list-sql.ts). */
  index?: string;
  /** It leaves as many rows as it has values, so they need not be counted. */
  isUnique?: boolean;
  /** Its index has few of the rows, so it leads before that of the split column. */
  isRare?: boolean;
  /** Conditions that make it up, each of which an index has in the order of `sorts`: their rows are merged. */
  arms?: (p: Param) => SQL[];
  /** Copies of the indexes of sorts that have its rows alone, by sort. */
  copies?: Record<string, string>;
  /** The values that the split column of the list has in its rows, where these are not all. */
  implies?: readonly string[];
  /** The end at which a range stops. */
  bounds?: "lower" | "upper";
  /** Whether every request of the list has it, as a range of days. */
  isAlways?: boolean;
  /** The number of rows that it takes to find one by it, or to compare one with it, where that is more than the row itself. */
  reads?: number;
};

export function narrow(where: Filter["where"], from?: Filter["where"]): Filter {
  return {
    kind: "narrow",
    where,
    sorts: [],
    ...(from ? { from } : {}),
  };
}

/** One value of a column. `sorts`: those whose order the column's index also has. */
export function narrowBy(column: SQLWrapper, name: string, sorts: string[] = []): Filter {
  return {
    ...narrow((p) => sql`${column} = ${p(name)}`),
    sorts,
  };
}

/** A column with one row for each value. */
export function uniqueBy(column: SQLWrapper, name: string): Filter {
  return {
    ...narrowBy(column, name),
    isUnique: true,
  };
}

/** One value of a column that has an index by creation time. */
export function facet(column: SQLWrapper, name: string, sorts = ["created_at"]): Filter {
  return facetWhere((p) => sql`${column} = ${p(name)}`, sorts);
}

/** A condition that has an index by creation time. */
export function facetWhere(where: Filter["where"], sorts = ["created_at"]): Filter {
  return {
    kind: "facet",
    where,
    sorts,
  };
}

/** A condition that few rows meet, which have an index by creation time. */
export function rareWhere(where: Filter["where"]): Filter {
  return { ...facetWhere(where), isRare: true };
}

/**
 * Some of these values of a column, which few rows have: a partial index of just these has them by creation time. Its condition names them
 * in the same words and order.
 */
export function rareIn(column: SQLWrapper, values: readonly string[], name: string): Filter {
  const any = sql.join(
    values.map((value) => sql`${column} = ${literal(value)}`),
    sql` OR `,
  );
  return {
    ...rareWhere((p) => sql`(${any}) AND ${inJson(column, p(name))}`),
    // A value that is not asked for is looked up as NULL, since SQLite would else read its rows and compare each.
    arms: (p) =>
      values.map((value) => {
        const ifAsked = sql`CASE WHEN ${inJson(literal(value), p(name))} THEN ${literal(value)} END`;
        return sql`(${any}) AND ${column} = ${ifAsked}`;
      }),
  };
}

function literal(value: string): SQL {
  return sql.raw(`'${value}'`);
}

export function facetIn(column: SQLWrapper, name: string): Filter {
  return {
    ...facet(column, name),
    where: (p) => inJson(column, p(name)),
  };
}

/** A range of the column that a sort is by, or of a column of this name that no sort is by. */
export function rangeOf(sort: string, bounds: "lower" | "upper", where: Filter["where"]): Filter {
  return {
    kind: "range",
    where,
    sorts: [sort],
    bounds,
  };
}

export function unindexedFilter(where: Filter["where"]): Filter {
  return { kind: "unindexed", where, sorts: [] };
}

/** A query for the total of a list under the filters of these names, cheaper than counting its rows; or none. */
export type Totals = (names: string[]) => ((p: Param) => SQL) | undefined;

/** Totals kept by triggers, in a table with one row for each combination of facets, its columns by filter name. */
export function countedBy(table: SQLWrapper, accountId: SQLWrapper, facets: Record<string, Filter>): Totals {
  return (names) => {
    if (!names.every((name) => name in facets)) return undefined;
    return (p) => {
      const conditions = [
        sql`${accountId} = ${p("account_seq")}`,
        ...names.map((name) => facets[name]!.where(p)),
      ];
      return sql`SELECT COALESCE(SUM(count), 0) AS total, COUNT(*) > ${mostCounters} AS is_estimate
        FROM (SELECT count FROM ${table} WHERE ${sql.join(conditions, sql` AND `)} LIMIT ${mostCounters} + 1)`;
    };
  };
}

/** Merchants name the types of their entities, so there may be many counters. */
const mostCounters = sql.raw("500");
