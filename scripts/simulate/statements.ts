import type { DatabaseSync } from "node:sqlite";
import type { Row, Statement, Value } from "../../src/base/db/port.ts";
import { openStatement } from "../../src/host/sqlite.ts";
import { type Table, tableRegister } from "./tables.ts";

type Run = (params: Value[]) => Row[];

export type Runner = {
  run: (statement: Statement) => Row[];
  /** How many rows these statements have changed. */
  changed: () => number;
  /** Called before SQLite is to write something, so that what writes nothing begins no transaction. */
  beforeWrite: (() => void) | undefined;
  /** Forgets what was read, which may no longer be true: something was rolled back. */
  forget: () => void;
};

/**
 * Runs statements, each of which is prepared once. The rows of a read are returned again until a table that it reads has changed,
 * and a statement that would change rows of an empty table is not run: both take a tenth of a tick's time.
 */
export function statementRunner(database: DatabaseSync): Runner {
  const register = tableRegister(database);
  const runs = new Map<string, Run>();

  const runOf = (sql: string): Run => {
    const known = register.prepare(sql);
    const { statement, reads, writes, changes } = known;
    const run = openStatement(statement).all as Run;
    if (writes.length === 0) return repeating(run, reads);
    return (params) => {
      if (changes && register.isEmpty(changes)) return [];
      runner.beforeWrite?.();
      const found = run(params);
      register.noteChanges(known);
      return found;
    };
  };
  const open = (sql: string): Run =>
    limitsOf(sql).length === 0 ? runOf(sql) : runLimited(sql, limitsOf(sql), runOf);
  const runner: Runner = {
    run: ({ sql, params }) => {
      if (isDefinition(sql) || isSetting(sql)) {
        runner.beforeWrite?.();
        database.exec(sql);
        register.forget();
        return [];
      }
      let run = runs.get(sql);
      if (!run) {
        run = open(sql);
        runs.set(sql, run);
      }
      return run(params);
    },
    changed: register.changed,
    beforeWrite: undefined,
    forget: register.forget,
  };
  return runner;
}

/** A fence is made of triggers (src/edges/operator/move/fence.ts). SQLite does not count that as a change. */
function isDefinition(sql: string): boolean {
  return sql.startsWith("CREATE TRIGGER") || sql.startsWith("DROP TRIGGER");
}

/** It is set anew for each transaction. */
function isSetting(sql: string): boolean {
  return sql.startsWith("PRAGMA defer_foreign_keys");
}

/** The most answers that are kept of a statement. */
const keptMax = 200;

/**
 * Keeps the answers of a read until a table that it reads has changed. The rows are frozen, because whoever changed one would change it for the
 * next reader.
 */
function repeating(run: Run, reads: Table[]): Run {
  const kept = new Map<string, readonly Row[]>();
  let keptVersion = 0;
  return (params) => {
    let version = 0;
    for (const table of reads) version += table.version;
    if (version !== keptVersion || kept.size >= keptMax) kept.clear();
    keptVersion = version;
    const key = keyOf(params);
    const known = kept.get(key);
    if (known) return [...known];
    const rows = run(params);
    for (const row of rows) Object.freeze(row);
    kept.set(key, rows);
    return [...rows];
  };
}

/** Another text for other values: texts stand behind their lengths. */
function keyOf(params: Value[]): string {
  let key = "";
  for (const param of params) key += typeof param === "string" ? `${param.length}:${param}` : `${param},`;
  return key;
}

/**
 * A statement with its LIMIT and OFFSET written into the text. SQLite plans with a bound limit's value, so it compiles the
 * statement again each time one is bound, which takes ten times as long as running it.
 */
function runLimited(sql: string, limits: Limit[], runOf: (sql: string) => Run): Run {
  const runs = new Map<string, { run: Run; paramsLeft: (params: Value[]) => Value[] }>();
  return (params) => {
    const key = limits.map(({ nth }) => params[nth]).join();
    let known = runs.get(key);
    if (!known) {
      const text = withLiteralLimits(sql, limits, params);
      known = { run: runOf(text), paramsLeft: remaining(text, limits) };
      runs.set(key, known);
    }
    return known.run(known.paramsLeft(params));
  };
}

/** The parameters that a text still has after its limits were written into it: those with numbers keep them, the others move up. */
function remaining(text: string, limits: Limit[]): (params: Value[]) => Value[] {
  const numbers = [...text.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  if (numbers.length > 0) return (params) => params.slice(0, Math.max(...numbers));
  const isLimit = new Set(limits.map(({ nth }) => nth));
  return (params) => params.filter((_, nth) => !isLimit.has(nth));
}

/** A limit that is bound: which of the parameters it is, and where it stands in the text. */
type Limit = { nth: number; at: number; length: number };

function limitsOf(sql: string): Limit[] {
  const limits: Limit[] = [];
  let nth = 0;
  for (const { 0: found, 1: keyword, 2: number = "", index } of sql.matchAll(
    /(\bLIMIT |\bOFFSET )?\?(\d*)/gi,
  )) {
    const length = 1 + number.length;
    if (keyword)
      limits.push({ nth: number ? Number(number) - 1 : nth, at: index + found.length - length, length });
    nth++;
  }
  return limits;
}

function withLiteralLimits(sql: string, limits: Limit[], params: Value[]): string {
  return limits.reduceRight(
    (text, { nth, at, length }) => `${text.slice(0, at)}${params[nth]}${text.slice(at + length)}`,
    sql,
  );
}
