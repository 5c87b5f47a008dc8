import { integer, text } from "drizzle-orm/sqlite-core";

/**
 * Column vocabulary. A row is what both drivers return as it stands: flags are 0 or 1, instants and
 * calendar dates are text, money is integer minor units, JSON is text. Only present.ts files convert.
 */
export function id() {
  return text().notNull();
}

declare const ofDatabase: unique symbol;

/**
 * The number of an account in one database: every row that belongs to the account names it by this. It never leaves its database, as
 * another one has numbers of its own; whatever does names the account by its id.
 */
export type AccountSeq = number & { [ofDatabase]: true };

export function accountSeq() {
  return integer().$type<AccountSeq>().notNull();
}

export function flag() {
  return integer().$type<0 | 1>().notNull();
}

/** UTC instant, `2026-11-20T12:00:00.000Z`: sorts as text. */
export function instant() {
  return text();
}
export const stamps = { created_at: text().notNull(), updated_at: text().notNull() };
