import { type AnyColumn, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";

/**
 * A joined record as one column, a JSON array of its values: D1 takes 100 columns in a result and 32 arguments in a
 * function, and two columns of one name would hide each other. `read` makes the record again, or undefined where
 * the join found none, for which the column is null. An `id` must be among the columns.
 */
export function embedRecord<Columns extends { id: AnyColumn }>(columns: Columns) {
  const names = Object.keys(columns);
  const values = sql.join(Object.values(columns), sql`, `);
  return {
    column: sql<string | null>`iif(${columns.id} IS NULL, NULL, json_array(${values}))`,
    read: (json: string | null): SelectResultFields<Columns> | undefined => {
      if (json === null) return undefined;
      const values = JSON.parse(json) as unknown[];
      const record: Record<string, unknown> = {};
      for (const [index, name] of names.entries()) record[name] = values[index];
      return record as SelectResultFields<Columns>;
    },
  };
}
