import type { z } from "@hono/zod-openapi";
import { and, desc, eq, isNull } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Statement } from "../../../base/db/port.ts";
import { insertRow, updateRow } from "../../../base/db/row-writes.ts";
import { build, type Params, prepare } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { anyActiveReason, namedReason, requireReason } from "../../reasons/queries.ts";
import type { Reason } from "../../reasons/tables.ts";
import { addDays } from "../cadence.ts";
import { endOfWait, invalidState, requireAllowed, requireNotBilling } from "../lifecycle.ts";
import type { SkipRequest } from "../lifecycle-requests.ts";
import type { Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import { requireWithinCalendar, todayOf } from "../schedule.ts";
import { type Skip, type Subscription, subscriptionSkips } from "../tables.ts";
import { type Command, type CommandWith, changeSubscription } from "./change-subscription.ts";

type Request = z.output<typeof SkipRequest>;

/** Moves the three next dates and the anchor by whole weeks. The cycle stays the same. */
export function skipSubscription(
  ctx: Ctx,
  { id, dryRun, request }: CommandWith<Request>,
): Promise<SubscriptionView> {
  const alongside = { reasons: reasonsToPick(ctx, request) };
  return changeSubscription(ctx, id, { alongside, dryRun, needs: "can_skip" }, ({ row }, { reasons }) => {
    const reason = pickedReason(request, reasons);
    requireAllowed("skip", row);
    requireNotBilling("skip", row);
    const columns = { ...endOfWait(row), ...movedDates(row, request.skip_weeks) };
    requireWithinCalendar(columns.next_delivery_date ?? columns.anchor_date, "skip_weeks");
    const skip = newSkip(ctx, row, {
      skip_weeks: request.skip_weeks,
      reason: request.reason ?? null,
      skip_reason_id: reason?.id ?? null,
      skip_reason_label: reason?.label ?? null,
    });
    return {
      entry: {
        action: "subscription_skipped",
        metadata: {
          skip_weeks: request.skip_weeks,
          ...(request.reason ? { reason: request.reason } : {}),
          ...(reason ? { skip_reason: { id: reason.id, label: reason.label } } : {}),
        },
      },
      columns,
      writes: [insertRow(subscriptionSkips, skip)],
    };
  });
}

export function unskipSubscription(ctx: Ctx, { id, dryRun }: Command): Promise<SubscriptionView> {
  const alongside = { latest: latestSkip({ account_seq: ctx.account.seq, subscription_id: id }) };
  return changeSubscription(ctx, id, { alongside, dryRun, needs: "can_skip" }, (view, { latest: [found] }) =>
    undoSkip(ctx, view, found),
  );
}

/** Takes the latest skip back. Throws INVALID_STATE where the dates have been moved since, or the skipped delivery's day has passed. */
export function undoSkip(ctx: Ctx, { row }: Pick<SubscriptionView, "row">, latest: Skip | undefined): Part {
  requireAllowed("unskip", row);
  requireNotBilling("unskip", row);
  const today = todayOf(ctx);
  const skip = requireUndoable(latest, row, today);
  const { id, skip_weeks, created_at } = skip;
  const notBeforeToday = (date: string | null) => (date !== null && date < today ? today : date);
  const isOfCycle = skip_weeks === wholeCycle;
  return {
    entry: { action: "subscription_unskipped", metadata: { skip_id: id, skip_weeks } },
    columns: {
      schedule_revision: row.schedule_revision - 1,
      anchor_date: skip.previous_anchor_date,
      next_index: row.next_index - (isOfCycle ? row.deliveries_per_billing : 0),
      next_billed_index: row.next_billed_index - (isOfCycle ? row.deliveries_per_billing : 0),
      next_billing_date: notBeforeToday(skip.previous_billing_date),
      next_delivery_date: skip.previous_delivery_date,
      next_production_date: notBeforeToday(skip.previous_production_date),
    },
    writes: [
      updateRow(
        subscriptionSkips,
        { account_seq: ctx.account.seq, subscription_id: row.id, created_at, id },
        { undone_at: ctx.now },
      ),
    ],
  };
}

/** `skip_weeks` of a skip that has moved the dates by a billing interval, which need not be weeks. */
export const wholeCycle = 0;

/** A skip of the subscription as it is; its dates are those before the skip. */
export function newSkip(
  ctx: Ctx,
  row: Subscription,
  given: Pick<Skip, "skip_weeks" | "reason" | "skip_reason_id" | "skip_reason_label">,
): Skip {
  return {
    ...given,
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    subscription_id: row.id,
    cycle: row.current_billing_cycle,
    previous_anchor_date: row.anchor_date,
    previous_billing_date: row.next_billing_date,
    previous_delivery_date: row.next_delivery_date,
    previous_production_date: row.next_production_date,
    schedule_revision: row.schedule_revision + 1,
    undone_at: null,
    created_at: ctx.now,
  };
}

const latestSkip = prepare((p: Params<{ account_seq: AccountSeq; subscription_id: string }>) =>
  build
    .select()
    .from(subscriptionSkips)
    .where(
      and(
        eq(subscriptionSkips.account_seq, p("account_seq")),
        eq(subscriptionSkips.subscription_id, p("subscription_id")),
        isNull(subscriptionSkips.undone_at),
      ),
    )
    .orderBy(desc(subscriptionSkips.created_at), desc(subscriptionSkips.id))
    .limit(1),
);

/**
 * The latest skip, if nothing has moved the dates since and the skipped delivery is not in the past. Throws INVALID_STATE.
 */
function requireUndoable(skip: Skip | undefined, row: Subscription, today: string): Skip {
  if (skip?.schedule_revision !== row.schedule_revision)
    throw invalidState("unskip: there is no skip to undo, or the dates have been moved since", row);
  if ((skip.previous_delivery_date ?? today) < today)
    throw invalidState("unskip: the skipped delivery's day has passed", row);
  return skip;
}

function movedDates(row: Subscription, weeks: number) {
  const later = (date: string | null) => date && addDays(date, weeks * 7);
  return {
    anchor_date: addDays(row.anchor_date, weeks * 7),
    next_billing_date: later(row.next_billing_date),
    next_delivery_date: later(row.next_delivery_date),
    next_production_date: later(row.next_production_date),
  };
}

/** The reason that the request names; without one, any that must be picked from. Staff may skip without a reason. */
function reasonsToPick(ctx: Ctx, { skip_reason_id }: Request): Statement<Reason>[] {
  const named = namedReason(ctx, "skip", skip_reason_id);
  return named.length > 0 || ctx.actor.type === "admin" ? named : [anyActiveReason(ctx, "skip")];
}

/** The reason that the request names, of what `reasonsToPick` finds. */
function pickedReason({ skip_reason_id }: Request, found: Reason[]): Reason | undefined {
  const reason = requireReason("skip", skip_reason_id, found);
  if (reason || found.length === 0) return reason;
  throw new DomainError("SKIP_REASON_REQUIRED", "A skip reason must be picked", [
    { path: "skip_reason_id", message: "is required while the account has active skip reasons" },
  ]);
}
