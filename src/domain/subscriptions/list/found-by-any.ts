import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { subscriptions } from "../tables.ts";

/**
 * The subscriptions of an account for which one of the conditions holds. Each condition uses an index of its own. With OR in one condition, every
 * subscription of the account would be read.
 */
export function foundByAny(accountSeq: SQLWrapper | AccountSeq, conditions: SQL[]): SQL {
  const { seq, account_seq } = subscriptions;
  const found = conditions.map(
    (condition) =>
      sql`SELECT ${seq} FROM ${subscriptions} WHERE ${account_seq} = ${accountSeq} AND ${condition}`,
  );
  return sql`+${account_seq} = ${accountSeq} AND ${seq} IN (${sql.join(found, sql` UNION `)})`;
}
