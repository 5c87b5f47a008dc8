import { guard } from "../../base/db/guard.ts";
import { StaleError } from "../../base/db/retry-on-conflict.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Entry } from "../../kit/journal/write.ts";
import { insertLinks, newOrder, orderSubject } from "../orders/actions.ts";
import { type HeldContent, sharedContent } from "../orders/held-content.ts";
import type { LinkedOrder } from "../orders/queries.ts";
import { revenueIn } from "../orders/revenue.ts";
import { orderSearchText } from "../orders/search.ts";
import { orderChanges } from "../orders/store-order.ts";
import { type Order, orders } from "../orders/tables.ts";
import { combine, type Part } from "../subscriptions/part.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { OrderContent } from "./order-content.ts";
import type { ChargeSnapshot } from "./snapshot.ts";

/** The goods of a delivery and its dates: the part of a charge's snapshot that becomes its order. */
type Content = OrderContent &
  Pick<ChargeSnapshot, "billing_date" | "delivery_date" | "production_date" | "delivery_slot_id">;
type Sold = {
  amount: number;
  store_order_id: string;
  store_order_number: string | null;
  attemptId: string | null;
  /** The content that the order shares if its own is the same. */
  held?: HeldContent | undefined;
};

/** An order of a subscription, and the part of the subscription's change that places it. */
type PlacedOrder = { id: string; part: Part };

/** A new order of a subscription (SUBSCRIPTION, PAID, UNFULFILLED). */
export function placeOrder(
  ctx: Ctx,
  { id: subscriptionId, profile_id, currency_code, ...row }: Subscription,
  content: Content,
  { amount, store_order_id, store_order_number, attemptId, held }: Sold,
  metadata?: Record<string, unknown>,
): PlacedOrder {
  const { id, entry, writes } = newOrder(
    ctx,
    {
      ...sharedContent(contentOf(content, row), held),
      status: "PAID",
      fulfillment_status: "UNFULFILLED",
      order_type: "SUBSCRIPTION",
      is_checkout_order: 0,
      has_subscription: 1,
      store_order_id,
      store_order_number,
      profile_id,
      currency_code,
      total: amount,
      refunded_amount: 0,
      order_created_at: ctx.now,
      billing_attempt_id: attemptId,
    },
    [subscriptionId],
    attemptId === null ? metadata : { billing_attempt_id: attemptId },
  );
  return { id, part: { columns: { last_order_id: id }, relatedEntries: [entry], writes } };
}

/**
 * The order of a charge: a new one, or the one that a webhook of the store has recorded already (`known`). Undefined if that one
 * belongs to another charge or subscription. Throws StaleError if the charge was recorded meanwhile.
 */
export function orderOfCharge(
  ctx: Ctx,
  row: Subscription,
  content: Content,
  { known, ...sold }: Charged & { known: LinkedOrder | undefined },
): PlacedOrder | undefined {
  if (!known) {
    const { id, part } = placeOrder(ctx, row, content, sold);
    return { id, part: combine(part, earnRevenue(row, sold.amount)) };
  }
  if (known.row.billing_attempt_id === sold.attemptId) throw new StaleError();
  const isTaken =
    known.row.billing_attempt_id !== null ||
    known.subscriptionIds.some((subscriptionId) => subscriptionId !== row.id);
  return isTaken ? undefined : claimOrder(ctx, row, content, known, sold);
}

/** The address is the subscription's of now: the customer may have moved since the charge began. */
function contentOf(
  content: Content,
  {
    delivery_address,
    delivery_instructions,
  }: Pick<Subscription, "delivery_address" | "delivery_instructions">,
) {
  return {
    delivery_address,
    delivery_instructions,
    lines: content.lines,
    is_prepaid: content.is_prepaid,
    prepaid_delivery: content.prepaid_delivery,
    prepaid_deliveries: content.prepaid_deliveries,
    delivery_slot_id: content.delivery_slot_id,
    subtotal: content.subtotal,
    discount_amount: content.discount_amount,
    billing_date: content.billing_date,
    delivery_date: content.delivery_date,
    production_date: content.production_date,
  };
}

type Charged = Sold & { attemptId: string; isStated?: boolean };

function earnRevenue({ total_revenue }: Subscription, revenue: number): Part {
  return { columns: { total_revenue: total_revenue + revenue } };
}

/** Turns an order that a webhook of the store recorded first into the charge's order, whatever has happened to it since. */
function claimOrder(
  ctx: Ctx,
  subscription: Subscription,
  content: Content,
  { row, subscriptionIds }: LinkedOrder,
  { store_order_number, attemptId, amount, isStated }: Charged,
): PlacedOrder {
  const { id, profile_id } = subscription;
  const after: Partial<Order> = {
    ...contentOf(content, subscription),
    status: row.status === "PENDING" ? "PAID" : row.status,
    order_type: "SUBSCRIPTION",
    is_checkout_order: 0,
    has_subscription: 1,
    store_order_number: row.store_order_number ?? store_order_number,
    profile_id,
    billing_attempt_id: attemptId,
    ...(isStated ? { total: amount } : {}),
  };
  const revision = row.revision + 1;
  const search_text = orderSearchText({ ...row, ...after });
  const update = updateRow(
    orders,
    { account_seq: row.account_seq, id: row.id },
    { ...after, search_text, revision, updated_at: ctx.now },
  );
  const unlessUnchanged = guard(
    "NOT EXISTS (SELECT 1 FROM orders WHERE account_seq = ? AND id = ? AND revision = ?)",
    [row.account_seq, row.id, row.revision],
  );
  const changes = orderChanges(row, after);
  const entry: Entry = {
    action: "order_updated",
    subject: orderSubject({ ...row, profile_id, revision }, [id]),
    changes,
    metadata: { billing_attempt_id: attemptId },
  };
  const revenue =
    revenueIn(id, { ...row, ...after, subscriptionIds: [id] }) - revenueIn(id, { ...row, subscriptionIds });
  return {
    id: row.id,
    part: combine(earnRevenue(subscription, revenue), {
      columns: { last_order_id: row.id },
      relatedEntries: [entry],
      writes: [unlessUnchanged, update, ...insertLinks(ctx, row.id, [id])],
    }),
  };
}
