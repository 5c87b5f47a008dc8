import { orderSubscriptions, orders } from "../../../src/orders/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

export const orderPart: MakePart = ({ account }, mark, { profile, slot, subscription, order }) => ({
  writes: [
    insertOf(orders, {
      id: order,
      account_id: account.id,
      revision: 1,
      status: "PAID",
      fulfillment_status: "UNFULFILLED",
      order_type: "SUBSCRIPTION",
      is_checkout_order: 0,
      has_subscription: 1,
      store_order_id: `order-${mark}`,
      profile_id: profile,
      delivery_slot_id: slot,
      currency_code: "USD",
      subtotal: 4250,
      discount_amount: 0,
      total: 4250,
      refunded_amount: 0,
      tracking_number: mark,
      search_text: mark,
      ...stamps,
    }),
    insertOf(orderSubscriptions, {
      account_id: account.id,
      subscription_id: subscription,
      order_id: order,
    }),
  ],
  paths: { "/api/subscriptions/orders/{id}": { id: order } },
  queries: {
    listOrders: { profile_id: profile, subscription_id: subscription, search: mark, tracking_number: mark },
  },
});
