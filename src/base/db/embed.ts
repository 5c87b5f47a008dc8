import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";

/**
 * A joined record as one column, a JSON array of its values: D1 takes 100 columns in a result and 32 arguments in a
 * function, and two columns of one name would hide each other. `read` makes the record again, or undefined where
 * the join found none. An `id` must be among the columns.
 */
export function embedRecord<Columns extends Record<string, AnyColumn | SQL>>(columns: Columns) {
  const names = Object.keys(columns);
  const idAt = names.indexOf("id");
  return {
    column: sql<string>`json_array(${sql.join(Object.values(columns), sql`, `)})`,
    read: (json: string): SelectResultFields<Columns> | undefined => {
      const values = JSON.parse(json) as unknown[];
      if (values[idAt] === null) return undefined;
      const record: Record<string, unknown> = {};
      for (const [index, name] of names.entries()) record[name] = values[index];
      return record as SelectResultFields<Columns>;
    },
  };
}
