import type { Row } from "../../../base/db/port.ts";
import { type ErrorDetail, invalid, maxDetails } from "../../../base/errors.ts";
import { findColumnFault, findFault } from "./columns.ts";
import { declaredColumns } from "./declared.ts";
import { requestSchemas } from "./settings.ts";

/** A table's rows, what names one of them, and what is asked of a whole row besides. */
type Imported = {
  table: string;
  rows: Row[];
  key: string[];
  findRowFault?: (row: Row) => ErrorDetail | undefined;
};

/**
 * Refuses rows that the API could not have written, naming table, row and column: an account's file is anybody's text, and what it brings
 * in is read later as if it had been checked. Throws VALIDATION_FAILED.
 */
export function requireRows({ table, rows, key, findRowFault = () => undefined }: Imported): void {
  const columns = declaredColumns(table);
  if (!columns) throw invalid([{ path: "table", message: `${table} is no table of accounts` }]);
  const faults: ErrorDetail[] = [];
  for (const row of rows) {
    const nameOf = (column: string) => [table, ...key.map((name) => String(row[name])), column].join(".");
    for (const [name, value] of Object.entries(row)) {
      const column = columns.get(name);
      const schema = requestSchemas[table]?.[name];
      const message =
        (column ? findColumnFault(table, column, value) : "is no column of the table") ??
        (schema && value !== null ? findFault(schema, value) : undefined);
      if (message !== undefined) faults.push({ path: nameOf(name), message });
    }
    const fault = findRowFault(row);
    if (fault) faults.push({ ...fault, path: nameOf(fault.path) });
    if (faults.length >= maxDetails) break;
  }
  if (faults.length > 0) throw invalid(faults);
}
