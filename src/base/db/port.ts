import type { Engine } from "../env.ts";

/**
 * The storage port: D1, libSQL or the storage of an object, the same statements on all. There are no interactive transactions:
 * `batch` is one atomic unit, and its only callers are `commit` (writes) and `read` (several reads in one trip).
 */
export interface Db {
  /** The engine of the accounts whose rows this database has: `d1` is the deployment's database, also where that is libSQL. */
  readonly engine: Engine;
  readonly usage: Usage;
  /** The size of the database as of the last trip, in bytes; undefined where the database does not say. */
  bytes?(): number | undefined;
  batch(statements: Statement[], mode: "read" | "write"): Promise<Result[]>;
}

/** The load that one request, queue message or cron tick has put on the database. */
export type Usage = {
  db_round_trips: number;
  db_statements: number;
  rows_read: number;
  rows_written: number;
};

export type Result<R = Row> = { rows: R[] };

/**
 * SQL with its parameters; `row` exists for the type alone: what one row of the result is. `proof` makes a query that has a row once the
 * batch of this statement is committed, for when nobody knows whether it was (repeating.ts).
 */
export type Statement<R = unknown> = {
  sql: string;
  params: Value[];
  proof?: () => Statement;
  readonly row?: R;
};

export type Row = Record<string, Value>;

export type Value = string | number | null;
