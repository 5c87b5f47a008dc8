import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Database from "libsql";

/**
 * A libSQL server: Hrana 2 over HTTP with JSON, as @libsql/client speaks it, on one file. A pipeline has a connection
 * of its own and ends with its request, which is all that `batch` needs.
 */
type Value = { type: "null" | "integer" | "float" | "text"; value?: string | number };
type Statement = { sql?: string; sql_id?: number; args?: Value[] };
type Condition =
  | { type: "ok"; step: number }
  | { type: "error"; step: number }
  | { type: "not"; cond: Condition }
  | { type: "and"; conds: Condition[] }
  | { type: "or"; conds: Condition[] };
type Request = {
  type: "execute" | "batch" | "store_sql" | "close_sql" | "close";
  stmt?: Statement;
  batch?: { steps: { stmt: Statement; condition?: Condition | null }[] };
  sql_id?: number;
  sql?: string;
};
type Failure = { message: string; code: string };

const toSqlite = ({ type, value }: Value): unknown =>
  type === "null" ? null : type === "integer" ? BigInt(value!) : value;

const fromSqlite = (value: unknown): Value => {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  return typeof value === "number" ? { type: "float", value } : { type: "text", value: String(value) };
};

const failureOf = (error: unknown): Failure => {
  const { message, code = "SQLITE_UNKNOWN" } = error as Failure;
  return { message: `SQLite error: ${message}`, code };
};

const holds = (condition: Condition, done: boolean[], failed: boolean[]): boolean => {
  if (condition.type === "ok") return done[condition.step] === true;
  if (condition.type === "error") return failed[condition.step] === true;
  if (condition.type === "not") return !holds(condition.cond, done, failed);
  const each = (one: Condition) => holds(one, done, failed);
  return condition.type === "and" ? condition.conds.every(each) : condition.conds.some(each);
};

const connection = (path: string) => {
  const database = new Database(path, { timeout: 5000 });
  database.exec("PRAGMA foreign_keys = ON");
  const stored = new Map<number, string>();

  const execute = ({ sql, sql_id, args = [] }: Statement) => {
    const prepared = database.prepare(sql ?? stored.get(sql_id!) ?? "").safeIntegers(true);
    const values = args.map(toSqlite);
    if (!prepared.reader) {
      const { changes, lastInsertRowid } = prepared.run(...values);
      return { cols: [], rows: [], affected_row_count: changes, last_insert_rowid: String(lastInsertRowid) };
    }
    const rows = prepared.raw(true).all(...values) as unknown[][];
    const cols = prepared.columns().map(({ name }: { name: string }) => ({ name }));
    const { changes } = database.prepare("SELECT changes() AS changes").get() as { changes: number };
    return {
      cols,
      rows: rows.map((row) => row.map(fromSqlite)),
      affected_row_count: changes,
      last_insert_rowid: null,
    };
  };

  const batch = (steps: NonNullable<Request["batch"]>["steps"]) => {
    const results: unknown[] = steps.map(() => null);
    const errors: (Failure | null)[] = steps.map(() => null);
    for (const [index, { stmt, condition }] of steps.entries()) {
      const done = results.map((result) => result !== null);
      const failed = errors.map((error) => error !== null);
      if (condition && !holds(condition, done, failed)) continue;
      try {
        results[index] = execute(stmt);
      } catch (error) {
        errors[index] = failureOf(error);
      }
    }
    return { step_results: results, step_errors: errors };
  };

  const answer = (request: Request): object => {
    if (request.type === "execute") return { type: "execute", result: execute(request.stmt!) };
    if (request.type === "batch") return { type: "batch", result: batch(request.batch!.steps) };
    if (request.type === "store_sql") stored.set(request.sql_id!, request.sql!);
    if (request.type === "close_sql") stored.delete(request.sql_id!);
    return { type: request.type };
  };
  return { answer, close: () => database.close() };
};

const pipeline = (path: string, requests: Request[]): object => {
  const { answer, close } = connection(path);
  const results = requests.map((request) => {
    try {
      return { type: "ok", response: answer(request) };
    } catch (error) {
      return { type: "error", error: failureOf(error) };
    }
  });
  close();
  return { baton: null, base_url: null, results };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

/** Serves a database file on a free port of this machine. `pipelines` counts what was asked. */
export const hranaServer = async (path: string) => {
  const asked = { pipelines: 0 };
  const server = createServer(async (request, response) => {
    if (request.method !== "POST" || request.url !== "/v2/pipeline")
      return void response.writeHead(request.url === "/v2" ? 200 : 404).end();
    asked.pipelines++;
    const { requests } = JSON.parse(await textOf(request)) as { requests: Request[] };
    response
      .writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify(pipeline(path, requests)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};
