import { openD1 } from "../../../src/host/d1.ts";
import { openSqlite, type Sqlite, type SqliteLimits } from "../../../src/host/sqlite.ts";

/** D1's limits of a statement (developers.cloudflare.com/d1/platform/limits), which Node's SQLite keeps from 24.14 on. */
export const limits: SqliteLimits = {
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  functionArg: 32,
  likePatternLength: 50,
  variableNumber: 100,
  attach: 0,
};

/**
 * The host's SQLite in memory with D1's limits. It begins anew with a schema, which is made once and then copied. Nobody counts rows: a
 * test that compares the numbers of some fails, and belongs to the project workers.
 */
export function openMemory() {
  let sqlite = openSqlite(":memory:", { limits });
  let empty: Uint8Array | undefined;
  const current = { all: (...of: Parameters<Sqlite["all"]>) => sqlite.all(...of) };
  const transaction: Sqlite["transaction"] = (work, mode) => sqlite.transaction(work, mode);
  const d1 = openD1({ ...current, transaction } as Sqlite, Number.NaN);
  // Tests watch what the prototype prepares (test/support/setup.ts).
  return Object.assign(Object.create(d1) as D1Database, {
    begin(schema: string[]): void {
      sqlite.close();
      sqlite = openSqlite(":memory:", { limits });
      if (empty) sqlite.database.deserialize(empty);
      else for (const sql of schema) sqlite.all(sql);
      empty ??= sqlite.database.serialize();
    },
  });
}
