import type { Executed } from "../../base/db/execute.ts";
import type { Result, Row, Statement } from "../../base/db/port.ts";
import type { ObjectStorage } from "../../base/env.ts";

/**
 * Runs statements that somebody else has written and that may only read. They run in a transaction that is always rolled back, so that
 * nothing remains of them whatever they are; one that is no read is refused.
 */
export function readOnly(storage: ObjectStorage["storage"], statements: Statement[]): Executed {
  const [fault] = statements.flatMap(({ sql }, nth) => describeFault(nth, findWriteFault(sql)));
  if (fault !== undefined) return { failure: fault };
  const rollback = new RollbackError();
  try {
    storage.transactionSync(() => {
      rollback.executed = { results: statements.map((statement, nth) => run(storage, statement, nth)) };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) return { failure: error instanceof Error ? error.message : String(error) };
  }
  return rollback.executed;
}

/** Ends the transaction, and holds what it has read. */
class RollbackError extends Error {
  executed: Executed = { results: [] };
}

function run({ sql }: ObjectStorage["storage"], { sql: text, params }: Statement, nth: number): Result {
  const cursor = sql.exec<Row>(text, ...params);
  const rows = cursor.toArray();
  if (cursor.rowsWritten > 0) throw new Error(describeFault(nth, "would write")[0]);
  return { rows };
}

function describeFault(nth: number, fault: string | undefined): string[] {
  return fault === undefined ? [] : [`Statement ${nth + 1} ${fault}: mode "read" takes reads alone`];
}

/**
 * Why a text is not one statement that reads; undefined if it is. EXPLAIN reads whatever it explains.
 */
function findWriteFault(sql: string): string | undefined {
  const bare = sql.replaceAll(unread, (_, text?: string) => (text === undefined ? " " : "''")).trim();
  const [statement = "", ...more] = bare.replace(/;$/, "").split(";");
  if (more.length > 0) return "is several statements";
  if (schemaPragma.test(statement)) return undefined;
  const [, verb = ""] = reads.exec(statement) ?? [];
  if (verb === "") return "is not a SELECT, VALUES, WITH, EXPLAIN or PRAGMA of the schema";
  return verb.toLowerCase() === "with" && writesInWith.test(statement) ? "writes" : undefined;
}

/** Texts and names in quotes, and comments: https://www.sqlite.org/lang_expr.html, https://www.sqlite.org/lang_comment.html */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/;
const comment = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/;
const unread = new RegExp(`(${quoted.source})|${comment.source}`, "g");

const reads = /^(select|values|with|explain)\b/i;
/** The pragmas that tell of the schema. All others set something, at least with an argument. */
const schemaPragma = /^pragma\s+(table_x?info|table_list|index_x?info|index_list|foreign_key_list)\s*(\(|$)/i;
/** The words that make a WITH write. None of them is a name in a SELECT unless it is quoted. */
const writesInWith = /\b(insert|update|delete)\b|\breplace\s+into\b/i;
