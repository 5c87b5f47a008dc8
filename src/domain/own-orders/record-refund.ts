import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow, updateRow } from "../../base/db/row-writes.ts";
import type { SystemAction } from "../../base/event-types.ts";
import type { Ctx } from "../../kit/context.ts";
import { changeEach, type RecordUpdate } from "../../kit/journal/write.ts";
import type { StoreRefund } from "../../stores/port/refunds.ts";
import type { Order } from "../orders/tables.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { subscriptionsOfOrder } from "../subscriptions/of-order.ts";
import { orderChange } from "./order-entry.ts";
import { getOrderWithRefunds, type OwnOrder } from "./queries.ts";
import { ownRefundId } from "./refund-key.ts";
import { newRefund, refundMetadata } from "./refunds.ts";
import { type OrderRefund, orderRefunds } from "./tables.ts";

/**
 * The outcome of a refund, or that it pends. `reference` is null where the store has none, because it refused; `error` says why, and
 * `refusedTry` which try it refused.
 */
type SeenRefund = Pick<StoreRefund, "key" | "amount" | "status" | "reason"> & {
  reference: string | null;
  error?: string;
  refusedTry?: number;
};

/**
 * Records what the store says of a refund of an order: the refund, what is paid back of the order, its status, the revenue of its
 * subscription and the entry, in one batch. One that was made at the store is recorded as well. What is known already writes nothing.
 * A refusal counts only while no other try has begun, which may be paid.
 */
export function recordRefund(ctx: Ctx, orderId: string, seen: SeenRefund): Promise<void> {
  return retryOnConflict(async () => {
    const named = { key: seen.key, reference: seen.reference ?? "" };
    const { order, known } = await getOrderWithRefunds(ctx, orderId, [named]);
    const before = known.find(({ id }) => id === ownRefundId(seen.key)) ?? known[0];
    const after = refundAfter(ctx, order, before, seen);
    if (before?.status === after.status) return;
    const { refusedTry } = seen;
    if (refusedTry !== undefined && (before?.status !== "PENDING" || before.tries !== refusedTry)) return;
    const paidBack = countedAmount(after) - countedAmount(before);
    const columns = columnsAfter(order.row, paidBack);
    const metadata = {
      ...refundMetadata(after, order.row),
      ...(after.error_message === null ? {} : { error_message: after.error_message }),
    };
    await changeEach(
      actingFor(ctx, after),
      [orderChange(order, actionOf(after), columns, metadata)],
      [
        ...(refusedTry === undefined ? [] : [guardTry(after, refusedTry)]),
        before ? updateRefund(after) : insertRow(orderRefunds, after),
      ],
      await revenueUpdates(ctx, order, paidBack),
    );
  }, mostTries);
}

/** The number of times that it is decided anew while others change the order or its subscription. */
const mostTries = 20;
const longestMessage = 500;

/** Fails the batch where another try has begun. */
function guardTry({ account_seq, id }: OrderRefund, refusedTry: number): Statement {
  const isLatest = "SELECT 1 FROM order_refunds WHERE account_seq = ? AND id = ? AND tries = ?";
  return guard(`NOT EXISTS (${isLatest})`, [account_seq, id, refusedTry]);
}

/** The refund as it is from now on. One that is over is asked about no more; one of the store's that pends is. */
function refundAfter(
  ctx: Ctx,
  order: OwnOrder,
  before: OrderRefund | undefined,
  { key, amount, reason, status, reference, error }: SeenRefund,
): OrderRefund {
  const refund = before ?? { ...newRefund(ctx, order, { amount, reason }), ...originOf(key) };
  return {
    ...refund,
    status,
    store_reference: reference ?? refund.store_reference,
    error_message: error?.slice(0, longestMessage) ?? null,
    lease_until: null,
    next_action_at: status === "PENDING" ? ctx.realNow : null,
    updated_at: ctx.now,
  };
}

/** One that was asked for here, and that a restore has undone, has its id again, of which its key is made. */
function originOf(key: string | null): Partial<OrderRefund> {
  const id = ownRefundId(key);
  return id === undefined ? { is_own: 0 } : { id };
}

function countedAmount(refund: OrderRefund | undefined): number {
  return refund?.status === "SUCCEEDED" ? refund.amount : 0;
}

/** A cancelled order stays that, whatever is paid back of it. */
function columnsAfter(row: Order, paidBack: number): Partial<Order> {
  if (paidBack === 0) return {};
  const refunded_amount = row.refunded_amount + paidBack;
  return {
    refunded_amount,
    status: row.status === "CANCELLED" ? row.status : statusFor(row, refunded_amount),
  };
}

function statusFor({ total }: Order, refunded: number): Order["status"] {
  if (refunded >= total) return "REFUNDED";
  return refunded > 0 ? "PARTIALLY_REFUNDED" : "PAID";
}

/** A payment is the act of who asked for it; a refusal is the store's own. */
function actingFor(ctx: Ctx, { status, created_by_type: type, created_by: name }: OrderRefund): Ctx {
  return status === "SUCCEEDED" ? { ...ctx, actor: { type, name } } : ctx;
}

function actionOf({ status }: OrderRefund): SystemAction {
  return status === "SUCCEEDED" ? "order_refunded" : "order_updated";
}

function updateRefund({ account_seq, id, ...columns }: OrderRefund): Statement {
  const { status, store_reference, error_message, lease_until, next_action_at, updated_at } = columns;
  return updateRow(
    orderRefunds,
    { account_seq, id },
    { status, store_reference, error_message, lease_until, next_action_at, updated_at },
  );
}

/** The revenue of the subscription that the order belongs to alone: less what is paid back, also of a cancelled order. */
async function revenueUpdates(
  ctx: Ctx,
  { subscriptionIds }: OwnOrder,
  paidBack: number,
): Promise<RecordUpdate[]> {
  if (paidBack === 0 || subscriptionIds.length !== 1) return [];
  const orderings = await subscriptionsOfOrder(ctx, subscriptionIds, []);
  return orderings.map(({ row }) => ({
    subject: subjectOf(row),
    after: { total_revenue: row.total_revenue - paidBack },
  }));
}
