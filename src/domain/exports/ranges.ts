import { raw } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import type { ExportResource } from "./resources.ts";

/** The keys of a part, behind `after` up to `up_to`, and how many rows lie between them at most. */
export type KeyRange = { after: string | number; up_to: string | number; rows_at_most: number };

/** A part has the rows of so many keys. */
const partSize = 50_000;

/**
 * Finds the ranges of all parts, up to a key if one is given, in one statement. Numbers and sequences have few gaps, so that a part is as
 * many of them, and each costs one look-up. Ids say nothing of how many lie between two, so that their index is read once; `LIMIT` ends
 * each part.
 */
export function selectRanges(
  { account }: Ctx,
  resource: ExportResource,
  { upTo, size = partSize }: { upTo?: string | number | undefined; size?: number } = {},
) {
  const { table, key, isNumber } = keys[resource];
  const sql = isNumber ? sqlOfNumbers(table, key, size) : sqlOfIds(table, key, size);
  return raw<KeyRange>(sql, account.seq, upTo ?? (isNumber ? Number.MAX_SAFE_INTEGER : highestId));
}

/** The ranges that were found. An account without rows has one part, whose end says that there is nothing. */
export function rangesOf(resource: ExportResource, found: KeyRange[]): KeyRange[] {
  const none = keys[resource].isNumber ? 0 : "";
  return found.length > 0 ? found : [{ after: none, up_to: none, rows_at_most: 0 }];
}

/** The key of each resource: unique in its account, indexed behind the account, and higher for later rows. */
const keys: Record<ExportResource, { table: string; key: string; isNumber: boolean }> = {
  profiles: { table: "profiles", key: "id", isNumber: false },
  subscriptions: { table: "subscriptions", key: "number", isNumber: true },
  orders: { table: "orders", key: "id", isNumber: false },
  billing_attempts: { table: "billing_attempts", key: "id", isNumber: false },
  events: { table: "activity_logs", key: "sequence", isNumber: true },
};

/** Every id is a UUID in small letters. */
const highestId = "g";

function sqlOfNumbers(table: string, key: string, size: number): string {
  const within = `account_seq = ?1 AND ${key} <= ?2`;
  return `WITH RECURSIVE
    part (first) AS (
      SELECT (SELECT MIN(${key}) FROM ${table} WHERE ${within})
      UNION ALL
      SELECT (SELECT MIN(${key}) FROM ${table} WHERE ${within} AND ${key} >= part.first + ${size})
      FROM part WHERE part.first IS NOT NULL),
    range (after, up_to) AS (
      SELECT first - 1, MIN(first + ${size} - 1, (SELECT MAX(${key}) FROM ${table} WHERE ${within}))
      FROM part WHERE first IS NOT NULL)
    SELECT after, up_to, up_to - after AS rows_at_most FROM range ORDER BY after`;
}

function sqlOfIds(table: string, key: string, size: number): string {
  const ids = (
    after: string,
  ) => `SELECT json_array(${after}, MAX(${key}), COUNT(*)) FROM (SELECT ${key} FROM ${table}
    WHERE account_seq = ?1 AND ${key} > ${after} AND ${key} <= ?2 ORDER BY ${key} LIMIT ${size})`;
  return `WITH RECURSIVE part (found) AS (
      SELECT (${ids("''")})
      UNION ALL SELECT (${ids("part.found ->> 1")}) FROM part WHERE part.found ->> 2 = ${size})
    SELECT found ->> 0 AS after, found ->> 1 AS up_to, found ->> 2 AS rows_at_most FROM part WHERE found ->> 2 > 0 ORDER BY after`;
}
