import type { Db, Statement } from "../port.ts";
import { first, raw } from "../statement.ts";

/** So many are counted at most. */
const mostCounted = 10_000;

/** The number of the subscriptions that have not ended among those of this source, which is SQL with its condition. */
export async function countAffected(db: Db, from: string, params: Statement["params"]): Promise<number> {
  const living = "subscriptions.status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED')";
  const sql = `SELECT COUNT(*) AS affected FROM (SELECT 1 FROM ${from} AND ${living} LIMIT ${mostCounted})`;
  return (await first(db, raw<{ affected: number }>(sql, ...params)))?.affected ?? 0;
}
