import { type SQLWrapper, sql } from "drizzle-orm";

/** The columns of a joined record under names of their own: two columns of one name would hide each other on D1. */
export const embedded = (prefix: string, columns: Record<string, SQLWrapper>): Record<string, SQLWrapper> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${prefix}${name}`, sql`${column}`]));

/** The joined record of a row, or undefined where there is none. */
export const unembed = <R>(row: object, prefix: string): R | undefined => {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row))
    if (name.startsWith(prefix)) record[name.slice(prefix.length)] = value;
  return record.id === null ? undefined : (record as R);
};
