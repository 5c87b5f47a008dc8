import { desc, eq } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { selectBy } from "../../base/db/row-reads.ts";
import { build, first, type Params, prepare, raw } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { type CancellationFlow, cancellationFlows as flows } from "./tables.ts";

export function findFlow(ctx: Ctx): Promise<CancellationFlow | undefined> {
  return first(ctx.db, selectNewestFlow(ctx));
}

/** The flow that counts, to be read in one trip with others. */
export function selectNewestFlow({ account }: Ctx): Statement<CancellationFlow> {
  return selectNewest({ account_seq: account.seq });
}

/** The flow of a version, to be read in one trip with others. */
export function selectFlowOfVersion({ account }: Ctx, version: number): Statement<CancellationFlow> {
  return selectByVersion({ account_seq: account.seq, version });
}

/** A subscription that was cancelled: its reason, the cycles that were billed, and JSON: [plan, variant] of its recurring lines. */
type Cancelled = { reason_id: string | null; cycle: number; deliveries: number; lines: string };

/**
 * The latest subscriptions that were cancelled since an instant and are so still. Of their lines, which are most of a row, only what decides on
 * offers is read.
 */
export function selectCancelledSince({ account }: Ctx, since: string, limit: number): Statement<Cancelled> {
  return raw(
    `SELECT cancellation_reason_id AS reason_id, current_billing_cycle AS cycle, deliveries_per_billing AS deliveries, (
        SELECT json_group_array(json_array(value ->> '$.selling_plan_id', value ->> '$.store_variant_id'))
          FROM json_each(subscriptions.lines) WHERE NOT COALESCE(value ->> '$.is_one_time', 0)
      ) AS lines
      FROM subscriptions WHERE account_seq = ? AND cancelled_at >= ? ORDER BY cancelled_at DESC LIMIT ?`,
    ...[account.seq, since, limit],
  );
}

const selectNewest = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .select()
    .from(flows)
    .where(eq(flows.account_seq, p("account_seq")))
    .orderBy(desc(flows.version))
    .limit(1),
);

const selectByVersion = selectBy(flows, "account_seq", "version");
