import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { profiles } from "../../domain/profiles/tables.ts";
import type { Param } from "./filters.ts";

/**
 * The number of rows that a search takes from each of its sources, the newest. Where a source has more, the answer says that
 * its total is a lower bound. Fewer are taken beside a filter that reads other records of each row.
 */
export const mostSearched = 200;

/** Shorter terms have no trigram to look up. */
export const indexedFrom = 3;

/**
 * How a list is searched: `holds` says whether a row holds the term, `sources` finds candidates by the search index. Each
 * source takes at most one row more than `most`; those of `found` are named after it and return rows of the table.
 */
export type Search = {
  holds: (p: Param) => SQL;
  sources: (p: Param, most: number) => Record<string, SQL>;
  found: string[];
};

/** A search term as an FTS5 phrase, quotes doubled: every character stands for itself. */
export function phrase(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

/** Rows of the table whose own texts hold the term. */
export function searchOwn({
  index,
  columns,
  texts,
}: {
  index: string;
  columns: string;
  texts: AnyColumn[];
}): Search {
  return {
    holds: (p) =>
      sql`(${sql.join(
        texts.map((text) => sql`instr(${text}, ${p("search")})`),
        sql` OR `,
      )})`,
    sources: (p, most) => ({ own: queryMatches({ index, columns, as: "found", most }, p) }),
    found: ["own"],
  };
}

/** A search that also finds rows of customers whose e-mail or name holds the term. */
export function searchOwnAndCustomers(
  own: Search,
  table: SQLWrapper & { seq: AnyColumn; account_seq: AnyColumn; profile_id: AnyColumn },
): Search {
  return {
    holds: (p) => sql`(${own.holds(p)} OR EXISTS (SELECT 1 FROM ${profiles}
    WHERE ${profiles.account_seq} = ${table.account_seq} AND ${profiles.id} = ${table.profile_id}
      AND instr(${profiles.search_identity}, ${p("search")})))`,
    sources: (p, most) => ({
      ...own.sources(p, most),
      customers: queryMatches(
        { index: "profile_search", columns: "search_identity", as: "customer", most },
        p,
      ),
      theirs: sql`SELECT ${table.seq} AS found FROM customers CROSS JOIN ${profiles} ON ${profiles.seq} = customer
        AND ${profiles.account_seq} = ${p("account_seq")}
      CROSS JOIN ${table} ON ${table.account_seq} = ${profiles.account_seq} AND ${table.profile_id} = ${profiles.id}
      LIMIT ${oneMoreThan(most)}`,
    }),
    found: [...own.found, "theirs"],
  };
}

/** Whether some source had more rows than a search takes. */
export function isCut(names: string[], most: number): SQL {
  return sql.join(
    names.map((name) => sql`(SELECT COUNT(*) FROM ${sql.identifier(name)}) > ${sql.raw(String(most))}`),
    sql` OR `,
  );
}

function oneMoreThan(most: number): SQL {
  return sql.raw(String(most + 1));
}

type Matches = { index: string; columns: string; as: string; most: number };

function queryMatches({ index, columns, as, most }: Matches, p: Param): SQL {
  const table = sql.identifier(index);
  return sql`SELECT rowid AS ${sql.identifier(as)} FROM ${table}
    WHERE ${table} MATCH 'search_tenant : ' || ${p("tenant")} || ${sql.raw(`' AND ${columns} : '`)} || ${p("match")}
    ORDER BY rowid DESC LIMIT ${oneMoreThan(most)}`;
}
