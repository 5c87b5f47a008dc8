import type { Statement } from "../../base/db/port.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, type Params, prepare } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Entry, Subject } from "../../kit/journal/write.ts";
import { orderSearchText } from "./search.ts";
import { type Order, orderSubscriptions, orders } from "./tables.ts";

/** The subject of an order's history entry. An entry of one subscription's order is found under that subscription too. */
export function orderSubject(
  row: Pick<Order, "id" | "account_seq" | "revision" | "profile_id">,
  subscriptionIds: string[],
): Subject {
  return {
    type: "order",
    table: orders,
    row,
    subscription_id: (subscriptionIds.length === 1 && subscriptionIds[0]) || null,
    order_id: row.id,
    profile_id: row.profile_id,
  };
}

/** The statements that link an order to subscriptions. */
export function insertLinks(ctx: Ctx, order_id: string, subscriptionIds: string[]): Statement[] {
  return subscriptionIds.map((subscription_id) =>
    insertLink({ account_seq: ctx.account.seq, subscription_id, order_id }),
  );
}

export function newOrder(
  ctx: Ctx,
  values: OrderValues,
  subscriptionIds: string[],
  metadata?: Record<string, unknown>,
): NewOrder {
  const id = ctx.newId();
  const identity = { id, account_seq: ctx.account.seq, revision: 1 };
  const order = insertRow(orders, {
    is_prepaid: 0,
    ...identity,
    ...values,
    search_text: orderSearchText(values),
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  return {
    id,
    writes: [order, ...insertLinks(ctx, id, subscriptionIds)],
    entry: {
      action: "order_placed",
      subject: orderSubject({ ...identity, profile_id: values.profile_id ?? null }, subscriptionIds),
      ...(metadata ? { metadata } : {}),
    },
  };
}

const insertLink = prepare((p: Params<typeof orderSubscriptions.$inferSelect>) =>
  build
    .insert(orderSubscriptions)
    .values({
      account_seq: p("account_seq"),
      subscription_id: p("subscription_id"),
      order_id: p("order_id"),
    })
    .onConflictDoNothing(),
);

type Required =
  | "status"
  | "fulfillment_status"
  | "order_type"
  | "is_checkout_order"
  | "has_subscription"
  | "store_order_id"
  | "currency_code"
  | "subtotal"
  | "discount_amount"
  | "total"
  | "refunded_amount";
type Generated = "seq" | "id" | "account_seq" | "revision" | "search_text" | "created_at" | "updated_at";
type OrderValues = Pick<Order, Required> & Partial<Omit<Order, Required | Generated>>;

/** A new order: its id, the writes that insert it, and its history entry for the same batch. */
type NewOrder = { id: string; writes: Statement[]; entry: Entry };
