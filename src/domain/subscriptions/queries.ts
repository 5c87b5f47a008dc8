import { type AnyColumn, and, eq, getTableColumns, sql } from "drizzle-orm";
import { customerSettings, type PortalSettings } from "../../base/accounts/portal-settings.ts";
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
import { type Listed, listReader, type RowOfList } from "../../base/db/listing.ts";
import { searchOwn, searchOwnAndCustomers } from "../../base/db/search.ts";
import {
  build,
  inJson,
  type Params,
  prepare,
  type Reads,
  type RowsBy,
  readTogether,
  rows,
} from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import { dateIn } from "../../base/lib/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { SlotWithDay } from "../delivery/queries.ts";
import { deliveryDays, deliverySlots } from "../delivery/tables.ts";
import { type Entity, entities } from "../entities/tables.ts";
import type { PlainOrder } from "../orders/present.ts";
import { plainOrderColumns } from "../orders/queries.ts";
import { orders } from "../orders/tables.ts";
import { type PaymentMethod, paymentMethods } from "../payment-methods/tables.ts";
import type { ProfileRow } from "../profiles/present.ts";
import { profileColumns } from "../profiles/queries.ts";
import { profiles } from "../profiles/tables.ts";
import { type AcceptedOffer, acceptedOffersColumn, readAcceptedOffers } from "./accepted-offers.ts";
import { addDays } from "./cadence.ts";
import { contentFilters } from "./content-filters.ts";
import { reminderFilters } from "./reminder-filters.ts";
import {
  type Subscription,
  subscriptionCounts,
  subscriptionSkips,
  subscriptionStatuses,
  subscriptions,
} from "./tables.ts";
import type { ViewContext } from "./view-context.ts";

/** The profile of a subscription. It is still shown after its deletion. */
export type Owner = ProfileRow & { deleted_at: string | null };

/** A subscription with the records that it shows, and the offers that keep it. */
export type SubscriptionView = ShownView<Subscription> & { acceptedOffers: AcceptedOffer[] };

type ShownView<Row> = {
  row: Row;
  profile: Owner;
  slot: SlotWithDay | undefined;
  entity: Entity | undefined;
  method: PaymentMethod | undefined;
  lastOrder: PlainOrder | undefined;
} & ViewContext;

/** A subscription as a list shows it. */
export type SubscriptionItemView = ShownView<ShownInLists>;

/** The surroundings that a view depends on besides its records: the account's today, its reminder setting, and who looks. */
export function viewContext({ now, account, actor }: Ctx): ViewContext {
  const { timezone, payment_reminder_days_before: days } = account;
  const today = dateIn(now, timezone);
  return {
    account,
    now,
    today,
    remindUntil: days === null ? null : addDays(today, days),
    viewer: actor.type,
    forbidden: forbiddenTo(customerSettings({ account, actor })),
  };
}

export async function listSubscriptions(
  ctx: Ctx,
  filters: Filters,
  page: Page,
): Promise<Listed<SubscriptionItemView>> {
  const scope = { account_seq: ctx.account.seq };
  const listed = await listItems(ctx.db, scope, { ...filters, ...reachable(ctx) }, page);
  const context = viewContext(ctx);
  return { ...listed, rows: listed.rows.map((row) => toView(context, row)) };
}

export async function getSubscription(ctx: Ctx, id: string): Promise<SubscriptionView> {
  const [view] = await getSubscriptionAnd(ctx, id, {});
  return view;
}

/** A subscription, and the rows of further statements by their names, in one trip. Throws NOT_FOUND. */
export async function getSubscriptionAnd<Named extends Reads>(
  ctx: Ctx,
  id: string,
  alongside: Named,
): Promise<[SubscriptionView, RowsBy<Named>]> {
  const one = readViews.newest({ account_seq: ctx.account.seq }, { id, ...reachable(ctx) });
  const [[row], found] = await readTogether(ctx.db, one, alongside);
  if (!row) throw notFound("Subscription");
  return [toFullView(viewContext(ctx), row), found];
}

/** Those of these ids that are subscriptions, and the rows of further statements by their names, in one trip. */
export async function findSubscriptionsAnd<Named extends Reads>(
  ctx: Ctx,
  ids: string[],
  alongside: Named,
): Promise<[SubscriptionView[], RowsBy<Named>]> {
  const filters = { ids: JSON.stringify(ids), ...reachable(ctx) };
  const all = readViews.newest({ account_seq: ctx.account.seq }, filters, ids.length);
  const [rows, found] = await readTogether(ctx.db, all, alongside);
  const context = viewContext(ctx);
  return [rows.map((row) => toFullView(context, row)), found];
}

/** Which of these ids are the account's subscriptions, in the order of their creation. Throws NOT_FOUND where none is. */
export async function listCreatedIds(ctx: Ctx, ids: string[]): Promise<string[]> {
  const found = await rows(ctx.db, amongIds({ account_seq: ctx.account.seq, ids: JSON.stringify(ids) }));
  if (found.length === 0) throw notFound("Subscription");
  return found.map(({ id }) => id);
}

const { account_seq } = subscriptions;

const joins = sql`JOIN ${profiles} ON ${own(profiles, subscriptions.profile_id)}
  LEFT JOIN ${deliverySlots} ON ${own(deliverySlots, subscriptions.delivery_slot_id)}
  LEFT JOIN ${deliveryDays} ON ${own(deliveryDays, deliverySlots.delivery_day_id)}
  LEFT JOIN ${entities} ON ${own(entities, subscriptions.entity_id)}
  LEFT JOIN ${paymentMethods} ON ${own(paymentMethods, subscriptions.payment_method_id)}
  LEFT JOIN ${orders} ON ${own(orders, subscriptions.last_order_id)}`;

