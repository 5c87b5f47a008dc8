import type { z } from "@hono/zod-openapi";
import { and, desc, isNull } from "drizzle-orm";
import type { AccountSeq } from "../../../base/db/columns.ts";
import type { Statement } from "../../../base/db/port.ts";
import { insertRow, updateRow } from "../../../base/db/row-writes.ts";
import { build, columnsEqual, type Params, prepare } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { requireNotTooFar } from "../../../kit/days.ts";
import { labelsOf } from "../../reasons/labels.ts";
import { requireReason, selectAnyActiveReason, selectNamedReason } from "../../reasons/queries.ts";
import type { Reason } from "../../reasons/tables.ts";
import {
  calendarOf,
  datesAfterSkipping,
  datesBeforeSkip,
  datesWeeksLater,
  type NextDates,
} from "../dates/index.ts";
import { endOfWait, invalidState, requireAllowed, requireNotBilling } from "../lifecycle.ts";
import type { SkipDeliveriesRequest, SkipRequest } from "../lifecycle-requests.ts";
import type { Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import { type Skip, type Subscription, subscriptionSkips } from "../tables.ts";
import { type Command, type CommandWith, changeSubscription } from "./change-subscription.ts";

/** Moves the three next dates and the anchor by whole weeks. The cycle stays the same. */
export function skipSubscription(
  ctx: Ctx,
  { request: { skip_weeks, ...why }, ...command }: CommandWith<z.output<typeof SkipRequest>>,
): Promise<SubscriptionView> {
  return skip(ctx, { ...command, moves: "skip_weeks" }, why, (view) => {
    const dates = datesWeeksLater(view.row, calendarOf(view), skip_weeks);
    requireNotTooFar(view.today, dates.next_delivery_date ?? dates.anchor_date, "skip_weeks");
    return { dates, moved: { skip_weeks } };
  });
}

/** The next deliveries fall away: the anchor and the cycle stay, and so does what is owed. */
export function skipDeliveries(
  ctx: Ctx,
  { request: { count, ...why }, ...command }: CommandWith<z.output<typeof SkipDeliveriesRequest>>,
): Promise<SubscriptionView> {
  return skip(ctx, { ...command, moves: "count" }, why, (view) => {
    const dates = datesAfterSkipping(view.row, calendarOf(view), count);
    requireNotTooFar(view.today, dates.next_delivery_date ?? dates.anchor_date, "count");
    return { dates, moved: { deliveries: count } };
  });
}

export function unskipSubscription(ctx: Ctx, { id }: Command): Promise<SubscriptionView> {
  const alongside = { latest: selectLatestSkip({ account_seq: ctx.account.seq, subscription_id: id }) };
  const takesPlace = { what: "unskip", path: "next_delivery_date" };
  const options = { alongside, needs: "can_skip", beforeCutoff: "unskip", takesPlace } as const;
  return changeSubscription(ctx, id, options, (view, { latest: [found] }) => undoSkip(view, found));
}

/** Takes the latest skip back. Throws INVALID_STATE where the dates have been moved since, or the skipped delivery's day has passed. */
export function undoSkip(view: SubscriptionView, latest: Skip | undefined): Part {
  const { row, today } = view;
  requireAllowed("unskip", row);
  requireNotBilling("unskip", row);
  const skip = requireUndoable(latest, row, today);
  const { id, skip_weeks, deliveries, created_at } = skip;
  return {
    entry: {
      action: "subscription_unskipped",
      metadata: { skip_id: id, ...(deliveries === null ? { skip_weeks } : { deliveries }) },
    },
    columns: {
      schedule_revision: row.schedule_revision - 1,
      ...datesBeforeSkip(row, calendarOf(view), skip),
    },
    writes: [
      updateRow(
        subscriptionSkips,
        { account_seq: row.account_seq, subscription_id: row.id, created_at, id },
        { undone_at: view.now },
      ),
    ],
  };
}

/** A skip of the subscription as it is; its dates are those before the skip. */
export function newSkip(
  ctx: Ctx,
  row: Subscription,
  given: Partial<Pick<Skip, "skip_weeks" | "deliveries" | "store_cycle" | "reason">>,
  reason?: Reason,
): Skip {
  const labels = reason && labelsOf(reason);
  return {
    skip_weeks: 0,
    deliveries: null,
    store_cycle: null,
    reason: null,
    ...given,
    skip_reason_id: reason?.id ?? null,
    skip_reason_label: reason?.label ?? null,
    skip_reason_labels: labels === undefined ? null : JSON.stringify(labels),
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    subscription_id: row.id,
    cycle: row.current_billing_cycle,
    previous_index: row.next_index,
    previous_anchor_date: row.anchor_date,
    previous_anchor_day: row.anchor_day,
    previous_billing_date: row.next_billing_date,
    previous_delivery_date: row.next_delivery_date,
    previous_production_date: row.next_production_date,
    previous_scheduled_index: row.scheduled_index,
    previous_scheduled_delivery_date: row.scheduled_delivery_date,
    schedule_revision: row.schedule_revision + 1,
    undone_at: null,
    created_at: ctx.now,
  };
}

const selectLatestSkip = prepare((p: Params<{ account_seq: AccountSeq; subscription_id: string }>) =>
  build
    .select()
    .from(subscriptionSkips)
    .where(
      and(
        columnsEqual(subscriptionSkips, p, "account_seq", "subscription_id"),
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

type Why = Omit<z.output<typeof SkipRequest>, "skip_weeks">;
type Skipped = { dates: Partial<NextDates>; moved: Partial<Pick<Skip, "skip_weeks" | "deliveries">> };

/** Puts the next dates off as `move` says, for a reason where one is due: none is with a companion, which knows why. */
function skip(
  ctx: Ctx,
  { id, ...command }: Command & { moves: "skip_weeks" | "count" },
  why: Why,
  move: (view: SubscriptionView) => Skipped,
): Promise<SubscriptionView> {
  const alongside = { reasons: command.companion ? [] : selectReasonsToPick(ctx, why) };
  const options = { alongside, ...command, needs: "can_skip", beforeCutoff: "skip" } as const;
  return changeSubscription(ctx, id, options, (view, { reasons }) => {
    const { row } = view;
    const reason = pickedReason(why, reasons);
    requireAllowed("skip", row);
    requireNotBilling("skip", row);
    const { dates, moved } = move(view);
    return {
      entry: {
        action: "subscription_skipped",
        metadata: {
          ...moved,
          ...(why.reason ? { reason: why.reason } : {}),
          ...(reason ? { skip_reason: { id: reason.id, label: reason.label } } : {}),
        },
      },
      columns: { ...endOfWait(row), ...dates },
      writes: [
        insertRow(subscriptionSkips, newSkip(ctx, row, { ...moved, reason: why.reason ?? null }, reason)),
      ],
    };
  });
}

/** The reason that the request names; without one, any that must be picked from. Staff may skip without a reason. */
function selectReasonsToPick(ctx: Ctx, { skip_reason_id }: Why): Statement<Reason>[] {
  const named = selectNamedReason(ctx, "skip", skip_reason_id);
  return named.length > 0 || ctx.actor.type === "admin" ? named : [selectAnyActiveReason(ctx, "skip")];
}

/** The reason that the request names, of what `selectReasonsToPick` finds. */
function pickedReason({ skip_reason_id }: Why, found: Reason[]): Reason | undefined {
  const reason = requireReason("skip", skip_reason_id, found);
  if (reason || found.length === 0) return reason;
  throw new DomainError("SKIP_REASON_REQUIRED", "A skip reason must be picked", [
    { path: "skip_reason_id", message: "is required while the account has active skip reasons" },
  ]);
}
