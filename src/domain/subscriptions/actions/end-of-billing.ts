import { and, inArray, sql } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Statement } from "../../../base/db/port.ts";
import { updateRow, updatesWhere } from "../../../base/db/row-writes.ts";
import { build, columnsEqual, type Params, prepare } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { billingAttempts as attempts } from "../../billing/tables.ts";
import { dunningEpisodes as episodes } from "../../dunning/tables.ts";
import { type Subscription, subscriptions } from "../tables.ts";

/**
 * The writes that stop billing when a subscription ends: the open attempt is withdrawn,
 * and dunning is closed.
 */
export function endOfBillingStatements(ctx: Ctx, row: Subscription): Statement[] {
  return [
    ...openWithdrawalStatements(ctx, row),
    closeEpisode(
      { account_seq: ctx.account.seq, subscription_id: row.id },
      { status: "CLOSED", closed_at: ctx.now, due_at: null },
    ),
  ];
}

/** Withdraws the attempt in progress, if it has not been sent. */
export function openWithdrawalStatements(ctx: Ctx, row: Subscription): Statement[] {
  return row.open_attempt_id === null ? [] : withdrawalStatements(ctx, row, row.open_attempt_id);
}

/** Withdraws an attempt that has not been sent to the store. One that was sent is recorded when its answer comes. */
export function withdrawalStatements(ctx: Ctx, row: Subscription, attemptId: string): Statement[] {
  return [
    updateRow(
      attempts,
      { account_seq: ctx.account.seq, id: attemptId, status: "QUEUED" },
      {
        status: "CANCELLED",
        is_refused: 1,
        settled_at: ctx.now,
        updated_at: ctx.now,
        next_action_at: null,
      },
    ),
    updateReleased({ account_seq: ctx.account.seq, id: row.id, attempt_id: attemptId }),
  ];
}

const closeEpisode = updatesWhere(episodes, () => inArray(episodes.status, ["OPEN", "AWAITING_CUSTOMER"]));

const updateReleased = prepare((p: Params<{ account_seq: AccountSeq; id: string; attempt_id: string }>) =>
  build
    .update(subscriptions)
    .set({ open_attempt_id: null })
    .where(
      and(
        columnsEqual(subscriptions, p, "account_seq", "id"),
        sql`EXISTS (SELECT 1 FROM ${attempts} WHERE ${attempts.account_seq} = ${p("account_seq")}
            AND ${attempts.id} = ${p("attempt_id")} AND ${attempts.status} = 'CANCELLED')`,
      ),
    ),
);
