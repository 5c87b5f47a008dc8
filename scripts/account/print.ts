/** The answer of a subcommand as text: a table of a list on a terminal, otherwise a JSON line each. */
export function textOf(rows: object[], isTable: boolean): string {
  return isTable
    ? tableOf(rows as Record<string, unknown>[])
    : rows.map((row) => JSON.stringify(row)).join("\n");
}

function tableOf(rows: Record<string, unknown>[]): string {
  if (rows.length === 0) return "None";
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "-";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
