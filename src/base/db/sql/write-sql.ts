import {
  Column,
  getTableName,
  Name,
  Param,
  Placeholder,
  SQL,
  StringChunk,
  Subquery,
  Table,
} from "drizzle-orm";

/** The text of a statement, and the parameters of its question marks in their order. */
export type Written = { sql: string; params: unknown[] };

/**
 * Writes a statement of the builder as drizzle's own `toSQL` does. That asks of each piece a dozen times what it is, along the chain of its
 * prototypes: a third of the code that a new isolate ran for its first answer.
 */
export function writeSql(statement: SQL): Written {
  const params: unknown[] = [];
  return { sql: write(statement, params), params };
}

/** Writes a piece, and adds its parameters. Whatever is not the builder's is a parameter itself. */
function write(piece: unknown, params: unknown[]): string {
  if (piece instanceof StringChunk) return piece.value.join("");
  if (piece instanceof SQL) {
    let text = "";
    for (const each of piece.queryChunks) text += write(each, params);
    return text;
  }
  if (piece instanceof Column) return `${nameOf(piece.table)}.${quoted(piece.name)}`;
  if (piece instanceof Table) return nameOf(piece);
  if (piece instanceof Name) return quoted(piece.value);
  if (piece instanceof Param) return writeParam(piece, params);
  if (piece instanceof Placeholder) return mark(piece, params);
  if (piece instanceof SQL.Aliased && piece.fieldAlias !== undefined) return quoted(piece.fieldAlias);
  if (piece instanceof Subquery) return writeSubquery(piece, params);
  if (piece === undefined) return "";
  if (Array.isArray(piece)) return `(${piece.map((each) => write(each, params)).join(", ")})`;
  if (isWrapper(piece)) return `(${write(piece.getSQL(), params)})`;
  return mark(piece, params);
}

function writeParam(param: Param, params: unknown[]): string {
  const { value, encoder } = param;
  if (value instanceof Placeholder) return mark(param, params);
  const mapped = value === null ? null : encoder.mapToDriverValue(value);
  return mapped instanceof SQL ? write(mapped, params) : mark(mapped, params);
}

function writeSubquery({ _: { sql, alias, isWith } }: Subquery, params: unknown[]): string {
  return isWith ? quoted(alias) : `(${write(sql, params)}) ${quoted(alias)}`;
}

function mark(param: unknown, params: unknown[]): string {
  params.push(param);
  return "?";
}

function nameOf(table: Table): string {
  return quoted(getTableName(table));
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function isWrapper(piece: unknown): piece is { getSQL(): SQL } {
  return typeof piece === "object" && piece !== null && "getSQL" in piece;
}
