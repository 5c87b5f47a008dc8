import { and, getTableColumns, type InferSelectModel, isNull, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Statement, Value } from "./port.ts";
import { build, columnsEqual, type Params, prepare } from "./statement.ts";

type NameIn<Table extends SQLiteTable> = keyof InferSelectModel<Table> & string;
type Values = Record<string, Value>;

/** Prepares a statement for the rows of a table whose columns of these names have the values that it is given. */
export function selectBy<Table extends SQLiteTable, Name extends NameIn<Table>>(
  table: Table,
  ...names: Name[]
) {
  return prepareSelect(table, names);
}

/** Prepares `selectBy` for a table whose rows are deleted by a mark: it finds those that are not deleted. */
export function selectLivingBy<
  Table extends SQLiteTable & { deleted_at: SQLiteColumn },
  Name extends NameIn<Table>,
>(table: Table, ...names: Name[]) {
  return prepareSelect(table, names, isNull(table.deleted_at));
}

function prepareSelect<Table extends SQLiteTable, Name extends NameIn<Table>>(
  table: Table,
  names: Name[],
  condition?: SQL,
) {
  const columns: Record<string, SQLiteColumn> = getTableColumns<SQLiteTable>(table);
  const prepared: (values: Values) => Statement = prepare((p: Params<Values>) =>
    build
      .select()
      .from<SQLiteTable>(table)
      .where(and(columnsEqual(columns, p, ...names), condition)),
  );
  return (values: Pick<InferSelectModel<Table>, Name>) =>
    prepared(values as Values) as Statement<InferSelectModel<Table>>;
}
