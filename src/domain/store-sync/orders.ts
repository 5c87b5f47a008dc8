import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { chargeJob, type JobOutcome } from "../../base/job.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { Ctx } from "../../kit/context.ts";
import { changeEach, createRecord, type RecordChange } from "../../kit/journal/write.ts";
import { isSameStoreId } from "../../stores/ids.ts";
import type { StoreOrder } from "../../stores/port.ts";
import { findAttempt, isOpen } from "../billing/queries.ts";
import type { BillingAttempt } from "../billing/tables.ts";
import { insertLinks, newOrder, orderSubject } from "../orders/actions.ts";
import { findOrderOfStore, type LinkedOrder } from "../orders/queries.ts";
import { revenueIn } from "../orders/revenue.ts";
import { orderSearchText } from "../orders/search.ts";
import { applyStoreOrder, columnsOf, orderChanges, orderEvents } from "../orders/store-order.ts";
import type { Order } from "../orders/tables.ts";
import { findProfilesOfCustomer, isErased } from "../profiles/queries.ts";
import { type Ordering, subscriptionsOfOrder, updatesForOrder } from "../subscriptions/of-order.ts";
import { findOrderlessCharge } from "./orderless-charges.ts";

/**
 * Updates our record of an order to what the store has now. Returns `later` while a billing attempt is open that may have created
 * the order: the store is asked about that attempt first.
 */
export function refreshOrder(ctx: Ctx, storeOrderId: string): Promise<JobOutcome> {
  return retryOnConflict(() => readAndRecord(ctx, storeOrderId), maxTries);
}

/** The number of times that the order is read and decided on again while others change the same records. */
const maxTries = 8;

/** Our own record is read before the store is asked, so that the store's answer is never older than it is. */
async function readAndRecord(ctx: Ctx, storeOrderId: string): Promise<JobOutcome> {
  const known = await findOrderOfStore(ctx, storeOrderId);
  const order = await ctx.store.records?.findOrder(storeOrderId);
  if (!order) return "done";
  const orderings = await subscriptionsOfOrder(ctx, known?.subscriptionIds ?? [], order.store_contract_ids);
  const recordings = [...orderings, ...(known ? [known] : [])];
  if (recordings.some(({ row }) => row.currency_code !== order.currency_code)) {
    ctx.log("order_in_other_currency", { store_order_id: order.store_order_id });
    return "done";
  }
  const openAttempts = known ? [] : await possibleAttempts(ctx, order, orderings);
  if (openAttempts.length > 0) {
    await ctx.send(openAttempts.map((attempt) => chargeJob(ctx.account.id, attempt)));
    return "later";
  }
  const [customer] = order.store_customer_id
    ? await findProfilesOfCustomer(ctx, order.store_customer_id)
    : [];
  const profileId = orderings[0]?.row.profile_id ?? customer?.id ?? null;
  const recorded = await withoutErasedTracking(ctx, order, known?.row.profile_id ?? profileId);
  const charged =
    known ??
    (await findOrderlessCharge(
      ctx,
      order,
      orderings.map(({ row }) => row.id),
    ));
  if (charged) await followKnown(ctx, { order: recorded, known: charged, orderings, profileId });
  else await addUnknown(ctx, { order: recorded, orderings, profileId });
  return "done";
}

/** Open attempts that may have created the order. Billing records their orders, as it knows what was charged for. */
async function possibleAttempts(
  ctx: Ctx,
  order: StoreOrder,
  orderings: Ordering[],
): Promise<BillingAttempt[]> {
  if (order.is_checkout_order) return [];
  const ids = orderings.map(({ row }) => row.open_attempt_id).filter((id) => id !== null);
  const attempts = await Promise.all(ids.map((id) => findAttempt(ctx, id)));
  return attempts.flatMap((attempt) =>
    attempt && isOpen(attempt) && attempt.status !== "REVIEW" ? [attempt] : [],
  );
}

/** The tracking of a parcel leads to its address, so it is not stored for a customer whose data was erased. */
async function withoutErasedTracking(
  ctx: Ctx,
  order: StoreOrder,
  profileId: string | null,
): Promise<StoreOrder> {
  if (profileId === null || !(await isErased(ctx, profileId))) return order;
  return { ...order, tracking_number: null, tracking_company: null, tracking_url: null };
}

