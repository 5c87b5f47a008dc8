import { newId } from "../../../src/base/lib/ids.ts";
import {
  type OrderLine,
  orderDisputes,
  orderSubscriptions,
  orders,
} from "../../../src/domain/orders/tables.ts";
import { orderRefunds } from "../../../src/domain/own-orders/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

function lineOf(mark: string): OrderLine {
  return {
    subscription_line_id: crypto.randomUUID(),
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    subscription_variant_id: null,
    product_title: mark,
    variant_title: null,
    sku: "SKU-1",
    selling_plan_id: "plan-1",
    selling_plan_name: "Weekly",
    entity_id: null,
    quantity: 1,
    price: 4250,
    line_total: 4250,
    discount_amount: 0,
    is_one_time: false,
    selection_items: [
      {
        slot_id: "slot-1",
        store_product_id: "product-2",
        store_variant_id: "variant-2",
        product_title: mark,
        variant_title: null,
        quantity: 1,
      },
    ],
  };
}

export const orderPart: MakePart = ({ account }, mark, ids) => {
  const { profile, slot, subscription, order, sold, sent, calledOff, refund } = ids;
  const values = {
    account_id: account.id,
    revision: 1,
    status: "PAID",
    fulfillment_status: "UNFULFILLED",
    order_type: "SUBSCRIPTION",
    is_checkout_order: 0,
    has_subscription: 1,
    profile_id: profile,
    delivery_slot_id: slot,
    delivery_date: "2026-06-04",
    currency_code: "USD",
    subtotal: 4250,
    discount_amount: 0,
    total: 4250,
    refunded_amount: 0,
    tracking_number: mark,
    search_text: mark,
    lines: JSON.stringify([lineOf(mark)]),
    delivery_address: JSON.stringify({
      address1: mark,
      city: "London",
      zip: "N1",
      country: "United Kingdom",
      country_code: "GB",
    }),
    delivery_instructions: mark,
    is_prepaid: 0,
    ...stamps,
  } as const;
  const path = "/api/subscriptions/orders/{id}";
  return {
    writes: [
      insertOf(orders, {
        ...values,
        id: order,
        store_order_id: `order-${mark}`,
        is_prepaid: 1,
        prepaid_delivery: 2,
        prepaid_deliveries: 3,
      }),
      insertOf(orderSubscriptions, {
        account_id: account.id,
        subscription_id: subscription,
        order_id: order,
      }),
      insertOf(orders, { ...values, id: sent, store_order_id: `sent-${mark}` }),
      insertOf(orders, { ...values, id: calledOff, store_order_id: `called-off-${mark}` }),
      insertOf(orders, {
        ...values,
        id: sold,
        store_order_id: `sold-${mark}`,
        billing_attempt_id: ids.paid,
        status: "PARTIALLY_REFUNDED",
        refunded_amount: 100,
      }),
      insertOf(orderDisputes, {
        id: newId(),
        account_id: account.id,
        order_id: sold,
        subscription_id: ids.skipped,
        store_dispute_id: `dispute-${mark}`,
        amount: 1000,
        currency_code: "USD",
        status: "LOST",
        is_inquiry: 0,
        reason: "fraudulent",
        is_blocking: 1,
        opened_at: stamps.created_at,
        closed_at: stamps.created_at,
        ...stamps,
      }),
      insertOf(orderRefunds, {
        id: refund,
        account_id: account.id,
        order_id: sold,
        is_own: 1,
        amount: 100,
        status: "SUCCEEDED",
        reason: mark,
        created_by_type: "system",
        store_reference: `refund-${mark}`,
        tries: 1,
        ...stamps,
      }),
    ],
    paths: {
      [path]: { id: order },
      [`${path}/fulfillment`]: { id: sent },
      [`${path}/cancel`]: { id: calledOff },
      [`${path}/refunds`]: { id: sold },
    },
    bodies: {
      // Paying back needs a scope of its own.
      cancelOrder: { reason: mark },
    },
    queries: {
      listOrders: { profile_id: profile, subscription_id: subscription, search: mark, tracking_number: mark },
    },
  };
};
