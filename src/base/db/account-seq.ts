import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AccountSeq } from "./columns.ts";

/*
 * An account's number is that of one database. Whoever is on the way to an account, or works with two databases, knows its id: the
 * statement itself finds the number.
 */

/** The number of the account that has an id. */
export function selectSeq(id: SQLWrapper | string): SQL<AccountSeq> {
  return sql<AccountSeq>`(SELECT seq FROM accounts WHERE id = ${id})`;
}

/** The number of the account that has an id, in raw SQL, whose parameter is the id. */
export const seqOfId = "(SELECT seq FROM accounts WHERE id = ?)";

/** The id of the account that has a number. */
export function selectId(seq: SQLWrapper): SQL<string> {
  return sql<string>`(SELECT id FROM accounts WHERE seq = ${seq})`;
}

/** The id of the account that has the number in a column, in raw SQL, named account_id: for what leaves the database, such as messages. */
export function idOfSeq(column: string): string {
  return `(SELECT id FROM accounts WHERE seq = ${column}) AS account_id`;
}
