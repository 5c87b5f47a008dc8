import type { Row, Value } from "../../base/db/port.ts";
import { isSigned, sign } from "../../base/lib/secrets/signed.ts";
import { keyOf, type MovedTable } from "./move/row-statements.ts";

/** The form of an account's file. A later version reads every form that an earlier one has written. */
export const fileFormat = 1;

/**
 * A page of an account's file: all rows of a table after one key, up to another or the table's end, each as the values of `columns`. Every
 * table has one at least.
 */
export type AccountPage = {
  table: string;
  columns: string[];
  after: Value[] | null;
  up_to: Value[] | null;
  rows: Value[][];
};

export function pageOf(
  { name, columns, key }: Pick<MovedTable, "name" | "columns" | "key">,
  { rows, after, isLast }: { rows: Row[]; after: Value[] | null; isLast: boolean },
): AccountPage {
  return {
    table: name,
    columns,
    after,
    up_to: isLast ? null : keyOf({ key }, rows.at(-1)!),
    rows: rows.map((row) => columns.map((column) => row[column] ?? null)),
  };
}

export function rowsIn({ columns, rows }: AccountPage): Row[] {
  return rows.map((values) =>
    Object.fromEntries(columns.map((column, nth) => [column, values[nth] ?? null])),
  );
}

/**
 * The signature of a page, by the first key of STORE_CREDENTIALS_KEY. A file is anybody's text, and the rows that it brings in are read later
 * as if the API had written them: so it is taken only where the key says that a deployment has.
 */
export function signPage(keys: string, accountId: string, page: AccountPage): Promise<string> {
  return sign(keys, purpose, textOf(accountId, page));
}

/** Whether a deployment with one of the keys has written the page, of this account. */
export function isOwnPage(keys: string, accountId: string, { page, mac }: SignedPage): Promise<boolean> {
  return isSigned(keys, purpose, { text: textOf(accountId, page), signature: mac });
}

export type SignedPage = { page: AccountPage; mac: string };

const purpose = "account file";

function textOf(accountId: string, { table, columns, after, up_to, rows }: AccountPage): string {
  return JSON.stringify([fileFormat, accountId, table, columns, after, up_to, rows]);
}
