import { isOpen } from "../../base/accounts/closed.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import { platforms } from "../../stores/platforms.ts";

/**
 * Has the contracts and plans of every account, or of one, sent to their stores again, also what is noted as sent. Raw, as the builder
 * has no words for an open account.
 */
export async function sendAllAgain(db: Db, accountId?: string): Promise<void> {
  const theirs = `account_seq IN (SELECT seq FROM accounts WHERE engine = ? AND ${isOpen} AND id = COALESCE(?, id))`;
  await commit(
    { db },
    [
      ...Object.values(platforms).flatMap(({ forgetSent }) => forgetSent ?? []),
      `contract_syncs SET ${due}`,
      `selling_plan_syncs SET ${due}`,
    ].map((change) => raw(`UPDATE ${change} WHERE ${theirs}`, db.engine, accountId ?? null)),
  );
}

const due = "next_action_at = '2000-01-01T00:00:00.000Z'";
