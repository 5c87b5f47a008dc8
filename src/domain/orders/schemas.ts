import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import {
  anyText,
  dateFilter,
  dateOut,
  idIn,
  instant,
  orNull,
  queryBoolean,
  queryList,
  searchText,
  sortDirection,
} from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { DeliverySlotBody } from "../delivery/schemas.ts";
import { ProfileBody } from "../profiles/schemas.ts";
import { subscriptionStatuses } from "../subscriptions/tables.ts";
import { AddressOut, OrderLineBody } from "./content-schemas.ts";
import { OrderDisputeBody } from "./dispute-schemas.ts";
import { fulfillmentStatuses, orderStatuses, orderTypes, returnStatuses } from "./tables.ts";

const OrderStatus = z.enum(orderStatuses).openapi("OrderStatus", {
  description:
    "The payment of an order. PENDING: not paid yet. PAID: paid in full. PARTIALLY_REFUNDED: a part was paid back. REFUNDED: all of it was. CANCELLED: called off.",
});
export const FulfillmentStatus = z.enum(fulfillmentStatuses).openapi("FulfillmentStatus", {
  description:
    "The shipping of an order. UNFULFILLED: nothing was sent. PARTIALLY_FULFILLED: a part was. FULFILLED: all of it was.",
});
const ReturnStatus = z.enum(returnStatuses).openapi("ReturnStatus", {
  description:
    "The return of an order's goods, which says nothing of money: that is the order's status. RETURN_REQUESTED: the customer has asked to send something back. IN_PROGRESS: something is on its way back. INSPECTION_COMPLETE: what came back was inspected. RETURN_FAILED: a return was not completed. RETURNED: something came back. Of several returns the store shows the one that matters most.",
});
const OrderType = z.enum(orderTypes).openapi("OrderType", {
  description:
    "What an order came from. SUBSCRIPTION: a subscription. ONE_TIME: a single purchase. UPSELL: an addition to another purchase.",
});
export const SubscriptionStatus = z.enum(subscriptionStatuses).openapi("SubscriptionStatus", {
  description:
    "The state of a subscription. ACTIVE: billed and delivered, also while payment retries run. PAUSED: stands still until it is resumed. CANCELLED: ended by somebody. EXPIRED: its plan's last cycle was billed. PAYMENT_FAILED: every payment retry has failed.",
});

/** The part of a subscription that its orders show. */
const OrderSubscription = named(
  "OrderSubscription",
  z.strictObject({
    id: idOut,
    number: z.string(),
    status: SubscriptionStatus,
    frequency_label: z.string(),
    entity_id: idOut.nullable(),
    entity_label: z.string().nullable(),
  }),
  {
    id: referenceTexts.subscription_id,
    number: ["The subscription's number, which people use: counted from 1001 in each account.", "1001"],
    status: "The subscription's state now.",
    frequency_label: ["How often it is billed, in English.", "Every 2 weeks"],
    entity_id: ["The id of the entity that it is for; null for none.", demoId("entity", 1)],
    entity_label: ["The entity's name when the subscription was made; null for none.", "Biscuit"],
  },
  { description: "A subscription that an order belongs to." },
);

const orderTexts = {
  ...commonTexts,
  ...referenceTexts,
  id: ["The order's id.", demoId("order", 1)],
  status: "Whether the order is paid.",
  fulfillment_status: "Whether the order was sent.",
  return_status:
    "Whether the order's goods, or some of them, come back. Null while nothing does, and for a store that does not say.",
  order_type: "What the order came from.",
  is_checkout_order: "Whether a customer made the order at the store's checkout.",
  store_order_id: [
    "The order's plain id at the connected store. While the store does not show the order of a charge, the charge's id stands in its place.",
    "store-order-1",
  ],
  store_order_number: ["The number that the store shows for the order; null if it has none.", "D10001"],
  external_order_id: ["The order's id in another system, such as an ERP; null if it is in none.", null],
  external_order_number: ["The order's number in that system; null if it has none.", "ERP-2"],
  external_source: ["The name of that system; null if there is none.", "erp"],
  subtotal: ["The goods before discounts, in major units of currency_code.", 39.95],
  discount_amount: ["What all discounts take off, in major units of currency_code.", 4],
  total: [
    "What the order costs, with shipping and tax: major units of currency_code. 0 for a delivery that was paid for before. Refunds do not change it.",
    35.95,
  ],
  refunded_amount: ["How much of the total was paid back, in major units of currency_code.", 0],
  profile_id: ["The id of the profile: the customer. Null if not known.", demoId("profile", 1)],
  production_date: [
    "The calendar date on which the order is packed, in the account's time zone; null if not planned.",
    "2026-11-23",
  ],
  billing_date: [
    "The calendar date for which the order was billed, in the account's time zone; null if it was not billed here.",
    "2026-11-21",
  ],
  delivery_date: [
    "The calendar date of delivery, in the account's time zone; null if not planned.",
    "2026-11-24",
  ],
  order_created_at: ["When the order was placed: UTC. Null if not known.", "2026-11-21T12:00:00.000Z"],
  tracking_number: ["The parcel's tracking number; null until it is sent.", "1Z10000001"],
  tracking_company: ["The courier; null until the parcel is sent.", "UPS"],
  tracking_url: [
    "Where the parcel can be followed; null until it is sent.",
    "https://tracking.example.com/1Z10000001",
  ],
} as const satisfies Record<string, FieldText>;

