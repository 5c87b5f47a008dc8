/** Begins each CSV file: without it spreadsheets take UTF-8 for the system's own code page. */
export const byteOrderMark = "\ufeff";

/** One line of CSV, with its end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/**
 * A table as CSV (RFC 4180), with a byte order mark. A cell that a spreadsheet would take for a formula begins with an apostrophe, and so does one that has one
 * already, so that whoever reads it can take it off again.
 */
export function csvOf(names: readonly string[], rows: Record<string, unknown>[]): string {
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))].map(csvLine);
  return byteOrderMark + lines.join("");
}

/** A cell as it was before an export put an apostrophe in front of it. */
export function withoutApostrophe(cell: string): string {
  return /^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r']/.test(String(value)) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
