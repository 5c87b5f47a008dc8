import { and, eq, inArray, sql } from "drizzle-orm";
import type { Statement } from "../../../base/db/port.ts";
import { build, statement } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { billingAttempts as attempts } from "../../billing/tables.ts";
import { dunningEpisodes as episodes } from "../../dunning/tables.ts";
import { type Subscription, subscriptions } from "../tables.ts";

/**
 * The writes that stop billing when a subscription is paused or ends (docs/decisions.md#5-subscriptions-and-their-history):
 * the open attempt is withdrawn, and dunning is closed.
 */
export function endBilling(ctx: Ctx, row: Subscription): Statement[] {
  return [
    ...(row.open_attempt_id === null ? [] : withdrawAttempt(ctx, row, row.open_attempt_id)),
    statement(
      build
        .update(episodes)
        .set({ status: "CLOSED", closed_at: ctx.now, due_at: null })
        .where(
          and(
            eq(episodes.account_seq, ctx.account.seq),
            eq(episodes.subscription_id, row.id),
            inArray(episodes.status, ["OPEN", "AWAITING_CUSTOMER"]),
          ),
        ),
    ),
  ];
}

/** Withdraws an attempt that has not been sent to the store. One that was sent is recorded when its answer comes. */
export function withdrawAttempt(ctx: Ctx, row: Subscription, attemptId: string): Statement[] {
  return [
    statement(
      build
        .update(attempts)
        .set({
          status: "CANCELLED",
          is_refused: 1,
          settled_at: ctx.now,
          updated_at: ctx.now,
          next_action_at: null,
        })
        .where(
          and(
            eq(attempts.account_seq, ctx.account.seq),
            eq(attempts.id, attemptId),
            eq(attempts.status, "QUEUED"),
          ),
        ),
    ),
    statement(
      build
        .update(subscriptions)
        .set({ open_attempt_id: null })
        .where(
          and(
            eq(subscriptions.account_seq, ctx.account.seq),
            eq(subscriptions.id, row.id),
            sql`EXISTS (SELECT 1 FROM ${attempts} WHERE ${attempts.account_seq} = ${ctx.account.seq}
            AND ${attempts.id} = ${attemptId} AND ${attempts.status} = 'CANCELLED')`,
          ),
        ),
    ),
  ];
}
