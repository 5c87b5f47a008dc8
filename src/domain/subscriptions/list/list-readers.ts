import { type AnyColumn, getTableColumns, sql } from "drizzle-orm";
import {
  countedBy,
  facet,
  facetIn,
  facetWhere,
  narrow,
  narrowBy,
  type Param,
  rangeOf,
  unindexedFilter,
  uniqueBy,
} from "../../../base/db/filters.ts";
import { listReader, type RowOfList } from "../../../base/db/list/listing.ts";
import { searchOwn, searchOwnAndCustomers } from "../../../base/db/list/search.ts";
import { inJson } from "../../../base/db/statement.ts";
import { acceptedOffersColumn } from "../accepted-offers.ts";
import {
  type Subscription,
  subscriptionCounts,
  subscriptionSkips,
  subscriptionStatuses,
  subscriptions,
} from "../tables.ts";
import { contentFilters } from "./content-filters.ts";
import { joined, joinedInList, joins } from "./joined-records.ts";
import { reminderFilters } from "./reminder-filters.ts";

const all = getTableColumns(subscriptions);

/** The columns that a list shows; its items have no lines, which are most of a row. */
const {
  anchor_date: _anchor,
  anchor_day: _anchorDay,
  next_index: _index,
  next_billed_index: _billed,
  schedule_revision: _schedule,
  activation: _activation,
  max_cycles: _cycles,
  lines: _lines,
  shipping_amount: _shipping,
  tax_amount: _tax,
  total_revenue: _revenue,
  search_text: _search,
  revision: _change,
  deliveries_per_billing: _deliveries,
  billing_wait_count: _tries,
  billing_retry_at: _retry,
  source_group_id: _group,
  ...shownInLists
} = all;
export type ShownInLists = Pick<Subscription, keyof typeof shownInLists>;

const owing = sql`(${subscriptions.dunning_episode_id} IS NOT NULL OR ${subscriptions.status} = 'PAYMENT_FAILED')`;

const listing = {
  table: subscriptions,
  joins,
  scope: (p: Param) => sql`${subscriptions.account_seq} = ${p("account_seq")}`,
  tiebreaker: subscriptions.seq,
  sorts: {
    created_at: subscriptions.created_at,
    next_billing_date: subscriptions.next_billing_date,
    next_delivery_date: subscriptions.next_delivery_date,
    next_production_date: subscriptions.next_production_date,
    total: subscriptions.total,
    status: subscriptions.status,
  },
  ties: { status: subscriptions.created_at },
  filters: {
    id: uniqueBy(subscriptions.id, "id"),
    ids: { ...narrow((p) => inJson(subscriptions.id, p("ids"))), isUnique: true },
    own_profile: narrowBy(subscriptions.profile_id, "own_profile", ["created_at"]),
    profile_id: narrowBy(subscriptions.profile_id, "profile_id", ["created_at"]),
    entity_id: narrowBy(subscriptions.entity_id, "entity_id"),
    cancellation_reason_id: {
      ...facet(subscriptions.cancellation_reason_id, "cancellation_reason_id"),
      isRare: true,
      implies: ["CANCELLED"],
    },
    migration_source_ref: {
      ...facet(subscriptions.migration_source_ref, "migration_source_ref"),
      isRare: true,
    },
    store_contract_id: uniqueBy(subscriptions.store_contract_id, "store_contract_id"),
    failed_payment: {
      ...unindexedFilter((p) => sql`${owing} = ${p("failed_payment")}`),
      implies: subscriptionStatuses.filter((status) => status !== "PAYMENT_FAILED"),
    },
    owing: {
      ...facetWhere(() => sql`${owing} = 1`, []),
      isRare: true,
      index: "subscriptions_owing_by_time",
      copies: {
        created_at: "subscriptions_owing_by_time",
        status: "subscriptions_owing_by_time",
        next_billing_date: "subscriptions_owing_by_billing_date",
        next_delivery_date: "subscriptions_owing_by_delivery_date",
        next_production_date: "subscriptions_owing_by_production_date",
        total: "subscriptions_owing_by_total",
      },
    },
    ...reminderFilters,
    ...contentFilters,
    next_billing_before: before(subscriptions.next_billing_date, "next_billing_before"),
    next_billing_after: after(subscriptions.next_billing_date, "next_billing_after"),
    next_delivery_before: before(subscriptions.next_delivery_date, "next_delivery_before"),
    next_delivery_after: after(subscriptions.next_delivery_date, "next_delivery_after"),
    next_production_before: before(subscriptions.next_production_date, "next_production_before"),
    next_production_after: after(subscriptions.next_production_date, "next_production_after"),
    created_before: before(subscriptions.created_at, "created_before"),
    created_after: after(subscriptions.created_at, "created_after"),
    created_since: since(subscriptions.created_at, "created_since"),
  },
  split: {
    name: "status",
    column: subscriptions.status,
    values: subscriptionStatuses,
    sorts: ["next_billing_date", "next_delivery_date", "next_production_date", "total"],
  },
  byTime: { column: subscriptions.status, values: subscriptionStatuses },
  search: searchOwnAndCustomers(
    searchOwn({
      table: subscriptions,
      index: "subscription_search",
      columns: "search_text",
      texts: [subscriptions.search_text],
    }),
    subscriptions,
  ),
  totals: countedBy(subscriptionCounts, subscriptionCounts.account_seq, {
    status: facetIn(subscriptionCounts.status, "status"),
    failed_payment: facet(subscriptionCounts.failed_payment, "failed_payment"),
    owing: facetWhere(() => sql`${subscriptionCounts.failed_payment} = 1`),
  }),
};

/** Subscriptions with all that they show. */
export const readViews = listReader({
  ...listing,
  columns: { ...all, ...joined, accepted_offers: acceptedOffersColumn },
});
/** Subscriptions as a list shows them. */
export const listItems = listReader({ ...listing, columns: { ...shownInLists, ...joinedInList } });

/** The subscriptions between two numbers, piece by piece; `viewsOf` reads their rows. */
export const subscriptionsInRange = readViews.range(subscriptions.number);
export type SubscriptionRow = RowOfList<typeof readViews>;

const { id, seq, created_at } = subscriptions;
/** The ids of a list's subscriptions, without the records that they show. */
export const listIds = listReader({ ...withoutJoins(listing), columns: { id, seq, created_at } });

export const listSkips = listReader({
  table: subscriptionSkips,
  columns: getTableColumns(subscriptionSkips),
  scope: (p) => sql`${subscriptionSkips.account_seq} = ${p("account_seq")}
    AND ${subscriptionSkips.subscription_id} = ${p("subscription_id")}`,
  tiebreaker: subscriptionSkips.id,
  sorts: { created_at: subscriptionSkips.created_at },
  filters: {},
});

function withoutJoins({ joins: _joins, ...own }: typeof listing) {
  return own;
}

function since(column: AnyColumn, name: string) {
  return rangeOf(column.name, "lower", (p) => sql`${column} >= ${p(name)}`);
}

function after(column: AnyColumn, name: string) {
  return rangeOf(column.name, "lower", (p) => sql`${column} > ${p(name)}`);
}

function before(column: AnyColumn, name: string) {
  return rangeOf(column.name, "upper", (p) => sql`${column} < ${p(name)}`);
}
