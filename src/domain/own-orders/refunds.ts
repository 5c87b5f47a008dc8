import { requireWithinLimit } from "../../base/accounts/limits.ts";
import { minorOf } from "../../base/amounts.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { DomainError, invalid } from "../../base/errors.ts";
import { refundOrderJob } from "../../base/job.ts";
import { toMajor } from "../../base/lib/money.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import type { Order } from "../orders/tables.ts";
import { requireKeptHere } from "./kept-here.ts";
import { orderChange } from "./order-entry.ts";
import { amountLeft, getOwnOrder, type OwnOrder } from "./queries.ts";
import { refundBound } from "./support-bound.ts";
import { type OrderRefund, orderRefunds } from "./tables.ts";

/** The amount is in major units; undefined for all that is left. */
type RefundRequest = { id: string; amount?: number | undefined; reason?: string | null | undefined };
type AskedRefund = { refund: OrderRefund; currency_code: string };

/**
 * Has a part of an order paid back, or all that is left of it. It is recorded before the store is asked, which a job does: a crash in
 * between pays it back later, and once.
 */
export async function refundOrder(
  ctx: Ctx,
  { id, amount, reason = null }: RefundRequest,
): Promise<AskedRefund> {
  const asked = await retryOnConflict(async () => {
    const order = await getOwnOrder(ctx, id);
    requireRefundable(ctx, order);
    const refund = newRefund(ctx, order, { amount: parseAmount(ctx, order, amount), reason });
    const entry = orderChange(order, "order_updated", {}, refundMetadata(refund, order.row));
    keepCreated(ctx, { refund: refund.id });
    await change(ctx, entry, { writes: insertRefund(refund) });
    return { refund, currency_code: order.row.currency_code };
  }, mostTries);
  await ctx.send([refundOrderJob(ctx.account.id, asked.refund.id)]);
  return asked;
}

/** Each of many refunds that are asked for at once is decided on anew after those before it. */
const mostTries = 20;

/** Throws INVALID_STATE, saying why, unless a charge was made here by which the order can be paid back. */
export function requireRefundable(ctx: Ctx, { row, chargeReference, isChargedBack }: OwnOrder): void {
  requireKeptHere(ctx, row, "refunded");
  if (!ctx.store.refund || !ctx.store.listRefunds)
    throw new DomainError("INVALID_STATE", "The account's store is not asked for refunds from here");
  if (row.is_prepaid === 1)
    throw new DomainError("INVALID_STATE", "An earlier order has paid for this delivery: refund that one");
  if (row.external_source !== null && row.billing_attempt_id === null)
    throw new DomainError(
      "INVALID_STATE",
      "The order was paid in the system that it came from: refund it there",
    );
  if (isChargedBack)
    throw new DomainError(
      "INVALID_STATE",
      "The customer disputes the payment at their bank, which has taken the money back: answer the dispute at the store",
    );
  if (chargeReference === null)
    throw new DomainError("INVALID_STATE", "The order has no charge that was made here");
}

/** A refund that is due to be asked for at once. */
export function newRefund(
  ctx: Ctx,
  { row, pendingAmount }: OwnOrder,
  { amount, reason }: Pick<OrderRefund, "amount" | "reason">,
): OrderRefund {
  requireWithinLimit(ctx, [{ amount, currency_code: row.currency_code }]);
  requireWithinSupportRefund(ctx, row.refunded_amount + pendingAmount + amount);
  return {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    order_id: row.id,
    is_own: 1,
    amount,
    status: "PENDING",
    reason,
    created_by: ctx.actor.name,
    created_by_type: ctx.actor.type,
    store_reference: null,
    error_message: null,
    tries: 0,
    lease_until: null,
    next_action_at: ctx.realNow,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}

/** Throws FORBIDDEN where an order's refunds are more in sum than staff with the role SUPPORT may have paid back. The sum is minor units. */
function requireWithinSupportRefund({ actor, account }: Ctx, sum: number): void {
  const { currency_code: currency } = account;
  const most = refundBound({ role: actor.role, account });
  if (most === undefined || sum <= most) return;
  const allowed = most === 0 ? "nothing" : `at most ${toMajor(most, currency)} ${currency}`;
  throw new DomainError(
    "FORBIDDEN",
    `The role SUPPORT may have ${allowed} of an order paid back (support_max_refund); this would be ${toMajor(sum, currency)}`,
  );
}

/**
 * Inserts a refund. It fails its batch where pending refunds and those that were paid would be more than the order has cost: whatever
 * was decided, the database has the last word.
 */
export function insertRefund(refund: OrderRefund): Statement[] {
  const { account_seq, order_id, amount } = refund;
  const isTooMuch = `NOT EXISTS (SELECT 1 FROM orders WHERE account_seq = ?1 AND id = ?2
    AND total - refunded_amount - (SELECT COALESCE(SUM(amount), 0) FROM order_refunds
      WHERE account_seq = ?1 AND order_id = ?2 AND status = 'PENDING') >= ?3)`;
  return [guard(isTooMuch, [account_seq, order_id, amount]), insertRow(orderRefunds, refund)];
}

/** The part of an entry's metadata that says which refund it is about, and what has become of it. */
export function refundMetadata(
  { id, amount, status, reason }: Pick<OrderRefund, "id" | "amount" | "status" | "reason">,
  { currency_code }: Order,
): Record<string, unknown> {
  return {
    refund_id: id,
    refund_status: status,
    amount: toMajor(amount, currency_code),
    ...(reason === null ? {} : { reason }),
  };
}

/** The amount in minor units. Throws VALIDATION_FAILED for more than is left, where nothing is, and for what the store cannot pay back. */
function parseAmount({ store }: Ctx, order: OwnOrder, major: number | undefined): number {
  const { currency_code } = order.row;
  const left = amountLeft(order);
  const amount = major === undefined ? left : minorOf(major, currency_code, "amount");
  const most = `${toMajor(left, currency_code)} ${currency_code}`;
  if (amount <= 0 || amount > left)
    throw invalid([{ path: "amount", message: `must be at most ${most}, which is left of the order` }]);
  const message = store.whyNotRefundable?.(amount, currency_code);
  if (message !== undefined) throw invalid([{ path: "amount", message }]);
  return amount;
}
