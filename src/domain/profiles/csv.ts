import { type ErrorDetail, invalid } from "../../base/errors.ts";
import { readCells } from "../../kit/csv/read-cells.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";

/**
 * The rows of a CSV file (RFC 4180) as objects with the names of its header. An empty cell is an absent field. The file is read
 * up to its first fault: a header with unknown fields, too many rows, or a row that is too wide or too long.
 * Throws VALIDATION_FAILED.
 */
export async function parseCsv(
  bytes: Uint8Array,
  fields: readonly string[],
  maxRows: number,
): Promise<Record<string, string | undefined>[]> {
  const rows: Record<string, string | undefined>[] = [];
  let names: string[] | undefined;
  for await (const cells of readCells(bytes, { width: fields.length, rowsName: "profiles" })) {
    if (!names) names = namesIn(cells, fields);
    else if (rows.length === maxRows) throw tooMany(maxRows);
    else rows.push(rowOf(names, cells));
  }
  if (!names) throw invalid([{ path: "", message: "has no header" }]);
  return rows;
}

/** The names in a header. Each must be a field and appear once. */
function namesIn(cells: string[], fields: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim());
  const faults = names.flatMap((name, nth): ErrorDetail[] => {
    if (!fields.includes(name))
      return [
        {
          path: name,
          message: withSuggestion(
            "is not a field of a profile",
            fields.filter((field) => !names.includes(field)),
            name,
          ),
        },
      ];
    return names.indexOf(name) === nth ? [] : [{ path: name, message: "is a column more than once" }];
  });
  if (faults.length > 0) throw invalid(faults);
  return names;
}

function rowOf(names: string[], cells: string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name, nth) => [name, cells[nth] || undefined]));
}

function tooMany(maxRows: number) {
  return invalid([{ path: "profiles", message: `must have at most ${maxRows} rows` }]);
}
