import type { Db, Result, Row, Statement, Value } from "./port.ts";
import { countTrip, emptyUsage } from "./usage.ts";

/** The time that D1 lets a batch run. A server of libSQL itself may never answer. */
const answer_ms_max = 30_000;

/**
 * A database on a server of libSQL, by its protocol over HTTP (https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_2_SPEC.md): a batch
 * is one request. Its package speaks three more protocols, and is a fortieth of the script.
 */
export function libsqlDb(url: string, authToken?: string): Db {
  const address = `${url.replace(/^libsql:/, "https:").replace(/\/$/, "")}/v2/pipeline`;
  const headers = {
    "Content-Type": "application/json",
    ...(authToken ? { Authorization: `Bearer ${authToken}` } : {}),
  };
  const send = async (request: object): Promise<Answer> => {
    const body = JSON.stringify({ baton: null, requests: [request, { type: "close" }] });
    const signal = AbortSignal.timeout(answer_ms_max);
    const response = await fetch(address, { method: "POST", headers, body, signal });
    const text = await response.text();
    if (!response.ok) throw failed(response.status, text);
    const [first] = (JSON.parse(text) as { results: Outcome[] }).results;
    if (first?.type !== "ok") throw refused(first?.error);
    return first.response;
  };
  const usage = emptyUsage();
  return {
    engine: "d1",
    usage,
    async batch(statements, mode) {
      countTrip(usage, statements);
      const [only, ...more] = statements.map(asSent);
      // One statement is atomic by itself; a batch would open a transaction for it.
      if (only && more.length === 0) {
        const { result } = await send({ type: "execute", stmt: only });
        return [toResult(result as Rows)];
      }
      const { result } = await send({ type: "batch", batch: { steps: inTransaction(statements, mode) } });
      const { step_results, step_errors } = result as Steps;
      const error = step_errors.find((each) => each !== null);
      if (error) throw refused(error);
      return statements.map((_, nth) => toResult(step_results[nth + 1] as Rows));
    },
  };
}

type Cell = { type: "null" | "integer" | "float" | "text"; value?: Value };
type Rows = { cols: { name: string }[]; rows: Cell[][] };
type Failure = { message: string; code?: string };
type Steps = { step_results: (Rows | null)[]; step_errors: (Failure | null)[] };
type Answer = { result: Rows | Steps };
type Outcome = { type: "ok"; response: Answer } | { type: "error"; error: Failure };

/** Each step runs if the one before it has succeeded; the last one undoes all where the commit has not. */
function inTransaction(statements: Statement[], mode: "read" | "write"): object[] {
  const begin = mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN TRANSACTION READONLY";
  const steps = [{ sql: begin }, ...statements.map(asSent), { sql: "COMMIT" }];
  const last = steps.length - 1;
  return [
    ...steps.map((stmt, nth) => (nth === 0 ? { stmt } : { stmt, condition: { type: "ok", step: nth - 1 } })),
    { stmt: { sql: "ROLLBACK" }, condition: { type: "not", cond: { type: "ok", step: last } } },
  ];
}

function asSent({ sql, params }: Statement): object {
  return { sql, args: params.map(toCell), want_rows: true };
}

function toCell(value: Value): Cell {
  if (value === null) return { type: "null" };
  return { type: typeof value === "number" ? "float" : "text", value };
}

function toResult({ cols, rows }: Rows): Result {
  return {
    rows: rows.map(
      (cells): Row => Object.fromEntries(cols.map(({ name }, nth) => [name, toValue(cells[nth] as Cell)])),
    ),
  };
}

function toValue({ type, value = null }: Cell): Value {
  return type === "integer" ? Number(value) : value;
}

/** Worded as the protocol's own clients do, which transient-errors.ts and commit.ts read. */
function refused({ code = "UNKNOWN", message }: Failure = { message: "no outcome" }): Error {
  return new Error(`${code}: ${message}`);
}

function failed(status: number, text: string): Error {
  return new Error(`SERVER_ERROR: Server returned HTTP status ${status}: ${text.slice(0, 1000)}`);
}
