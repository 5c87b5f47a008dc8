import { type AnyColumn, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { embedRecord } from "../../base/db/embed.ts";
import {
  countedBy,
  facet,
  facetIn,
  facetWhere,
  narrow,
  narrowBy,
  type Param,
  rangeOf,
  rareWhere,
  unindexedFilter,
  uniqueBy,
} from "../../base/db/filters.ts";
import { listReader, type RowOfList } from "../../base/db/list/listing.ts";
import { searchOwn, searchOwnAndCustomers } from "../../base/db/list/search.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, columnsEqual, first, type Params, prepare, subSelect } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { plainId } from "../../stores/ids.ts";
import { deliverySlots } from "../delivery/tables.ts";
import { profileColumns } from "../profiles/queries.ts";
import { profiles } from "../profiles/tables.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { contentColumns, joinHeld } from "./held-content.ts";
import {
  orderDisputes as disputes,
  fulfillmentStatuses,
  type Order,
  orderCounts,
  orderSpans,
  orderStatuses,
  orderSubscriptions,
  orders,
} from "./tables.ts";

export const embeddedProfile = embedRecord(profileColumns);
export const embeddedSlot = embedRecord(getTableColumns(deliverySlots));

export function getOrder(ctx: Ctx, id: string): Promise<OrderRow> {
  return oneOrder(ctx, { id });
}

/** An order of this customer. */
export function getOrderOf(ctx: Ctx, id: string, profile_id: string): Promise<OrderRow> {
  return oneOrder(ctx, { id, profile_id });
}

/** Our row of a store's order, by any form of its id. */
export async function findOrderOfStore(ctx: Ctx, storeOrderId: string): Promise<LinkedOrder | undefined> {
  const found = await first(ctx.db, selectOrderOfStore(ctx, storeOrderId));
  return found && linkedOrder(found);
}

/** The statement of `findOrderOfStore`, to be read in one trip with others; `linkedOrder` reads its row. */
export function selectOrderOfStore({ account }: Ctx, storeOrderId: string): Statement<OrderOfStore> {
  return selectByStoreId({ account_seq: account.seq, store_order_id: plainId("Order", storeOrderId) });
}

export function linkedOrder({ subscription_ids, ...row }: OrderOfStore): LinkedOrder {
  return {
    row,
    subscriptionIds: JSON.parse(subscription_ids),
  };
}

const {
  search_text: _search,
  seq: _seq,
  revision: _revision,
  content_order_id: _content,
  ...shown
} = getTableColumns(orders);

const itsSubscriptions = sql<string>`(SELECT json_group_array(json_object(
    'id', ${subscriptions.id}, 'number', ${subscriptions.number}, 'status', ${subscriptions.status},
    'billing_interval', ${subscriptions.billing_interval},
    'billing_interval_count', ${subscriptions.billing_interval_count},
    'entity_id', ${subscriptions.entity_id}, 'entity_label', ${subscriptions.entity_label}))
  FROM ${orderSubscriptions} JOIN ${subscriptions}
    ON ${subscriptions.account_seq} = ${orderSubscriptions.account_seq} AND ${subscriptions.id} = ${orderSubscriptions.subscription_id}
  WHERE ${orderSubscriptions.account_seq} = ${orders.account_seq} AND ${orderSubscriptions.order_id} = ${orders.id})`;

/** The dispute of the order that was opened last, as JSON. */
const itsDispute = sql<string | null>`(SELECT json_object(
    'id', ${disputes.id}, 'status', ${disputes.status}, 'is_inquiry', ${disputes.is_inquiry}, 'amount', ${disputes.amount},
    'currency_code', ${disputes.currency_code}, 'reason', ${disputes.reason}, 'store_dispute_id', ${disputes.store_dispute_id},
    'opened_at', ${disputes.opened_at}, 'closed_at', ${disputes.closed_at})
  FROM ${disputes} WHERE ${disputes.account_seq} = ${orders.account_seq} AND ${disputes.order_id} = ${orders.id}
  ORDER BY ${disputes.opened_at} DESC, ${disputes.id} DESC LIMIT 1)`;

const isOfOrder = sql`${orderSubscriptions.account_seq} = ${orders.account_seq} AND ${orderSubscriptions.order_id} = ${orders.id}`;

const isOfLink = sql`${orderSubscriptions.account_seq} = ${subscriptions.account_seq}
  AND ${orderSubscriptions.subscription_id} = ${subscriptions.id}`;

export const listOrders = listReader({
  columns: {
    ...shown,
    ...contentColumns,
    seq: orders.seq,
    profile: embeddedProfile.column,
    delivery_slot: embeddedSlot.column,
    subscriptions: itsSubscriptions,
    dispute: itsDispute,
  },
  table: orders,
  joins: sql`LEFT JOIN ${profiles} ON ${profiles.account_seq} = ${orders.account_seq} AND ${profiles.id} = ${orders.profile_id}
    LEFT JOIN ${deliverySlots} ON ${deliverySlots.account_seq} = ${orders.account_seq}
      AND ${deliverySlots.id} = ${orders.delivery_slot_id}
    ${joinHeld}`,
  scope: (p) => sql`${orders.account_seq} = ${p("account_seq")}`,
  tiebreaker: orders.seq,
  sorts: {
    created_at: orders.created_at,
    delivery_date: orders.delivery_date,
    billing_date: orders.billing_date,
    total: orders.total,
    status: orders.status,
  },
  ties: { status: orders.created_at },
  filters: {
    id: uniqueBy(orders.id, "id"),
    fulfillment_status: {
      ...facet(orders.fulfillment_status, "fulfillment_status", []),
      index: "orders_by_status_and_time",
    },
    is_checkout_order: unindexedFilter((p) => sql`${orders.is_checkout_order} = ${p("is_checkout_order")}`),
    from_checkout: rareWhere(() => sql`${orders.is_checkout_order} = 1`),
    has_subscription: unindexedFilter((p) => sql`${orders.has_subscription} = ${p("has_subscription")}`),
    without_subscription: rareWhere(() => sql`${orders.has_subscription} = 0`),
    has_production_date: unindexedFilter(
      (p) => sql`(${orders.production_date} IS NOT NULL) = ${p("has_production_date")}`,
    ),
    profile_id: narrowBy(orders.profile_id, "profile_id", ["created_at"]),
    tracking_number: narrowBy(orders.tracking_number, "tracking_number"),
    subscription_id: {
      ...narrow(
        (p) => sql`EXISTS (SELECT 1 FROM ${orderSubscriptions} WHERE ${isOfOrder}
          AND ${orderSubscriptions.subscription_id} = ${p("subscription_id")})`,
        (p) =>
          onOrders(
            p,
            sql`SELECT DISTINCT ${orderSubscriptions.order_id} AS order_id FROM ${orderSubscriptions}
            WHERE ${orderSubscriptions.account_seq} = ${p("account_seq")}
              AND ${orderSubscriptions.subscription_id} = ${p("subscription_id")}`,
          ),
      ),
      reads: 2,
    },
    entity_id: {
      ...narrow(
        (p) => sql`EXISTS (SELECT 1 FROM ${orderSubscriptions} JOIN ${subscriptions} ON ${isOfLink}
          WHERE ${isOfOrder} AND ${subscriptions.entity_id} = ${p("entity_id")})`,
        (p) =>
          onOrders(
            p,
            sql`SELECT DISTINCT ${orderSubscriptions.order_id} AS order_id FROM ${subscriptions}
            CROSS JOIN ${orderSubscriptions} ON ${isOfLink}
            WHERE ${subscriptions.account_seq} = ${p("account_seq")} AND ${subscriptions.entity_id} = ${p("entity_id")}`,
          ),
      ),
      reads: 3,
    },
    delivery_date_from: from(orders.delivery_date, "delivery_date_from"),
    delivery_date_to: to(orders.delivery_date, "delivery_date_to"),
    billing_date_from: from(orders.billing_date, "billing_date_from"),
    billing_date_to: to(orders.billing_date, "billing_date_to"),
    production_date_from: from(orders.production_date, "production_date_from"),
    production_date_to: to(orders.production_date, "production_date_to"),
  },
  split: {
    name: "status",
    column: orders.status,
    values: orderStatuses,
    sorts: ["delivery_date", "billing_date", "total"],
    second: {
      name: "fulfillment_status",
      column: orders.fulfillment_status,
      values: fulfillmentStatuses,
    },
  },
  byTime: { column: orders.status, values: orderStatuses },
  spans: {
    of: (p) => sql`FROM ${orderSpans} WHERE ${orderSpans.account_seq} = ${p("account_seq")}`,
    month: orderSpans.month,
    dates: [
      { column: orders.delivery_date, from: orderSpans.delivery_from, to: orderSpans.delivery_to },
      { column: orders.billing_date, from: orderSpans.billing_from, to: orderSpans.billing_to },
      { column: orders.production_date, from: orderSpans.production_from, to: orderSpans.production_to },
    ],
  },
  search: searchOwnAndCustomers(
    searchOwn({ table: orders, index: "order_search", columns: "search_text", texts: [orders.search_text] }),
    orders,
  ),
  totals: countedBy(orderCounts, orderCounts.account_seq, {
    status: facetIn(orderCounts.status, "status"),
    fulfillment_status: facet(orderCounts.fulfillment_status, "fulfillment_status"),
    is_checkout_order: facet(orderCounts.is_checkout_order, "is_checkout_order"),
    from_checkout: facetWhere(() => sql`${orderCounts.is_checkout_order} = 1`),
    has_subscription: facet(orderCounts.has_subscription, "has_subscription"),
    without_subscription: facetWhere(() => sql`${orderCounts.has_subscription} = 0`),
  }),
});

/** The orders between two ids, piece by piece. */
export const ordersInRange = listOrders.range(orders.id);

/** An order with its profile, its slot and its subscriptions, each as JSON. */
export type OrderRow = RowOfList<typeof listOrders>;

async function oneOrder(ctx: Ctx, filters: { id: string; profile_id?: string }): Promise<OrderRow> {
  const order = await listOrders.first(ctx, filters);
  if (!order) throw notFound("Order");
  return order;
}

/** An order, and the subscriptions that it belongs to. */
export type LinkedOrder = { row: Order; subscriptionIds: string[] };

/** An order, and the ids of its subscriptions as JSON. */
export type OrderOfStore = Order & { subscription_ids: string };

/** The ids of an order's subscriptions, as JSON. */
export const subscriptionIdsColumn = subSelect(
  sql<string>`(SELECT json_group_array(${orderSubscriptions.subscription_id})
    FROM ${orderSubscriptions} WHERE ${isOfOrder})`,
  "subscription_ids",
);

/** Led by the store's id: sorted by the index of its own ids, every order of the account would be read. */
const selectByStoreId = prepare((p: Params<{ account_seq: AccountSeq; store_order_id: string }>) =>
  build
    .select({
      ...getTableColumns(orders),
      subscription_ids: subscriptionIdsColumn,
    })
    .from(orders)
    .where(columnsEqual(orders, p, "account_seq", "store_order_id"))
    .orderBy(sql`+${orders.id}`)
    .limit(1),
);

function to(column: AnyColumn, name: string) {
  return rangeOf(column.name, "upper", (p) => sql`${column} <= ${p(name)}`);
}

function from(column: AnyColumn, name: string) {
  return rangeOf(column.name, "lower", (p) => sql`${column} >= ${p(name)}`);
}

/** The orders of these ids, which the query plan starts with. */
function onOrders(p: Param, orderIds: SQL): SQL {
  return sql`(${orderIds}) AS named CROSS JOIN ${orders}
    ON ${orders.account_seq} = ${p("account_seq")} AND ${orders.id} = named.order_id`;
}
