import { commit } from "../../base/db/commit.ts";
import { first, raw } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";

/**
 * Makes mails due that wait for the account's time, which a test clock has moved. A mail that its provider has not taken waits for that, in
 * real time; one whose sender died waits for nobody. The builder names no index.
 */
export async function endWaits({ db, account, realNow }: Ctx, endpointId: string): Promise<void> {
  await commit({ db }, [
    raw(
      `UPDATE event_deliveries INDEXED BY event_deliveries_due SET next_attempt_at = ?3
        WHERE endpoint_id = ?2 AND status = 'PENDING' AND (lease_until IS NOT NULL) = 0 AND next_attempt_at > ?3
          AND account_seq = ?1 AND (attempt_count = 0 OR last_error IS NULL)`,
      ...[account.seq, endpointId, realNow],
    ),
  ]);
}

/** The number of an account's mails that can be sent now. The builder names no index. */
export async function countDueMails({ db, account, realNow }: Ctx, endpointId: string): Promise<number> {
  const found = await first<{ due: number }>(
    db,
    raw(
      `SELECT COUNT(*) AS due FROM event_deliveries INDEXED BY event_deliveries_due
        WHERE endpoint_id = ?2 AND status = 'PENDING' AND (lease_until IS NOT NULL) IN (0, 1) AND next_attempt_at <= ?3
          AND account_seq = ?1`,
      ...[account.seq, endpointId, realNow],
    ),
  );
  return found?.due ?? 0;
}
