import type { Db, Result, Row, Statement, Value } from "../../src/db/client.ts";
import { wrangler } from "../wrangler.ts";

const literal = (value: Value): string => {
  if (value === null) return "NULL";
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (Number.isFinite(value)) return String(value);
  throw new Error(`${value} is no SQL value`);
};

/** Quoted text and names, comments, and the placeholders between them. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** The statement with its values written into it: the D1 command line binds none. */
export const inlined = ({ sql, params }: Statement): string => {
  const values = params.values();
  const text = sql.replaceAll(token, (found) => {
    if (found !== "?") return found;
    const { done, value } = values.next();
    if (done) throw new Error(`Too few values for ${sql}`);
    return literal(value);
  });
  if (!values.next().done) throw new Error(`Too many values for ${sql}`);
  return text;
};

type Answer = { results: Row[] };

/** What went wrong, in wrangler's own words: on stdout as JSON, or else on stderr. */
const failure = (stdout: string, stderr: string): Error => {
  try {
    const { error } = JSON.parse(stdout) as { error: { text: string; notes?: { text: string }[] } };
    return new Error([error.text, ...(error.notes ?? []).map(({ text }) => text)].join("\n"));
  } catch {
    return new Error(stderr.trim() || stdout.trim() || "wrangler failed");
  }
};

const execute = (statements: Statement[], target: string[]): Result[] => {
  const command = statements.map(inlined).join(";\n");
  const { ok, stdout, stderr } = wrangler(["d1", "execute", "DB", ...target, "--json", "--command", command]);
  if (!ok) throw failure(stdout, stderr);
  return (JSON.parse(stdout) as Answer[]).map(({ results }) => ({ rows: results }));
};

/** The storage port on a D1 reached through `wrangler d1 execute`; one command is one transaction. */
export const commandLineDb = (target: string[]): Db => {
  const usage = { db_round_trips: 0, rows_read: 0, rows_written: 0 };
  return {
    usage,
    async batch(statements) {
      usage.db_round_trips++;
      return execute(statements, target);
    },
  };
};

/** The D1 of a deployment's environment. Needs a login or CLOUDFLARE_API_TOKEN. */
export const openRemote = (environment: string): Db => commandLineDb(["--remote", "--env", environment]);