type NewStoreOrder = { order: StoreOrder; orderings: Ordering[]; profileId: string | null };

/** Adds an order with its entry. If it is of exactly one subscription, that one's revenue and latest order change too. */
function addUnknown(ctx: Ctx, { order, orderings, profileId }: NewStoreOrder): Promise<unknown> {
  const subscriptionIds = orderings.map(({ row }) => row.id);
  const columns = { ...columnsOf(order), ...findPrepaid(order, orderings) };
  const metadata = { store_order_id: order.store_order_id };
  const placed = newOrder(ctx, { ...columns, profile_id: profileId }, subscriptionIds, metadata);
  const [ordering, ...others] = orderings;
  if (!ordering || others.length > 0) return createRecord(ctx, [placed.entry], placed.writes);
  const revenue = revenueIn(ordering.row.id, { ...columns, subscriptionIds });
  const updates = updatesForOrder(ordering, { ...columns, id: placed.id }, revenue);
  return createRecord(ctx, [placed.entry], placed.writes, updates);
}

type KnownStoreOrder = NewStoreOrder & { known: LinkedOrder };

/** Updates an order, with its entries, and the subscription whose revenue that changes. */
async function followKnown(
  ctx: Ctx,
  { order, known: { row, subscriptionIds: before }, orderings, profileId }: KnownStoreOrder,
): Promise<unknown> {
  const after = {
    ...withStoreId(row, order, applyStoreOrder(row, order, profileId)),
    ...findPrepaid(order, orderings),
  };
  const ids = row.billing_attempt_id === null ? orderings.map(({ row }) => row.id) : before;
  const joining = ids.filter((id) => !before.includes(id));
  const changes = orderChanges(row, after);
  if (joining.length > 0) changes.subscriptions = { from: before, to: ids };
  if (Object.keys(changes).length === 0) return undefined;

  const [first, ...others] = entriesFor(row, after);
  const updated = { ...row, ...after };
  const ordering = orderings.find(({ row: { id } }) => id === (before[0] ?? ids[0]));
  const revenueOf = (of: Order, subscriptionIds: string[]): number =>
    ordering ? revenueIn(ordering.row.id, { ...of, subscriptionIds }) : 0;
  const difference = revenueOf(updated, ids) - revenueOf(row, before);
  const subject = orderSubject(row, ids);
  const ownEntries = others.map((other) => ({ ...other, subject }));
  const updates = ordering && difference !== 0 ? updatesForOrder(ordering, updated, difference) : [];
  return changeEach(
    ctx,
    [{ ...first, subject, changes, after, ownEntries }],
    insertLinks(ctx, row.id, joining),
    updates,
  );
}

/** The checkout's order of a prepaid subscription is the first of the deliveries that it has paid for. */
function findPrepaid(
  { store_order_id }: StoreOrder,
  orderings: Ordering[],
): Partial<Pick<Order, "prepaid_delivery" | "prepaid_deliveries">> {
  const row = orderings.find(
    ({ row: { store_origin_order_id: origin } }) =>
      origin !== null && isSameStoreId("Order", origin, store_order_id),
  )?.row;
  if (!row || row.deliveries_per_billing < 2) return {};
  return { prepaid_delivery: 1, prepaid_deliveries: row.deliveries_per_billing };
}

/** An order that was recorded before the store showed it gets its id there. */
function withStoreId(row: Order, { store_order_id }: StoreOrder, after: Partial<Order>): Partial<Order> {
  if (isSameStoreId("Order", row.store_order_id, store_order_id)) return after;
  return { ...after, store_order_id, search_text: orderSearchText({ ...row, ...after, store_order_id }) };
}

type ActivityEntry = Pick<RecordChange, "action" | "metadata">;

/** The entries for what has happened to an order, the most important first. */
function entriesFor(row: Order, after: Partial<Order>): [ActivityEntry, ...ActivityEntry[]] {
  const { store_order_id, refunded_amount, currency_code } = row;
  const refunded = toMajor((after.refunded_amount ?? refunded_amount) - refunded_amount, currency_code);
  const entryFor = (action: ActivityEntry["action"]): ActivityEntry => ({
    action,
    metadata: { store_order_id, ...(action === "order_refunded" ? { amount: refunded } : {}) },
  });
  const [first, ...others] = orderEvents(row, after);
  return [entryFor(first), ...others.map(entryFor)];
}
