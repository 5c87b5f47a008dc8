import { DatabaseSync } from "node:sqlite";
import type { Plan, Recorded } from "./plan.ts";

/** The work of the Worker with texts for a case: the first statement's only row is the text between two that stay. */
export type Text = { statements: Pick<Recorded, "sql" | "params">[]; before: string; after: string };

type Read = Extract<Plan, { kind: "read" }>;
type Json = Record<string, unknown>;
type Row = Record<string, string | number | null>;

/**
 * The recorded read with its page made to text by SQLite. A member of an answer is the column of its name that has its value, in the form
 * that JSON has for it; what no column has (what is embedded, or worked out) is the text that the first record has there.
 */
export function textOf({ statements, answer }: Read, file: string): Text {
  const [page, ...others] = statements as [Recorded, ...Recorded[]];
  const { data, ...rest } = answer as { data: Json | Json[] };
  const items = [data].flat();
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(page.sql).all(...page.params) as Row[];
  database.close();
  const members = Object.keys(items[0] ?? {}).map((name) => ({ name, value: memberSql(name, items, rows) }));
  const record = concatenated(
    members.flatMap(({ name, value }, nth) => [
      quoted(`${nth === 0 ? "{" : ","}${JSON.stringify(name)}:`),
      value,
    ]),
  );
  const sql = `SELECT group_concat(${record} || '}', ',') AS text FROM (SELECT * FROM (${page.sql}) LIMIT ${items.length})`;
  const [open, close] = Array.isArray(data) ? ["[", "]"] : ["", ""];
  const meta = JSON.stringify(rest).slice(1, -1);
  return {
    statements: [{ sql, params: page.params }, ...others.map(({ sql, params }) => ({ sql, params }))],
    before: `{"data":${open}`,
    after: `${close}${meta && ","}${meta}}`,
  };
}

function memberSql(name: string, items: Json[], rows: Row[]): string {
  const column = `"${name}"`;
  const forms: [sql: string, read: (value: Row[string]) => unknown][] = [
    [`json_quote(${column})`, (value) => value],
    [`iif(${column}, 'true', 'false')`, (value) => value === 1],
    [`json_quote(${column} / 100.0)`, (value) => Number(value) / 100],
    [`coalesce(${column}, 'null')`, (value) => (typeof value === "string" ? readJson(value) : value)],
  ];
  const isOf = (read: (value: Row[string]) => unknown) =>
    items.every((item, nth) => {
      const value = rows[nth]?.[name];
      return value !== undefined && JSON.stringify(read(value)) === JSON.stringify(item[name]);
    });
  const found = forms.find(([, read]) => isOf(read));
  return found ? found[0] : quoted(JSON.stringify(items[0]?.[name] ?? null));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** As a tree, since a database bounds how deep an expression is. */
function concatenated(parts: string[]): string {
  const [only = "''", ...more] = parts;
  if (more.length === 0) return only;
  const middle = parts.length >> 1;
  return `(${concatenated(parts.slice(0, middle))} || ${concatenated(parts.slice(middle))})`;
}
