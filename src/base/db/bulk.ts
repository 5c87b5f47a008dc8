import type { Statement, Value } from "./port.ts";

/** Rows as JSON arrays of arrays, each small enough for a parameter: many rows are a few statements. */
export function rowsAsJson(columns: readonly string[], records: Iterable<Record<string, Value>>): string[] {
  const encoder = new TextEncoder();
  const parameters: string[][] = [[]];
  let size = 0;
  for (const record of records) {
    const row = JSON.stringify(columns.map((name) => record[name] ?? null));
    const bytes = encoder.encode(row).byteLength + 1;
    if (size + bytes > maxParameterBytes) {
      parameters.push([]);
      size = 0;
    }
    parameters.at(-1)?.push(row);
    size += bytes;
  }
  return parameters.map((rows) => `[${rows.join(",")}]`);
}

/** Inserts many rows of a table; the columns are those of the first. */
export function insertRows(table: string, records: Record<string, Value>[]): Statement[] {
  const [first] = records;
  if (!first) return [];
  const columns = Object.keys(first);
  const sql = `INSERT INTO ${table} ${columnsFromJson(columns)}`;
  return rowsAsJson(columns, records).map((rows) => ({ sql, params: [rows] }));
}

/** D1 takes parameters of 2 MB at most; one row more stays well below that. */
const maxParameterBytes = 1_000_000;

/** `(a, b) SELECT … FROM json_each(?)`: what follows INSERT INTO to take rows from one JSON array of arrays. */
function columnsFromJson(columns: readonly string[]): string {
  return `(${columns.join(", ")}) SELECT ${columns.map((_, index) => `value ->> ${index}`).join(", ")} FROM json_each(?)`;
}
