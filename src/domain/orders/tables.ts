import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";
import { disputeStatuses } from "../../stores/port/disputes.ts";

export const orderStatuses = ["PENDING", "PAID", "PARTIALLY_REFUNDED", "REFUNDED", "CANCELLED"] as const;
export const fulfillmentStatuses = ["UNFULFILLED", "PARTIALLY_FULFILLED", "FULFILLED"] as const;
/** The progress of the return of an order's goods. An order of which nothing is returned has none of them. */
export const returnStatuses = [
  "RETURN_REQUESTED",
  "IN_PROGRESS",
  "INSPECTION_COMPLETE",
  "RETURN_FAILED",
  "RETURNED",
] as const;
export const orderTypes = ["SUBSCRIPTION", "ONE_TIME", "UPSELL"] as const;

/** Amounts are minor units of currency_code. */
export const orders = sqliteTable("orders", {
  seq: integer().primaryKey(),
  id: id(),
  account_seq: accountSeq(),
  revision: integer().notNull(),
  status: text({ enum: orderStatuses }).notNull(),
  fulfillment_status: text({ enum: fulfillmentStatuses }).notNull(),
  return_status: text({ enum: returnStatuses }),
  order_type: text({ enum: orderTypes }).notNull(),
  is_checkout_order: flag(),
  has_subscription: flag(),
  store_order_id: text().notNull(),
  store_order_number: text(),
  external_order_id: text(),
  external_order_number: text(),
  external_source: text(),
  profile_id: text(),
  delivery_slot_id: text(),
  currency_code: text().notNull(),
  subtotal: integer().notNull(),
  discount_amount: integer().notNull(),
  total: integer().notNull(),
  refunded_amount: integer().notNull(),
  production_date: text(),
  billing_date: text(),
  delivery_date: text(),
  order_created_at: text(),
  tracking_number: text(),
  tracking_company: text(),
  tracking_url: text(),
  search_text: text().notNull(),
  ...stamps,
  /** The billing attempt that paid for it; null for the store's own sales and for prepaid deliveries. */
  billing_attempt_id: text(),
  /** The order that has the content, the same as this one's; null where it is here. */
  content_order_id: text(),
  /** JSON: an array of OrderLine, as it was when the order was placed; null for orders that were not placed here. */
  lines: text(),
  /** JSON: where it is delivered; null where that is not known here. */
  delivery_address: text(),
  delivery_instructions: text(),
  /** Whether an earlier order has paid for it. */
  is_prepaid: flag(),
  /** Which of the deliveries of one billing it is, from 1, and how many these are; null where each delivery is billed. */
  prepaid_delivery: integer(),
  prepaid_deliveries: integer(),
});

export const orderSubscriptions = sqliteTable(
  "order_subscriptions",
  { account_seq: accountSeq(), subscription_id: text().notNull(), order_id: text().notNull() },
  (t) => [primaryKey({ columns: [t.account_seq, t.subscription_id, t.order_id] })],
);

/** Disputes of the charges of orders, as the store last showed them. Amounts are minor units of currency_code. */
export const orderDisputes = sqliteTable(
  "order_disputes",
  {
    id: id(),
    account_seq: accountSeq(),
    order_id: text().notNull(),
    /** The order's subscription; null where it has none, or several. */
    subscription_id: text(),
    store_dispute_id: text().notNull(),
    amount: integer().notNull(),
    currency_code: text().notNull(),
    status: text({ enum: disputeStatuses }).notNull(),
    /** Whether the bank only asks about the payment, or did so to the end. */
    is_inquiry: flag(),
    reason: text(),
    /** Whether it keeps the subscription from being billed. */
    is_blocking: flag(),
    /** By the store's time. */
    opened_at: text().notNull(),
    closed_at: instant(),
    ...stamps,
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

/** The number of orders for each combination of list filters, maintained by triggers. */
export const orderCounts = sqliteTable(
  "order_counts",
  {
    account_seq: accountSeq(),
    status: text().notNull(),
    fulfillment_status: text().notNull(),
    is_checkout_order: integer().notNull(),
    has_subscription: integer().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({
      columns: [t.account_seq, t.status, t.fulfillment_status, t.is_checkout_order, t.has_subscription],
    }),
  ],
);

/** The days between the creation of a month's orders and each of their dates, at least and at most; maintained by triggers. */
export const orderSpans = sqliteTable(
  "order_spans",
  {
    account_seq: accountSeq(),
    month: text().notNull(),
    delivery_from: integer(),
    delivery_to: integer(),
    billing_from: integer(),
    billing_to: integer(),
    production_from: integer(),
    production_to: integer(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.month] })],
);

/** The columns that say what is packed, and where it goes. */
export const contentColumns = [
  "content_order_id",
  "lines",
  "delivery_address",
  "delivery_instructions",
  "is_prepaid",
  "prepaid_delivery",
  "prepaid_deliveries",
] as const satisfies (keyof Order)[];

/** An item of a box that is packed as one line. */
export type PackedItem = {
  slot_id: string;
  store_product_id: string;
  store_variant_id: string;
  product_title: string;
  variant_title: string | null;
  quantity: number;
};

/** The product of a line, of a subscription or an order. */
export type LineProduct = {
  store_product_id: string;
  store_variant_id: string;
  subscription_variant_id: string | null;
  product_title: string;
  variant_title: string | null;
  sku: string | null;
  selling_plan_id: string;
  selling_plan_name: string;
  entity_id: string | null;
  quantity: number;
  is_one_time: boolean;
};

/** A line of an order. Amounts are minor units, and 0 where an earlier order has paid. */
export type OrderLine = LineProduct & {
  subscription_line_id: string;
  price: number;
  line_total: number;
  discount_amount: number;
  selection_items: PackedItem[] | null;
};

export type Order = typeof orders.$inferSelect;
export type OrderDispute = typeof orderDisputes.$inferSelect;
