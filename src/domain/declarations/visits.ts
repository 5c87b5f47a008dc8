import { commit } from "../../base/db/commit.ts";
import { raw } from "../../base/db/statement.ts";
import { credentialsKeyOf } from "../../base/env.ts";
import { sign } from "../../base/lib/secrets/signed.ts";
import { later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { mostOfAddress, windowMs } from "./limits.ts";

/**
 * Counts a visit from a net address, once however often it is counted. False where so many have come within the hour that it is one too many. The address is kept
 * as its HMAC, for an hour. A local deployment counts none.
 */
export async function countVisit(
  ctx: Ctx,
  { address, id }: { address: string; id: string },
): Promise<boolean> {
  const { db, env, account, realNow } = ctx;
  if (env.ENVIRONMENT === "local") return true;
  const hmac = await sign(credentialsKeyOf(env), `visits of ${account.id}`, address);
  const isOfHour = "account_seq = ?1 AND address_hmac = ?2 AND created_at > ?5";
  const [counted] = await commit({ db }, [
    raw<{ n: number }>(
      `INSERT INTO declaration_visits (account_seq, address_hmac, visit_id, created_at)
        SELECT ?1, ?2, ?3, ?4 WHERE (SELECT COUNT(*) FROM declaration_visits WHERE ${isOfHour}) < ?6
        ON CONFLICT DO NOTHING RETURNING 1 AS n`,
      ...[account.seq, hmac, id, realNow, later(realNow, -windowMs), mostOfAddress],
    ),
  ]);
  return counted!.rows.length === 1;
}
