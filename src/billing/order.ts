import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { build, statement } from "../db/statement.ts";
import type { Entry } from "../journal/write.ts";
import { orderSearchText } from "../orders/search.ts";
import { orderSubscriptions, orders } from "../orders/tables.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { Frozen } from "./frozen.ts";

/** What an order takes of the frozen cycle; amounts are minor units. */
type Content = Pick<
  Frozen,
  "billing_date" | "delivery_date" | "production_date" | "delivery_slot_id" | "subtotal" | "discount_amount"
>;
type Sold = {
  amount: number;
  store_order_id: string;
  store_order_number: string | null;
  attemptId: string | null;
};

/** The writes that make a subscription's order, and the order's own entry (DECISIONS §6: SUBSCRIPTION, PAID, UNFULFILLED). */
export const placeOrder = (
  ctx: Ctx,
  { id: subscription_id, profile_id, currency_code }: Subscription,
  content: Content,
  { amount, store_order_id, store_order_number, attemptId }: Sold,
): { id: string; writes: Statement[]; entry: Entry } => {
  const id = ctx.newId();
  const account_id = ctx.account.id;
  const order = build.insert(orders).values({
    id,
    account_id,
    revision: 1,
    status: "PAID",
    fulfillment_status: "UNFULFILLED",
    order_type: "SUBSCRIPTION",
    is_checkout_order: 0,
    has_subscription: 1,
    store_order_id,
    store_order_number,
    profile_id,
    delivery_slot_id: content.delivery_slot_id,
    currency_code,
    subtotal: content.subtotal,
    discount_amount: content.discount_amount,
    total: amount,
    refunded_amount: 0,
    billing_date: content.billing_date,
    delivery_date: content.delivery_date,
    production_date: content.production_date,
    order_created_at: ctx.now,
    search_text: orderSearchText({ store_order_id, store_order_number }),
    created_at: ctx.now,
    updated_at: ctx.now,
    billing_attempt_id: attemptId,
  });
  const link = build.insert(orderSubscriptions).values({ account_id, subscription_id, order_id: id });
  return {
    id,
    writes: [statement(order), statement(link)],
    entry: {
      action: "order_placed",
      subject: {
        type: "order",
        table: orders,
        row: { id, account_id, revision: 1 },
        subscription_id,
        order_id: id,
        profile_id,
      },
      ...(attemptId === null ? {} : { metadata: { billing_attempt_id: attemptId } }),
    },
  };
};
