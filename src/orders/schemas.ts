import { z } from "@hono/zod-openapi";
import { DeliverySlotBody } from "../delivery/schemas.ts";
import { moneyOut } from "../http/money.ts";
import { listOf, pageQuery } from "../http/pagination.ts";
import {
  anyText,
  dateIn,
  dateOut,
  idIn,
  instant,
  queryBoolean,
  queryList,
  searchText,
  sortDirection,
} from "../http/params.ts";
import { ProfileBody } from "../profiles/schemas.ts";
import { subscriptionStatuses } from "../subscriptions/tables.ts";
import { fulfillmentStatuses, orderStatuses, orderTypes } from "./tables.ts";

const OrderStatus = z.enum(orderStatuses).openapi("OrderStatus");
const FulfillmentStatus = z.enum(fulfillmentStatuses).openapi("FulfillmentStatus");
const OrderType = z.enum(orderTypes).openapi("OrderType");
export const SubscriptionStatus = z.enum(subscriptionStatuses).openapi("SubscriptionStatus");

/** What an order shows of a subscription it belongs to. */
const OrderSubscription = z
  .strictObject({
    id: z.string(),
    number: z.string(),
    status: SubscriptionStatus,
    frequency_label: z.string(),
    entity_id: z.string().nullable(),
    entity_label: z.string().nullable(),
  })
  .openapi("OrderSubscription");

/** An order by itself. */
export const PlainOrderBody = z
  .strictObject({
    id: z.string(),
    account_id: z.string(),
    status: OrderStatus,
    fulfillment_status: FulfillmentStatus,
    order_type: OrderType,
    is_checkout_order: z.boolean(),
    store_order_id: z.string(),
    store_order_number: z.string().nullable(),
    external_order_id: z.string().nullable(),
    external_order_number: z.string().nullable(),
    external_source: z.string().nullable(),
    currency_code: z.string(),
    subtotal: moneyOut,
    discount_amount: moneyOut,
    total: moneyOut,
    profile_id: z.string().nullable(),
    production_date: dateOut.nullable(),
    billing_date: dateOut.nullable(),
    delivery_date: dateOut.nullable(),
    order_created_at: instant.nullable(),
    tracking_number: z.string().nullable(),
    tracking_company: z.string().nullable(),
    tracking_url: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("PlainOrder");

/** An order; profile and delivery_slot are there where it has one. */
export const OrderBody = z
  .strictObject({
    ...PlainOrderBody.shape,
    profile: ProfileBody.optional(),
    subscriptions: z.array(OrderSubscription),
    delivery_slot: DeliverySlotBody.optional(),
  })
  .openapi("Order");

export const OrderData = z.strictObject({ data: OrderBody }).openapi("OrderData");
export const OrderList = listOf(OrderBody, "OrderList");

export const OrderQuery = z.strictObject({
  ...pageQuery,
  status: queryList(orderStatuses).optional(),
  fulfillment_status: FulfillmentStatus.optional(),
  subscription_id: idIn.optional(),
  profile_id: idIn.optional(),
  entity_id: idIn.optional(),
  search: searchText.optional().openapi({
    description: "Part of an order id, number or tracking number, or of the customer's e-mail or name.",
  }),
  tracking_number: anyText.optional(),
  has_subscription: queryBoolean.optional(),
  is_checkout_order: queryBoolean.optional(),
  delivery_date_from: dateIn.optional(),
  delivery_date_to: dateIn.optional(),
  billing_date_from: dateIn.optional(),
  billing_date_to: dateIn.optional(),
  production_date_from: dateIn.optional(),
  production_date_to: dateIn.optional(),
  sort_by: z.enum(["created_at", "delivery_date", "billing_date", "total", "status"]).optional(),
  sort_order: sortDirection.optional(),
});
