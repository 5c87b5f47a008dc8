import { mayBeWritten } from "../../../base/db/at-rest.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { raw } from "../../../base/db/statement.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";

/**
 * Deletes consents that are three years old and whose subscription ended a year ago, a limited number at each tick. The others are looked at again in
 * a month. The builder has no limit in an UPDATE.
 */
export async function pruneConsents(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  const due = `prune_at < ?1 AND ${mayBeWritten("account_seq")}`;
  const hasEnded = `EXISTS (SELECT 1 FROM subscriptions AS its WHERE its.account_seq = consents.account_seq
    AND its.id = consents.subscription_id AND its.status IN ('CANCELLED', 'EXPIRED') AND COALESCE(its.cancelled_at, its.updated_at) < ?2)`;
  await commit({ db }, [
    raw(
      `DELETE FROM consents WHERE rowid IN (SELECT rowid FROM consents WHERE ${due} AND ${hasEnded} LIMIT ${size})`,
      ...[at, later(at, -366 * dayMs)],
    ),
    raw(
      `UPDATE consents SET prune_at = ?2 WHERE rowid IN (SELECT rowid FROM consents WHERE ${due} LIMIT ${size})`,
      ...[at, later(at, 30 * dayMs)],
    ),
  ]);
}

const size = 1000;
