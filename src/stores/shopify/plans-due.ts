import { and, eq, isNull, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import type { Instant } from "../../base/lib/dates.ts";
import { sellingPlans, sellingPlanSyncs as syncs } from "../../domain/selling-plans/tables.ts";

/** Notes all plans that were created here for a store that has just been connected. */
export function insertAllPlansDue(accountSeq: AccountSeq, at: Instant): Statement {
  const ours = build
    .select({
      account_seq: sellingPlans.account_seq,
      selling_plan_id: sellingPlans.id,
      next_action_at: sql<string>`${at}`.as("next_action_at"),
      tries: sql<number>`0`.as("tries"),
      version: sql<number>`1`.as("version"),
      lease_until: sql<null>`NULL`.as("lease_until"),
      store_group_id: sql<null>`NULL`.as("store_group_id"),
    })
    .from(sellingPlans)
    .where(and(eq(sellingPlans.account_seq, accountSeq), isNull(sellingPlans.store_group_id)));
  return statement(
    build
      .insert(syncs)
      .select(ours)
      .onConflictDoUpdate({
        target: [syncs.account_seq, syncs.selling_plan_id],
        set: { next_action_at: at, tries: 0, version: sql`${syncs.version} + 1`, lease_until: null },
      }),
  );
}
