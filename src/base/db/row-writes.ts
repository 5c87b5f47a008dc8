import { and, eq, type InferInsertModel, type InferSelectModel, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Statement, Value } from "./port.ts";
import { build, type Params, prepare } from "./statement.ts";

type Values = Record<string, Value>;
type Prepared = (values: Values) => Statement;

/** Inserts a row. Its SQL is built once for each table and set of columns that have a value. */
export function insertRow<Table extends SQLiteTable>(table: Table, row: InferInsertModel<Table>): Statement {
  const values = omitUndefined(row);
  return insertOf(table, Object.keys(values))(values);
}

/** Sets columns of the rows whose key columns have these values. Its SQL is built once for each table and set of columns. */
export function updateRow<Table extends SQLiteTable>(
  table: Table,
  key: Partial<InferSelectModel<Table>>,
  set: Partial<InferSelectModel<Table>>,
): Statement {
  const values = valuesOf(key, set);
  return updateOf(table, Object.keys(values))(values);
}

/**
 * `updateRow` of a table's rows of which a condition holds, too, given the values that the condition names, which no column of the table
 * has for a name. Its SQL is built once for each set of columns.
 */
export function updatesWhere<Named extends Values = Record<never, never>>(
  table: SQLiteTable,
  condition: (p: Params<Named>) => SQL | undefined,
  { returnsRows = false } = {},
) {
  const prepared = statementsByColumns((of, names) =>
    prepare((p: Params<Values>) => {
      const update = updateBy(p, of, names, condition(p as Params<Named>));
      return returnsRows ? update.returning() : update;
    }),
  );
  return (key: object, set: object, named?: Named): Statement => {
    const values = valuesOf(key, set);
    return prepared(table, Object.keys(values))({ ...values, ...named });
  };
}

/** A table whose rows are deleted by a mark, so that what refers to them can still be shown. */
export type LivingTable = SQLiteTable & Record<"account_seq" | "updated_at" | "deleted_at", SQLiteColumn>;

/** Sets columns of the rows whose key columns have these values and that are not deleted, and returns these rows. */
export function updateLivingRows<Table extends LivingTable>(
  table: Table,
  key: object,
  set: object,
): Statement<InferSelectModel<Table>> {
  const values = valuesOf(key, set);
  return updateOfLiving(table, Object.keys(values))(values) as Statement<InferSelectModel<Table>>;
}

/** The values that are set, and under marked names those of the key. */
function valuesOf(key: object, set: object): Values {
  const values = { ...omitUndefined(set) };
  const keys = Object.entries(omitUndefined(key));
  if (keys.length < Object.keys(key).length || keys.length === 0)
    throw new Error("An update needs a key, and a value for each of its columns");
  for (const [name, value] of keys) values[keyPrefix + name] = value;
  return values;
}

/** Marks the value that a key column has, beside the one that it is set to. */
const keyPrefix = "key.";

const insertOf = statementsByColumns((table, names) =>
  prepare((p: Params<Values>) =>
    build.insert(table).values(Object.fromEntries(names.map((name) => [name, p(name)]))),
  ),
);

const updateOf = statementsByColumns((table, names) =>
  prepare((p: Params<Values>) => updateBy(p, table, names)),
);

const updateOfLiving = statementsByColumns((table, names) =>
  prepare((p: Params<Values>) => updateBy(p, table, names, isNull(columnsOf(table).deleted_at!)).returning()),
);

function updateBy(p: Params<Values>, table: SQLiteTable, names: string[], condition?: SQL) {
  const columns = columnsOf(table);
  const keys = names.filter((name) => name.startsWith(keyPrefix));
  const set = names.filter((name) => !keys.includes(name));
  return build
    .update(table)
    .set(Object.fromEntries(set.map((name) => [name, sql`${p(name)}`])) as SQLiteUpdateSetSource<SQLiteTable>)
    .where(and(...keys.map((name) => eq(columns[name.slice(keyPrefix.length)]!, p(name))), condition));
}

function columnsOf(table: SQLiteTable): Record<string, SQLiteColumn> {
  return table as unknown as Record<string, SQLiteColumn>;
}

/** Leaves undefined columns out, so that they keep their default or their value, as in the builder. */
function omitUndefined(row: object): Values {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

/** Statements that are prepared once for each table and list of columns. */
export function statementsByColumns(define: (table: SQLiteTable, names: string[]) => Prepared) {
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
