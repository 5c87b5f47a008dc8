import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow, updateRow } from "../../base/db/row-writes.ts";
import { read } from "../../base/db/statement.ts";
import type { JobOutcome } from "../../base/job.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { Ctx } from "../../kit/context.ts";
import { changeEach, type RecordUpdate } from "../../kit/journal/write.ts";
import type { StoreDispute } from "../../stores/port/disputes.ts";
import { mayBeRecorded } from "../billing/unrecorded.ts";
import type { DunningEpisode } from "../dunning/tables.ts";
import { orderSubject } from "../orders/actions.ts";
import type { LinkedOrder } from "../orders/queries.ts";
import { type OrderDispute, orderDisputes } from "../orders/tables.ts";
import { selectCurrentEpisodes } from "../retries/current-episodes.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { subscriptionsOfOrder } from "../subscriptions/of-order.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { blockBilling, unblockBilling } from "./block-billing.ts";
import { findChargeOfDispute, readDisputed, selectBlockingDisputes } from "./queries.ts";
import { isBlocking, isOpenDispute } from "./rules.ts";

/** Records a dispute by the store's id, as `recordDispute`. The store is asked for its charge only if our own records do not have it. */
export async function refreshDispute(ctx: Ctx, reference: string): Promise<JobOutcome> {
  const known = await findChargeOfDispute(ctx, reference);
  const charge_reference = known ?? (await ctx.store.findDispute?.(reference))?.charge_reference ?? null;
  return recordDispute(ctx, { reference, charge_reference });
}

/**
 * Records a dispute of a charge as the store has it now: the dispute, what it means for billing, and the order's entry, in one
 * batch. One that is known as it is writes nothing. A dispute of a charge whose outcome may still be recorded is looked at later; that of
 * a payment that this service has not made is none of its business.
 */
export async function recordDispute(
  ctx: Ctx,
  { reference, charge_reference }: Pick<StoreDispute, "reference" | "charge_reference">,
): Promise<JobOutcome> {
  if (charge_reference === null) return "done";
  const isOurs = await retryOnConflict(() => readAndRecord(ctx, charge_reference, reference), mostTries);
  return !isOurs && (await mayBeRecorded(ctx, charge_reference)) ? "later" : "done";
}

/** The number of times that it is read and decided on again while others change the order or its subscription. */
const mostTries = 20;

/** Our own records are read before the store is asked, so that what is written is never older than what it replaces. */
async function readAndRecord(ctx: Ctx, chargeReference: string, reference: string): Promise<boolean> {
  const disputed = await readDisputed(ctx, chargeReference, reference);
  if (!disputed) return false;
  const shown = await ctx.store.findDispute?.(reference);
  if (shown) await record(ctx, disputed.order, disputed.known, shown);
  return true;
}

async function record(
  ctx: Ctx,
  order: LinkedOrder,
  before: OrderDispute | undefined,
  shown: StoreDispute,
): Promise<void> {
  const after = disputeAfter(ctx, order, before, shown);
  if (before && isSame(before, after)) return;
  const { writes, updates } = await effectOnBilling(ctx, before, after);
  const entry = {
    action: "order_disputed",
    subject: orderSubject(order.row, order.subscriptionIds),
    metadata: { store_order_id: order.row.store_order_id, ...disputeMetadata(after) },
    after: {},
  } as const;
  await changeEach(
    ctx,
    [entry],
    [before ? updateDisputeRow(after) : insertRow(orderDisputes, after), ...writes],
    updates,
  );
}

/** A dispute that is over keeps the time at which that was first seen. */
function disputeAfter(
  ctx: Ctx,
  { row, subscriptionIds }: LinkedOrder,
  before: OrderDispute | undefined,
  shown: StoreDispute,
): OrderDispute {
  const { amount, currency_code, status, is_inquiry, reason, opened_at } = shown;
  return {
    id: before?.id ?? ctx.newId(),
    account_seq: ctx.account.seq,
    order_id: row.id,
    subscription_id: (subscriptionIds.length === 1 && subscriptionIds[0]) || null,
    store_dispute_id: shown.reference,
    amount,
    currency_code,
    status,
    is_inquiry: is_inquiry ? 1 : 0,
    reason,
    is_blocking: isBlocking(ctx.account, before, shown) ? 1 : 0,
    opened_at,
    closed_at: isOpenDispute(shown) ? null : (before?.closed_at ?? ctx.now),
    created_at: before?.created_at ?? ctx.now,
    updated_at: ctx.now,
  };
}

const told = ["amount", "currency_code", "status", "is_inquiry", "reason"] as const;

function isSame(before: OrderDispute, after: OrderDispute): boolean {
  return told.every((field) => before[field] === after[field]);
}

function disputeMetadata(dispute: OrderDispute): Record<string, unknown> {
  const { amount, currency_code, reason } = dispute;
  return {
    dispute_id: dispute.id,
    store_dispute_id: dispute.store_dispute_id,
    dispute_status: dispute.status,
    is_inquiry: dispute.is_inquiry === 1,
    amount: toMajor(amount, currency_code),
    currency_code,
    ...(reason === null ? {} : { reason }),
    billing_is_blocked: dispute.is_blocking === 1,
  };
}

function updateDisputeRow({ account_seq, id, ...columns }: OrderDispute): Statement {
  const { order_id: _order, store_dispute_id: _reference, created_at: _created, ...changed } = columns;
  return updateRow(orderDisputes, { account_seq, id }, changed);
}

type Effect = { writes: Statement[]; updates: RecordUpdate[] };

/** The change of the subscription where the dispute begins to block it, or was the last that did. Its revision guards what was read of it. */
async function effectOnBilling(
  ctx: Ctx,
  before: OrderDispute | undefined,
  after: OrderDispute,
): Promise<Effect> {
  const { subscription_id: id } = after;
  if (id === null || (before?.is_blocking ?? 0) === after.is_blocking) return { writes: [], updates: [] };
  const [ordering] = await subscriptionsOfOrder(ctx, [id], []);
  if (!ordering) return { writes: [], updates: [] };
  const { row } = ordering;
  const { columns = {}, writes = [] } =
    after.is_blocking === 1 ? blockBilling(ctx, row) : await unblockUnlessOthers(ctx, row, after);
  return { writes, updates: [{ subject: subjectOf(row), after: columns }] };
}

async function unblockUnlessOthers(ctx: Ctx, row: Subscription, ended: OrderDispute) {
  const [blocking, [episode]] = await read<[OrderDispute, DunningEpisode]>(ctx.db, [
    selectBlockingDisputes(ctx, [row.id]),
    selectCurrentEpisodes(ctx, [row.id]),
  ]);
  return blocking.some(({ id }) => id !== ended.id) ? {} : unblockBilling(ctx, row, episode);
}
