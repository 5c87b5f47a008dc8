import { type Query, type SQL, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { characters, searchTerm } from "../lib/text.ts";
import type { Db, Statement, Value } from "./client.ts";
import type { Param } from "./filters.ts";
import {
  type AnyListing,
  type Columns,
  type Listing,
  pageQueries,
  type Shape,
  totalQuery,
} from "./list-sql.ts";
import { indexedFrom, phrase } from "./search.ts";
import { first, type Params, prepare, read } from "./statement.ts";

export type Page<Sort extends string> = {
  page: number;
  limit: number;
  sort: Sort | "created_at";
  order: "asc" | "desc";
};

/** A page of a list. `isEstimate`: there are more rows than were looked at, so that the total is a lower bound. */
export type Listed<R> = { rows: R[]; total: number; isEstimate: boolean };

/** A row of a list that `listReader` reads. */
export type RowOfList<Reader extends (...args: never[]) => Promise<{ rows: unknown[] }>> = Awaited<
  ReturnType<Reader>
>["rows"][number];

type Scope = Record<string, Value> & { account_id: string };
type Filters = Record<string, Value | undefined>;

/**
 * Makes a list of a table readable by page: one trip, its SQL built once for each combination of filters and sort.
 * Far from the first page it is read from the nearer end, so the last page costs as little as the first. `first` reads the
 * newest row alone, and counts nothing; `newest` is the statement of so many, to be read in one trip with others.
 */
export const listReader = <Shown extends Columns, Sort extends string>(listing: Listing<Shown, Sort>) => {
  type R = SelectResultFields<Shown>;
  const statementsOf = statementsByShape<R>(listing as AnyListing);

  const readPage = async (
    db: Db,
    scope: Scope,
    filters: Filters,
    { page, limit, sort, order }: Page<Sort>,
  ): Promise<Listed<R>> => {
    const offset = (page - 1) * limit;
    const deep = offset > deepOffset;
    const { shape, values } = readingOf(listing as AnyListing, { scope, filters, sort, order, deep });
    const { pages, total } = statementsOf(shape);
    if (!deep) {
      const results = await read<object[]>(db, [
        total(values),
        ...pages.map((page) => page({ ...values, limit, offset })),
      ]);
      const [[counted] = [], ...found] = results as [Counted[], ...R[][]];
      return answerOf(found.flat(), counted, offset);
    }
    const counted = await first(db, total(values));
    if (counted?.is_estimate) {
      const found = await read<R[]>(
        db,
        pages.map((page) => page({ ...values, limit, offset })),
      );
      return answerOf(found.flat(), counted, offset);
    }
    const count = counted?.total ?? 0;
    const size = Math.min(limit, count - offset);
    if (size <= 0) return answerOf([], counted, 0);
    const fromEnd = count - offset - size;
    const forwards = fromEnd >= offset;
    const nearer = forwards ? shape : { ...shape, order: opposite(shape.order) };
    const at = forwards ? { limit, offset } : { limit: size, offset: fromEnd };
    const found = await read<R[]>(
      db,
      statementsOf(nearer).pages.map((page) => page({ ...values, ...at })),
    );
    return answerOf(forwards ? found.flat() : found.flat().reverse(), counted, offset);
  };

  const newestOf = (scope: Scope, filters: Filters, limit = 1): Statement<R> => {
    const newest = { sort: "created_at", order: "desc", deep: false } as const;
    const { shape, values } = readingOf(listing as AnyListing, { scope, filters, ...newest });
    const [page, ...more] = statementsOf(shape).pages;
    if (!page || more.length > 0) throw new Error("the newest row of several lists is not one statement");
    return page({ ...values, limit, offset: 0 });
  };

  const readFirst = (db: Db, scope: Scope, filters: Filters): Promise<R | undefined> =>
    first(db, newestOf(scope, filters));

  return Object.assign(readPage, { first: readFirst, newest: newestOf });
};

type Counted = { total: number; is_estimate?: number };
type Reading = {
  scope: Scope;
  filters: Filters;
  sort: string;
  order: "asc" | "desc";
  deep: boolean;
};

const deepOffset = 100;
const dialect = new SQLiteSyncDialect();

const named: Param = (name) => sql.placeholder(name);

function opposite(order: "asc" | "desc"): "asc" | "desc" {
  return order === "asc" ? "desc" : "asc";
}

/** A lower bound is at least what the pages up to this one show. */
function answerOf<R>(rows: R[], counted: Counted | undefined, offset: number): Listed<R> {
  const total = counted?.total ?? 0;
  if (!counted?.is_estimate) return { rows, total, isEstimate: false };
  return { rows, total: Math.max(total, rows.length > 0 ? offset + rows.length : 0), isEstimate: true };
}

/** The shape of a request's query, and the values of its statements. */
function readingOf({ split }: AnyListing, { scope, filters, sort, order, deep }: Reading) {
  const { search, ...others } = filters;
  const present = Object.entries(others).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  const values: Record<string, Value> = { ...Object.fromEntries(present), ...scope };
  const names = present.map(([name]) => name).filter((name) => name !== split?.name);
  const asked: unknown[] | undefined =
    split && values[split.name] ? JSON.parse(String(values[split.name])) : undefined;
  const shape: Shape = {
    names: names.sort(),
    search: "none",
    split: asked && chosenOf(split?.values ?? [], asked),
    ...{ sort, order, deep },
  };
  if (typeof search !== "string") return { shape, values };
  const term = searchTerm(search);
  Object.assign(values, { search: term, match: phrase(term), tenant: phrase(scope.account_id.slice(-3)) });
  return {
    shape: { ...shape, search: characters(term) >= indexedFrom ? "indexed" : "short" } as Shape,
    values,
  };
}

/** The values asked for, or undefined where they are all. */
function chosenOf(values: readonly string[], asked: unknown[]): string[] | undefined {
  const chosen = values.filter((value) => asked.includes(value));
  return chosen.length < values.length ? chosen : undefined;
}

type Prepared<R> = (values: Record<string, Value>) => Statement<R>;
type Statements<R> = { pages: Prepared<R>[]; total: Prepared<Counted> };

/** The statements of a list, whose SQL is built once for each shape. `R` is what a row of it is. */
function statementsByShape<R>(listing: AnyListing): (shape: Shape) => Statements<R> {
  const known = new Map<string, Statements<R>>();
  return (shape) => {
    const key = JSON.stringify(shape);
    const existing = known.get(key);
    if (existing) return existing;
    const statements: Statements<R> = {
      pages: pageQueries(listing, shape, named).map((query) => prepared<R>(query)),
      total: prepared<Counted>(totalQuery(listing, shape, named)),
    };
    known.set(key, statements);
    return statements;
  };
}

/** The statement of a query written as SQL. */
function prepared<R>(query: SQL): Prepared<R> {
  const rendered = { toSQL: () => dialect.sqlToQuery(query) } as { toSQL(): Query; _: { result: R[] } };
  return prepare((_: Params<Record<string, Value>>) => rendered) as Prepared<R>;
}
