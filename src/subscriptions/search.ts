import { type SQL, sql } from "drizzle-orm";
import { searchTextOf } from "../lib/text.ts";

/** The text that `search` searches: the number, and the store's contract id once it is linked. */
export const newSearchText = (number: SQL, contractId: number | null): SQL<string> =>
  contractId === null
    ? sql<string>`CAST(${number} AS TEXT)`
    : sql<string>`CAST(${number} AS TEXT) || ${linkedSearchText(0, contractId).slice(1)}`;

export const linkedSearchText = (number: number, contractId: number): string =>
  searchTextOf([String(number), String(contractId)]);
