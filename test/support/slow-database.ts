import { env } from "cloudflare:workers";
import type { AroundBatch } from "./watched-object.ts";

/** The work that a test does around each trip of a database, for each batch in the objects too, which have no such line. */
export function aroundBatchesOf(database: D1Database): AroundBatch | undefined {
  return watchedInObjects.get(database);
}

/**
 * The real database, reached over a line that a test controls: statements that match wait for `before`, and their
 * answer waits for `after`, each time or `once`. Nothing is made up: what runs, runs on D1.
 */
export function interrupted(matching: RegExp, { before, after, once = false }: Hooks): D1Database {
  let hits = 0;
  return watched(async (sqls, run) => {
    const isMatching = sqls.some((sql) => isMatch(sql, matching));
    if (isMatching) hits += 1;
    const hit = isMatching && !(once && hits > 1);
    if (hit) await before?.();
    const result = await run();
    if (hit) await after?.();
    return result;
  });
}

/** How a trip ends for an isolate that is ended while it waits. No database says so: it is not taken for a passing failure. */
export function isolateEnded(): Promise<never> {
  return Promise.reject(new Error("The isolate was ended"));
}

/** The real database, and what each statement on it has read and written, as D1 reports it. */
export function measured(): { DB: D1Database; reads: Read[] } {
  const reads: Read[] = [];
  const DB = watched(async (sqls, run) => {
    const results = await run();
    for (const [nth, { meta }] of results.entries())
      reads.push({ sql: sqls[nth] ?? "", rows: meta.rows_read, written: meta.rows_written });
    return results;
  });
  return { DB, reads };
}

/** A gate that holds whoever comes until it is opened; `reached` tells that somebody has come. */
export function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const pass = (): Promise<void> => {
    reach();
    return opened;
  };
  return { open, reached, pass };
}

function isMatch(sql: string, matching: RegExp): boolean {
  return matching.test(sql.replaceAll(/\s+/g, " "));
}

type Around = (sqls: string[], run: () => Promise<D1Result[]>) => Promise<D1Result[]>;

const watchedInObjects = new WeakMap<D1Database, AroundBatch>();

/** The real database, with something of the test's done around each trip to it. */
function watched(around: Around): D1Database {
  const texts = new WeakMap<D1PreparedStatement, string>();
  const wrap = (sql: string, inner: D1PreparedStatement): D1PreparedStatement => {
    const outer = {
      bind: (...values: unknown[]) => wrap(sql, inner.bind(...values)),
      run: async () => (await around([sql], async () => [await inner.run()]))[0],
      inner,
    } as unknown as D1PreparedStatement;
    texts.set(outer, sql);
    return outer;
  };
  const database = {
    prepare: (sql: string) => wrap(sql, env.DB.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      around(
        statements.map((statement) => texts.get(statement) ?? ""),
        () => env.DB.batch(statements.map((one) => (one as unknown as { inner: D1PreparedStatement }).inner)),
      ),
  } as unknown as D1Database;
  watchedInObjects.set(database, around as unknown as AroundBatch);
  return database;
}

type Hooks = { before?: () => Promise<unknown>; after?: () => Promise<unknown>; once?: boolean };

/** The rows that a statement has read and written. */
export type Read = { sql: string; rows: number; written: number };
