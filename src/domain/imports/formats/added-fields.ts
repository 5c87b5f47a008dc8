import { type ImportedLine, type ImportField, isOfLine } from "../fields.ts";
import { definedText } from "./columns.ts";
import type { AddedFields } from "./members.ts";

type Named = {
  /** The column of a field. */
  mapping: { [field in ImportField]?: string };
  /** The fields that stand beside a format's own columns, under their own names. */
  added: readonly ImportField[];
};

/** Our own fields in a row of any format: those that are mapped to a column, and those that were added under their names. */
export function addedFields<Row extends Record<string, unknown>>(
  row: Row,
  { mapping, added }: Named,
): { rest: Row; fields: AddedFields } {
  const pairs = [
    ...added.map((field) => [field, field] as const),
    ...(Object.entries(mapping) as [ImportField, string][]),
  ].filter(([, column]) => Object.hasOwn(row, column));
  if (pairs.length === 0) return { rest: row, fields: {} };
  const columns = new Set<string>(pairs.map(([, column]) => column));
  return {
    rest: Object.fromEntries(Object.entries(row).filter(([name]) => !columns.has(name))) as Row,
    fields: definedText(Object.fromEntries(pairs.map(([field, column]) => [field, row[column]]))),
  };
}

/** The lines of a row with the fields that were added to it, which go before what its format says. */
export function withAdded(lines: ImportedLine[], fields: AddedFields): ImportedLine[] {
  const names = Object.keys(fields);
  if (names.length === 0) return lines;
  const ofLine = lines.length > 1 ? names.filter(isOfLine) : [];
  const faults = ofLine.map((path) => ({ path, message: "is of one line, and the row has several" }));
  return lines.map((line) => ({
    fields: { ...line.fields, ...fields },
    faults: [...line.faults, ...faults],
  }));
}
