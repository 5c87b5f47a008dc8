import { and, eq, isNull, sql } from "drizzle-orm";
import type { Statement } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import type { Instant } from "../../base/lib/dates.ts";
import { sellingPlans, sellingPlanSyncs as syncs } from "../../domain/selling-plans/tables.ts";

/** Notes all plans that were created here for a store that has just been connected. */
export function insertAllPlansDue(accountId: string, at: Instant): Statement {
  const ours = build
    .select({
      account_id: sellingPlans.account_id,
      selling_plan_id: sellingPlans.id,
      next_action_at: sql<string>`${at}`.as("next_action_at"),
      tries: sql<number>`0`.as("tries"),
      version: sql<number>`1`.as("version"),
      lease_until: sql<null>`NULL`.as("lease_until"),
      store_group_id: sql<null>`NULL`.as("store_group_id"),
    })
    .from(sellingPlans)
    .where(and(eq(sellingPlans.account_id, accountId), isNull(sellingPlans.store_group_id)));
  return statement(
    build
      .insert(syncs)
      .select(ours)
      .onConflictDoUpdate({
        target: [syncs.account_id, syncs.selling_plan_id],
        set: { next_action_at: at, tries: 0, version: sql`${syncs.version} + 1`, lease_until: null },
      }),
  );
}
