import { DomainError } from "../../base/errors.ts";
import type { SystemAction } from "../../base/event-types.ts";
import type { Ctx } from "../../kit/context.ts";
import { changeSubscription, type Decide } from "../subscriptions/actions/change-subscription.ts";
import { removeDiscount } from "../subscriptions/actions/discounts.ts";
import { removeLine } from "../subscriptions/actions/lines.ts";
import {
  reactivationDecision,
  readForReactivation,
  resumeSubscription,
} from "../subscriptions/actions/restart.ts";
import { unskipSubscription } from "../subscriptions/actions/skip.ts";
import { requireAllowed, requireNotBilling } from "../subscriptions/lifecycle.ts";
import { pricedColumns } from "../subscriptions/lines.ts";
import { discountsOf, linesOf } from "../subscriptions/row-codec.ts";
import { todayOf } from "../subscriptions/schedule.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { BulkAction, BulkInput } from "./actions.ts";
import { restoreLines, type Undoing } from "./undo-lines.ts";

/**
 * Takes back what a job has done to a subscription, where its fields still have what the job wrote: whatever others have changed since
 * stays. Throws INVALID_STATE where nothing can be taken back, with the reason.
 */
export async function undoAction(
  ctx: Ctx,
  id: string,
  { action }: BulkInput,
  undoing: Undoing | undefined,
): Promise<void> {
  if (!undoing) throw newNotUndoneError("the job has changed nothing of it");
  await undoes[action](ctx, id, undoing);
}

type Undo = (ctx: Ctx, id: string, undoing: Undoing) => Promise<unknown>;

const undoes: Record<BulkAction, Undo> = {
  swap_variant: undoLines,
  change_price: undoLines,
  move_slot: (ctx, id, undoing) => restore(ctx, id, { undoing, action: "delivery_rescheduled" }),
  reschedule: (ctx, id, undoing) => restore(ctx, id, { undoing, action: "delivery_rescheduled" }),
  skip_deliveries: (ctx, id, undoing) =>
    unskipSubscription(unlessChanged(ctx, undoing), { id, dryRun: false }),
  pause: (ctx, id, undoing) =>
    resumeSubscription(unlessChanged(ctx, undoing), { id, dryRun: false, request: {} }),
  resume: (ctx, id, undoing) => restore(ctx, id, { undoing, action: "subscription_paused" }),
  cancel: undoCancel,
  apply_discount: undoDiscount,
  remove_discount: undoRemoval,
  add_one_time_line: undoOneTimeLine,
  set_instructions: (ctx, id, undoing) =>
    restore(ctx, id, { undoing, action: "delivery_instructions_updated" }),
  retry_payment: () =>
    Promise.reject(newNotUndoneError("a payment is not taken back; refund its order at the store")),
};

/** Columns that are no field of a subscription: they follow from others, or count what has happened. */
const derived = new Set([
  "schedule_revision",
  "subtotal",
  "discount_amount",
  "shipping_amount",
  "tax_amount",
  "total",
]);

/** The context of a change that is decided only where the subscription still has what the job wrote. */
function unlessChanged(ctx: Ctx, { columns }: Undoing): Ctx {
  const onRead = (record: object) => {
    const row = record as Record<string, unknown>;
    const changed = Object.keys(columns).filter(
      (name) => !derived.has(name) && row[name] !== columns[name]!.to,
    );
    if (changed.length > 0) throw newNotUndoneError(`${changed.join(", ")} changed since`);
  };
  return { ...ctx, jobRow: { ...ctx.jobRow!, onRead } };
}

/** Sets the columns that the job wrote to what they were. Dates that have passed are not restored. */
function restore(
  ctx: Ctx,
  id: string,
  { undoing, action }: { undoing: Undoing; action: SystemAction },
): Promise<unknown> {
  const own = unlessChanged(ctx, undoing);
  const { schedule_revision: _revision, ...columns } = former(undoing);
  const takesPlace = { what: "undo the change", path: "next_delivery_date" };
  return changeSubscription(own, id, { takesPlace }, ({ row }) => {
    const isOfDates = "next_delivery_date" in columns || "status" in columns;
    if (isOfDates) requireNotBilling("undo the change", row);
    if (columns.status === undefined) requireAllowed("change", row, "undo the change");
    const { next_delivery_date: date } = columns;
    if (typeof date === "string" && date < todayOf(ctx) && columns.status !== "PAUSED")
      throw newNotUndoneError(`its delivery was on ${date}, which has passed`);
    return { entry: { action }, columns };
  });
}

function former({ columns }: Undoing): Partial<Subscription> {
  return Object.fromEntries(Object.entries(columns).map(([name, { from }]) => [name, from]));
}

