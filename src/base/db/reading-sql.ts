/**
 * Why a text is not one statement that reads; undefined if it is. EXPLAIN reads whatever it explains.
 */
export function findWriteFault(sql: string): string | undefined {
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
