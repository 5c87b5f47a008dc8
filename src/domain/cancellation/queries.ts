import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { guard } from "../../base/db/guard.ts";
import { listReader } from "../../base/db/list/listing.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, columnsEqual, type Params, prepare, raw } from "../../base/db/statement.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { type CancellationFlow, cancellationCases as cases } from "./tables.ts";

export const listCases = listReader({
  table: cases,
  columns: getTableColumns(cases),
  scope: (p) => sql`${cases.account_seq} = ${p("account_seq")}
    AND ${cases.subscription_id} = ${p("subscription_id")}`,
  tiebreaker: cases.id,
  sorts: { created_at: cases.created_at },
  filters: {},
});

/** A case of a subscription, to be read in one trip with others. */
export function selectCase({ account }: Ctx, subscription_id: string, id: string) {
  return selectById({ account_seq: account.seq, subscription_id, id });
}

/** The case of a subscription that is open, or has expired without having been closed; to be read in one trip with others. */
export function selectOpenCase({ account }: Ctx, subscription_id: string) {
  return selectOpen({ account_seq: account.seq, subscription_id });
}

/** Fails the batch where a case is not open any more. */
export function guardOpen({ account, now }: Ctx, id: string): Statement {
  const isOpen =
    "SELECT 1 FROM cancellation_cases WHERE account_seq = ? AND id = ? AND status = 'OPEN' AND expires_at > ?";
  return guard(`NOT EXISTS (${isOpen})`, [account.seq, id, now]);
}

/** The number of accepted offers that count against the flow's bound, the bound at most; to be read in one trip with others. */
export function selectAcceptedCount(ctx: Ctx, subscriptionId: string, flow: Bound): Statement<{ n: number }> {
  const { sql, params } = acceptedRecently(ctx, subscriptionId, flow);
  return raw(`SELECT COUNT(*) AS n FROM (${sql})`, ...params);
}

/** Fails the batch where as many offers as the flow allows were accepted, whoever has accepted the last one at the same time. */
export function guardCooldown(ctx: Ctx, subscriptionId: string, flow: Bound): Statement {
  const { sql, params } = acceptedRecently(ctx, subscriptionId, flow);
  return guard(`(SELECT COUNT(*) FROM (${sql})) >= ?`, [...params, flow.max_accepted]);
}

type Bound = Pick<CancellationFlow, "per" | "cooldown_days" | "max_accepted">;

/** Cases whose offer was accepted within the cooldown, by the customer or for the subscription. */
function acceptedRecently({ account, now }: Ctx, id: string, { per, cooldown_days, max_accepted }: Bound) {
  const since = new Date(Date.parse(now) - cooldown_days * dayMs).toISOString();
  const whose =
    per === "subscription"
      ? "subscription_id = ?"
      : "profile_id = (SELECT profile_id FROM subscriptions WHERE account_seq = cancellation_cases.account_seq AND id = ?)";
  return {
    sql: `SELECT 1 FROM cancellation_cases WHERE account_seq = ? AND ${whose} AND accepted_at > ? LIMIT ?`,
    params: [account.seq, id, since, max_accepted],
  };
}

type OfSubscription = { account_seq: AccountSeq; subscription_id: string };

const selectById = prepare((p: Params<OfSubscription & { id: string }>) =>
  build
    .select()
    .from(cases)
    .where(
      and(
        columnsEqual(cases, p, "account_seq", "id"),
        sql`+${cases.subscription_id} = ${p("subscription_id")}`,
      ),
    ),
);

const selectOpen = prepare((p: Params<OfSubscription>) =>
  build
    .select()
    .from(cases)
    .where(and(columnsEqual(cases, p, "account_seq", "subscription_id"), eq(cases.status, sql`'OPEN'`))),
);
