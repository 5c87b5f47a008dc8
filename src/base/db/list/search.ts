import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { profiles } from "../../../domain/profiles/tables.ts";
import type { Param } from "../filters.ts";

/**
 * The number of rows that a search takes from each of its sources, the newest. Where a source has more, its rows behind these are looked
 * through in the order of the list. Fewer are taken beside a filter that reads other records of each row.
 */
export const mostSearched = 150;

/** Shorter terms have no trigram to look up. */
export const indexedFrom = 3;

/**
 * The rows that a search takes from its sources at once: a table's own rows from a row id on, and those of the customers behind one; all of
 * them where it is 0. What is stored after `newest` does not belong to the walk.
 */
export type Sample = { own: number; customers: number; newest: number };

/**
 * The search of a list: `holds` says whether a row holds the term, `sources` finds candidates by the search index, those of `found` as rows
 * of the table. Each source takes at most one row more than `most`, and fewer where a sample bounds it.
 */
export type Search = {
  holds: (p: Param) => SQL;
  /** Whether a row holds the term and is not in the sample. */
  holdsBeside: (p: Param) => SQL;
  sources: (p: Param, most: number, isBounded: boolean) => Record<string, SQL>;
  found: string[];
  /** The columns of the sample that the sources have found. */
  sample: (most: number) => Record<keyof Sample, SQL>;
};

/** A sample's bound in SQL. D1 binds numbers as REAL, and a search index seeks whole numbers alone. */
export function boundOf(p: Param, name: keyof Sample): SQL {
  return sql`CAST(${p(`sample_${name}`)} AS INTEGER)`;
}

/** A search term as an FTS5 phrase, quotes doubled: every character stands for itself. */
export function phrase(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

type Searched = SQLWrapper & { seq: AnyColumn };

/** Rows of the table whose own texts hold the term. */
export function searchOwn({
  table,
  index,
  columns,
  texts,
}: {
  table: Searched;
  index: string;
  columns: string;
  texts: AnyColumn[];
}): Search {
  const holds = (p: Param) =>
    sql`(${sql.join(
      texts.map((text) => sql`instr(${text}, ${p("search")})`),
      sql` OR `,
    )})`;
  return {
    holds,
    holdsBeside: (p) => sql`(${holds(p)} AND ${table.seq} < ${boundOf(p, "own")})`,
    sources: (p, most, isBounded) => ({
      own: queryMatches(
        {
          ...{ index, columns, as: "found", most },
          within: isBounded ? sql`rowid BETWEEN ${boundOf(p, "own")} AND ${boundOf(p, "newest")}` : undefined,
        },
        p,
      ),
    }),
    found: ["own"],
    sample: (most) => ({
      own: sql`(SELECT CASE WHEN COUNT(*) > ${literal(most)} THEN MIN(found) + 1 ELSE 0 END FROM own)`,
      customers: sql`0`,
      newest: sql`(SELECT COALESCE(MAX(${table.seq}), 0) FROM ${table})`,
    }),
  };
}

/** A search that also finds rows of customers whose e-mail or name holds the term. */
export function searchOwnAndCustomers(
  own: Search,
  table: Searched & { account_seq: AnyColumn; profile_id: AnyColumn },
): Search {
  const ofCustomer = sql`${profiles.account_seq} = ${table.account_seq} AND ${profiles.id} = ${table.profile_id}`;
  const customer = (p: Param) => sql`COALESCE((SELECT ${profiles.seq} FROM ${profiles}
    WHERE ${ofCustomer} AND instr(${profiles.search_identity}, ${p("search")})), 0)`;
  return {
    holds: (p) => sql`(${own.holds(p)} OR ${customer(p)} > 0)`,
    holdsBeside: (p) => sql`CASE WHEN ${own.holds(p)}
      THEN ${table.seq} < ${boundOf(p, "own")} AND ${customer(p)} <= ${boundOf(p, "customers")}
      ELSE ${customer(p)} BETWEEN 1 AND ${boundOf(p, "customers")} END`,
    sources: (p, most, isBounded) => ({
      ...own.sources(p, most, isBounded),
      customers: queryMatches(
        {
          ...{ index: "profile_search", columns: "search_identity", as: "customer", most },
          within: isBounded ? sql`rowid > ${boundOf(p, "customers")}` : undefined,
        },
        p,
      ),
      theirs: sql`SELECT customer, ${table.seq} AS found FROM customers CROSS JOIN ${profiles}
        ON ${profiles.seq} = customer AND ${profiles.account_seq} = ${p("account_seq")}
      CROSS JOIN ${table} ON ${table.account_seq} = ${profiles.account_seq} AND ${table.profile_id} = ${profiles.id}
      ${isBounded ? sql`WHERE ${table.seq} <= ${boundOf(p, "newest")}` : sql``} LIMIT ${literal(most + 1)}`,
    }),
    found: [...own.found, "theirs"],
    sample: (most) => ({
      ...own.sample(most),
      // The records of the last customer may not all be there.
      customers: sql`(SELECT CASE WHEN COUNT(*) > ${literal(most)} THEN MIN(customer)
        ELSE (SELECT CASE WHEN COUNT(*) > ${literal(most)} THEN MIN(customer) ELSE 0 END FROM customers) END FROM theirs)`,
    }),
  };
}

function literal(count: number): SQL {
  return sql.raw(String(count));
}

type Matches = { index: string; columns: string; as: string; most: number; within: SQL | undefined };

/** The newest matches; of a sample, whose rows are known, all. */
function queryMatches({ index, columns, as, most, within }: Matches, p: Param): SQL {
  const table = sql.identifier(index);
  return sql`SELECT rowid AS ${sql.identifier(as)} FROM ${table}
    WHERE ${table} MATCH 'search_tenant : ' || ${p("tenant")} || ${sql.raw(`' AND ${columns} : '`)} || ${p("match")}
    ${within ? sql`AND ${within} ORDER BY rowid` : sql`ORDER BY rowid DESC`} LIMIT ${literal(most + 1)}`;
}
