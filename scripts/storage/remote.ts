import type { Db, Result, Row, Statement, Value } from "../../src/base/db/port.ts";
import { countTrip, emptyUsage } from "../../src/base/db/usage.ts";
import { wrangler } from "../wrangler.ts";

/** The D1 of a deployment's environment. Needs a login or CLOUDFLARE_API_TOKEN. */
export function openRemote(environment: string, run = wrangler): Db {
  return commandLineDb(["--remote", "--env", environment], run);
}

/** The statement with its values written into it, each once or by its number: the D1 command line binds none. */
export function inlineValues({ sql, params }: Statement): string {
  const used = new Set<number>();
  const text = sql.replaceAll(token, (found) => {
    if (!found.startsWith("?")) return found;
    const nth = found === "?" ? used.size : Number(found.slice(1)) - 1;
    const value = params[nth];
    if (value === undefined) throw new Error(`Too few values for ${sql}`);
    used.add(nth);
    return literal(value);
  });
  if (used.size < params.length) throw new Error(`Too many values for ${sql}`);
  return text;
}

/** The storage port on a D1 reached through `wrangler d1 execute`; one command is one transaction. */
function commandLineDb(target: string[], run: typeof wrangler): Db {
  const usage = emptyUsage();
  return {
    engine: "d1",
    usage,
    async batch(statements) {
      countTrip(usage, statements);
      return execute(statements, target, run);
    },
  };
}

type Answer = { results: Row[] };

function execute(statements: Statement[], target: string[], run: typeof wrangler): Result[] {
  const command = statements.map(inlineValues).join(";\n");
  const { ok, stdout, stderr } = run(["d1", "execute", "DB", ...target, "--json", "--command", command]);
  if (!ok) throw failure(stdout, stderr);
  return (JSON.parse(stdout) as Answer[]).map(({ results }) => ({ rows: results }));
}

/** Quoted text and names, comments, and the placeholders between them. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\?\d*/g;

function literal(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (Number.isFinite(value)) return String(value);
  throw new Error(`${value} is no SQL value`);
}

/** The error that wrangler reports: as JSON on stdout, or else on stderr. */
function failure(stdout: string, stderr: string): Error {
  try {
    const { error } = JSON.parse(stdout) as { error: { text: string; notes?: { text: string }[] } };
    return new Error([error.text, ...(error.notes ?? []).map(({ text }) => text)].join("\n"));
  } catch {
    return new Error(stderr.trim() || stdout.trim() || "wrangler failed");
  }
}
