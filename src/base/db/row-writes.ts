import { and, eq, type InferInsertModel, type InferSelectModel, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Statement, Value } from "./port.ts";
import { build, type Params, prepare } from "./statement.ts";

type Values = Record<string, Value>;
type Prepared = (values: Values) => Statement;

/** Inserts a row. Its SQL is built once for each table and set of columns that have a value. */
export function insertRow<Table extends SQLiteTable>(table: Table, row: InferInsertModel<Table>): Statement {
  const values = present(row);
  return insertOf(table, Object.keys(values))(values);
}

/** Sets columns of the rows whose key columns have these values. Its SQL is built once for each table and set of columns. */
export function updateRow<Table extends SQLiteTable>(
  table: Table,
  key: Partial<InferSelectModel<Table>>,
  set: Partial<InferSelectModel<Table>>,
): Statement {
  const columns = present(set);
  const values = { ...columns };
  const keys = Object.entries(present(key));
  if (keys.length < Object.keys(key).length || keys.length === 0)
    throw new Error("An update needs a key, and a value for each of its columns");
  for (const [name, value] of keys) values[keyPrefix + name] = value;
  return updateOf(table, Object.keys(values))(values);
}

/** Marks the value that a key column has, beside the one that it is set to. */
const keyPrefix = "key.";

const insertOf = statementsByColumns((table, names) =>
  prepare((p: Params<Values>) =>
    build.insert(table).values(Object.fromEntries(names.map((name) => [name, p(name)]))),
  ),
);

const updateOf = statementsByColumns((table, names) => {
  const columns = table as unknown as Record<string, SQLiteColumn>;
  const keys = names.filter((name) => name.startsWith(keyPrefix));
  const set = names.filter((name) => !keys.includes(name));
  return prepare((p: Params<Values>) =>
    build
      .update(table)
      .set(
        Object.fromEntries(set.map((name) => [name, sql`${p(name)}`])) as SQLiteUpdateSetSource<SQLiteTable>,
      )
      .where(and(...keys.map((name) => eq(columns[name.slice(keyPrefix.length)]!, p(name))))),
  );
});

/** What is undefined keeps its default, or its value, as the builder has it. */
function present(row: object): Values {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

/** Statements that are prepared once for each table and list of columns. */
function statementsByColumns(define: (table: SQLiteTable, names: string[]) => Prepared) {
  const known = new Map<SQLiteTable, Map<string, Prepared>>();
  return (table: SQLiteTable, names: string[]): Prepared => {
    const ofTable = known.get(table) ?? new Map<string, Prepared>();
    known.set(table, ofTable);
    const columns = names.join();
    const prepared = ofTable.get(columns) ?? define(table, names);
    ofTable.set(columns, prepared);
    return prepared;
  };
}
