import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { DomainError } from "../../base/errors.ts";
import { type Job, refundOrderJob } from "../../base/job.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import type { Order } from "../orders/tables.ts";
import { requireKeptHere } from "./kept-here.ts";
import { orderChange } from "./order-entry.ts";
import { amountLeft, getOwnOrder, type OwnOrder } from "./queries.ts";
import { insertRefund, newRefund, requireRefundable } from "./refunds.ts";

type Cancellation = { id: string; reason: string | null; refunds: boolean };

/**
 * Cancels an order of which nothing was sent, and has all that is left of it paid back where that is asked for. The subscription's dates
 * stay, and its cycle is not billed again. Once more changes nothing. Returns the order as it is then.
 */
export async function cancelOrder(ctx: Ctx, { id, reason, refunds }: Cancellation): Promise<Order> {
  const { cancelled, jobs } = await retryOnConflict(async (): Promise<Cancelled> => {
    const order = await getOwnOrder(ctx, id);
    requireKeptHere(ctx, order.row, "cancelled");
    const left = amountLeft(order);
    if (order.row.status === "CANCELLED") {
      if (refunds && left > 0 && !order.hasRefunds) throw cancelledWithoutRefund();
      return { cancelled: order.row, jobs: [] };
    }
    requireUnfulfilled(order);
    if (refunds && left > 0) requireRefundable(ctx, order);
    const refund = refunds && left > 0 ? newRefund(ctx, order, { amount: left, reason }) : undefined;
    const entry = orderChange(
      order,
      "order_cancelled",
      { status: "CANCELLED" },
      {
        ...(reason === null ? {} : { reason }),
        ...(refund ? { refund_id: refund.id, refund_amount: toMajor(left, order.row.currency_code) } : {}),
      },
    );
    await change(ctx, entry, { writes: refund ? insertRefund(refund) : [] });
    const cancelled = { ...order.row, ...entry.after, revision: order.row.revision + 1, updated_at: ctx.now };
    return { cancelled, jobs: refund ? [refundOrderJob(ctx.account.id, refund.id)] : [] };
  });
  if (jobs.length > 0) await ctx.send(jobs);
  return cancelled;
}

type Cancelled = { cancelled: Order; jobs: Job[] };

function requireUnfulfilled({ row: { fulfillment_status: status } }: OwnOrder): void {
  if (status === "UNFULFILLED") return;
  throw new DomainError("INVALID_STATE", `The order is ${status}, so it cannot be cancelled`);
}

function cancelledWithoutRefund(): DomainError {
  return new DomainError(
    "INVALID_STATE",
    "The order was cancelled without a refund; POST /api/subscriptions/orders/{id}/refunds pays it back",
  );
}