/** An order by itself. */
export const PlainOrderBody = named(
  "PlainOrder",
  z.strictObject({
    id: idOut,
    account_id: idOut,
    status: OrderStatus,
    fulfillment_status: FulfillmentStatus,
    return_status: orNull(ReturnStatus),
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
    refunded_amount: moneyOut,
    profile_id: idOut.nullable(),
    production_date: dateOut.nullable(),
    billing_date: dateOut.nullable(),
    delivery_date: dateOut.nullable(),
    order_created_at: instant.nullable(),
    tracking_number: z.string().nullable(),
    tracking_company: z.string().nullable(),
    tracking_url: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  orderTexts,
  { description: "An order by itself, without the records that belong to it." },
);

/** An order; profile and delivery_slot are there where it has one. */
export const OrderBody = named(
  "Order",
  z.strictObject({
    ...PlainOrderBody.shape,
    lines: z.array(OrderLineBody).nullable(),
    delivery_address: orNull(AddressOut),
    delivery_instructions: z.string().nullable(),
    is_prepaid: z.boolean(),
    prepaid_delivery: z.int().nullable(),
    prepaid_deliveries: z.int().nullable(),
    dispute: orNull(OrderDisputeBody),
    profile: ProfileBody.optional(),
    subscriptions: z.array(OrderSubscription),
    delivery_slot: DeliverySlotBody.optional(),
  }),
  {
    ...orderTexts,
    lines:
      "What is packed, as it was when the order was placed. Null for an order that was not billed here: its lines are at the store.",
    dispute:
      "The dispute of its payment that was opened last; null for none. It changes neither the order's status nor the subscription's total_revenue.",
    delivery_address:
      "Where it is delivered, as the subscription had it when the order was placed. Null if not known here.",
    delivery_instructions: [
      "What the courier has to know, as the subscription had it when the order was placed; null for nothing.",
      "Leave it with the neighbours",
    ],
    is_prepaid:
      "Whether an earlier order has paid for this delivery: its total is 0, and the store has no order of its own for it.",
    prepaid_delivery: [
      "Which of the deliveries of one billing it is: 1 for the one that was billed. Null where each delivery is billed.",
      2,
    ],
    prepaid_deliveries: ["How many deliveries one billing pays for. Null where each delivery is billed.", 3],
    profile: "The customer; absent if not known.",
    subscriptions: "The subscriptions that the order belongs to; empty for a single purchase.",
    delivery_slot: "The slot in which it is delivered; absent if it has none.",
  },
  { description: "What was sold to a customer at one time, with its payment and shipping." },
);

export const OrderData = dataOf(OrderBody, "OrderData", "The order.");
export const OrderList = listOf(OrderBody, "OrderList");

export const OrderQuery = z.strictObject({
  ...pageQuery,
  status: queryList(orderStatuses).optional(),
  fulfillment_status: FulfillmentStatus.optional().openapi({
    param: { description: "Only orders shipped this far." },
  }),
  subscription_id: ofRecord("this subscription", demoId("subscription", 1)),
  profile_id: ofRecord("this profile", demoId("profile", 1)),
  entity_id: ofRecord("subscriptions for this entity", demoId("entity", 1)),
  search: searchText("Order").optional().openapi({
    description:
      "Part of an order id, order number or tracking number, or of the customer's e-mail, name, phone number, postal code or city, in any case and with or without apostrophes: 1 to 256 characters.",
    example: "D1000",
  }),
  tracking_number: anyText
    .optional()
    .openapi({ description: "Only orders with exactly this tracking number.", example: "1Z10000001" }),
  has_subscription: queryBoolean
    .optional()
    .openapi({ param: { description: "Only orders with a subscription, or only those without." } }),
  is_checkout_order: queryBoolean
    .optional()
    .openapi({ param: { description: "Only orders made at the store's checkout, or only the others." } }),
  has_production_date: queryBoolean.optional().openapi({
    param: {
      description: "Only orders that have a date of packing, or only those of which none is planned.",
    },
  }),
  delivery_date_from: describedDate("delivered on this date or later"),
  delivery_date_to: describedDate("delivered on this date or earlier"),
  billing_date_from: describedDate("billed on this date or later"),
  billing_date_to: describedDate("billed on this date or earlier"),
  production_date_from: describedDate("packed on this date or later"),
  production_date_to: describedDate("packed on this date or earlier"),
  sort_by: z.enum(["created_at", "delivery_date", "billing_date", "total", "status"]).optional().openapi({
    description:
      "What the list is sorted by: `created_at` (the default), `delivery_date`, `billing_date`, `total` or `status`.",
  }),
  sort_order: sortDirection
    .optional()
    .openapi({ param: { description: "The direction: `desc` by default, `asc` for `status`." } }),
});

function ofRecord(what: string, example: string) {
  return idIn.optional().openapi({ description: `Only orders of ${what}.`, example });
}

function describedDate(what: string) {
  return dateFilter(`orders ${what}`);
}