const profile = embedRecord({ ...profileColumns, deleted_at: profiles.deleted_at });
const slot = embedRecord(getTableColumns(deliverySlots));
const day = embedRecord(getTableColumns(deliveryDays));
const entity = embedRecord(getTableColumns(entities));
const method = embedRecord(getTableColumns(paymentMethods));
const lastOrder = embedRecord(plainOrderColumns);

const joined = {
  profile: profile.column,
  slot: slot.column,
  day: day.column,
  entity: entity.column,
  method: method.column,
  last_order: lastOrder.column,
};
type Joined = Record<keyof typeof joined, string>;

const all = getTableColumns(subscriptions);

/** The columns that a list shows; its items have no lines, which are most of a row. */
const {
  anchor_date: _anchor,
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
type ShownInLists = Pick<Subscription, keyof typeof shownInLists>;

const owing = sql`(${subscriptions.dunning_episode_id} IS NOT NULL OR ${subscriptions.status} = 'PAYMENT_FAILED')`;

const listing = {
  table: subscriptions,
  joins,
  scope: (p: Param) => sql`${account_seq} = ${p("account_seq")}`,
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
    },
    migration_source_ref: {
      ...facet(subscriptions.migration_source_ref, "migration_source_ref"),
      isRare: true,
    },
    store_contract_id: uniqueBy(subscriptions.store_contract_id, "store_contract_id"),
    failed_payment: unindexedFilter((p) => sql`${owing} = ${p("failed_payment")}`),
    owing: rareWhere(() => sql`${owing} = 1`),
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
    searchOwn({ index: "subscription_search", columns: "search_text", texts: [subscriptions.search_text] }),
    subscriptions,
  ),
  totals: countedBy(subscriptionCounts, subscriptionCounts.account_seq, {
    status: facetIn(subscriptionCounts.status, "status"),
    failed_payment: facet(subscriptionCounts.failed_payment, "failed_payment"),
    owing: facetWhere(() => sql`${subscriptionCounts.failed_payment} = 1`),
  }),
};

const readViews = listReader({
  ...listing,
  columns: { ...all, ...joined, accepted_offers: acceptedOffersColumn },
});
export const listItems = listReader({ ...listing, columns: { ...shownInLists, ...joined } });

/** The subscriptions between two numbers, piece by piece; `viewsOf` reads their rows. */
export const subscriptionsInRange = readViews.range(subscriptions.number);
export type SubscriptionRow = RowOfList<typeof readViews>;

/** The views of rows that were read, as whoever acts sees them. */
export function viewsOf(ctx: Ctx, rows: SubscriptionRow[]): SubscriptionView[] {
  const context = viewContext(ctx);
  return rows.map((row) => toFullView(context, row));
}

const { id, seq, created_at } = subscriptions;
/** The ids of a list's subscriptions, without the records that they show. */
export const listIds = listReader({ ...withoutJoins(listing), columns: { id, seq, created_at } });

type Filters = Parameters<typeof listItems>[2];
type Page = Parameters<typeof listItems>[3];

export const listSkips = listReader({
  table: subscriptionSkips,
  columns: getTableColumns(subscriptionSkips),
  scope: (p) => sql`${subscriptionSkips.account_seq} = ${p("account_seq")}
    AND ${subscriptionSkips.subscription_id} = ${p("subscription_id")}`,
  tiebreaker: subscriptionSkips.id,
  sorts: { created_at: subscriptionSkips.created_at },
  filters: {},
});

/** The ids lead: sorted by the index of seq, every subscription of the database would be read. */
const amongIds = prepare((p: Params<{ account_seq: AccountSeq; ids: string }>) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.account_seq, p("account_seq")), inJson(subscriptions.id, p("ids"))))
    .orderBy(sql`+${subscriptions.seq}`),
);

function withoutJoins({ joins: _joins, ...own }: typeof listing) {
  return own;
}

function forbiddenTo(settings: PortalSettings | undefined): ViewContext["forbidden"] {
  return {
    ...(settings?.can_cancel === false ? { can_cancel: false } : {}),
    ...(settings?.can_pause === false ? { can_pause: false } : {}),
  };
}

/** Customers see the subscriptions of their own profile only. */
function reachable({ actor }: Ctx): { own_profile?: string } {
  return actor.type === "customer" ? { own_profile: actor.profile_id ?? "" } : {};
}

function toFullView(
  context: ViewContext,
  { accepted_offers, ...row }: Subscription & Joined & { accepted_offers: string },
): SubscriptionView {
  return { ...toView(context, row), acceptedOffers: readAcceptedOffers(accepted_offers) };
}

function toView<Row>(context: ViewContext, row: Row & Joined): ShownView<Omit<Row, keyof Joined>> {
  const [itsSlot, itsDay] = [slot.read(row.slot), day.read(row.day)];
  return {
    ...context,
    row,
    profile: profile.read(row.profile) as Owner,
    slot: itsSlot && itsDay && { ...itsSlot, day: itsDay },
    entity: entity.read(row.entity),
    method: method.read(row.method),
    lastOrder: lastOrder.read(row.last_order),
  };
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

function own(table: { account_seq: AnyColumn; id: AnyColumn }, id: AnyColumn) {
  return sql`${table.account_seq} = ${account_seq} AND ${table.id} = ${id}`;
}