async function undoLines(ctx: Ctx, id: string, undoing: Undoing): Promise<unknown> {
  return changeSubscription(ctx, id, {}, ({ row }) => {
    requireAllowed("change", row, "undo the change");
    const lines = restoreLines(row, undoing);
    if (!lines) throw newNotUndoneError("its lines changed since");
    return {
      entry: { action: "lines_changed" },
      columns: pricedColumns(lines, discountsOf(row), row.tax_amount),
    };
  });
}

/** Reactivates what the job cancelled: at its former next delivery, where that is still to come; paused again, where it was paused. */
function undoCancel(ctx: Ctx, id: string, undoing: Undoing): Promise<unknown> {
  const before = former(undoing);
  if (before.status === "PAYMENT_FAILED")
    throw newNotUndoneError("its payment had failed before it was cancelled");
  const alongside = readForReactivation(ctx, id);
  const takesPlace = { what: "reactivate", path: "next_delivery_date" };
  const decide: Decide<never, typeof alongside> = (view, found) => {
    const planned = before.next_delivery_date ?? view.row.next_delivery_date;
    const isAhead = typeof planned === "string" && planned > todayOf(ctx);
    const part = reactivationDecision(ctx, view, found, isAhead ? planned : undefined);
    if (before.status !== "PAUSED") return part;
    const { paused_at = null, pause_until = null, pause_reason = null, pause_reason_id = null } = before;
    const paused = { status: "PAUSED" as const, paused_at, pause_until, pause_reason, pause_reason_id };
    return {
      ...part,
      columns: { ...part.columns, ...paused },
      ownEntries: [{ action: "subscription_paused" }],
    };
  };
  return changeSubscription(unlessChanged(ctx, undoing), id, { alongside, takesPlace }, decide);
}

async function undoDiscount(ctx: Ctx, id: string, { columns }: Undoing): Promise<unknown> {
  const [before, after] = [discountsIn(columns, "from"), discountsIn(columns, "to")];
  const added = after.find((each) => !before.some((other) => other.id === each.id));
  if (!added) throw newNotUndoneError("the job has applied no discount");
  const onRead = (record: object) => {
    const now = discountsOf(record as Subscription).find((each) => each.id === added.id);
    if (now?.status !== "ACTIVE") throw newNotUndoneError("the discount no longer counts");
  };
  const own = { ...ctx, jobRow: { ...ctx.jobRow!, onRead } };
  return removeDiscount(own, { id, dryRun: false, discountId: added.id });
}

/** Discounts that the job removed count again, as far as they were used before. */
function undoRemoval(ctx: Ctx, id: string, { columns }: Undoing): Promise<unknown> {
  const [before, after] = [discountsIn(columns, "from"), discountsIn(columns, "to")];
  const removed = after.filter(
    (each) => before.find((other) => other.id === each.id)?.status !== each.status,
  );
  return changeSubscription(ctx, id, {}, ({ row }) => {
    requireAllowed("change", row, "apply a discount");
    const discounts = discountsOf(row);
    const restorable = removed.filter((each) =>
      discounts.some((now) => now.id === each.id && now.removed_at === each.removed_at),
    );
    if (restorable.length === 0) throw newNotUndoneError("the discount changed since");
    const restored = discounts.map((now) =>
      restorable.some((each) => each.id === now.id)
        ? { ...now, status: "ACTIVE" as const, removed_at: null, updated_at: ctx.now }
        : now,
    );
    const [entry, ...ownEntries] = restorable.map(({ id: discount_id, title }) => ({
      action: "discount_applied" as const,
      metadata: { discount_id, title },
    }));
    return { entry: entry!, ownEntries, columns: pricedColumns(linesOf(row), restored, row.tax_amount) };
  });
}

async function undoOneTimeLine(ctx: Ctx, id: string, { columns }: Undoing): Promise<unknown> {
  const lines = (side: "from" | "to") => linesOf({ lines: String(columns.lines?.[side] ?? "[]") });
  const added = lines("to").find((each) => !lines("from").some((other) => other.id === each.id));
  if (!added) throw newNotUndoneError("the job has added no line");
  const onRead = (record: object) => {
    const now = linesOf(record as Subscription).find((each) => each.id === added.id);
    if (JSON.stringify(now) !== JSON.stringify(added))
      throw newNotUndoneError("the line was ordered or changed since");
  };
  const own = { ...ctx, jobRow: { ...ctx.jobRow!, onRead } };
  return removeLine(own, { id, dryRun: false, lineId: added.id });
}

function discountsIn(columns: Undoing["columns"], side: "from" | "to") {
  return discountsOf({ discounts: String(columns.discounts?.[side] ?? "[]") });
}

function newNotUndoneError(why: string): DomainError {
  return new DomainError("INVALID_STATE", `Cannot undo: ${why}`);
}
