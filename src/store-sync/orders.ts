import { chargeJob } from "../billing/actions/start.ts";
import { findAttempt, isOpen } from "../billing/queries.ts";
import type { Ctx } from "../context.ts";
import { decide } from "../db/decide.ts";
import { changeEach, created, type RecordChange, type RecordUpdate } from "../journal/write.ts";
import { toMajor } from "../lib/money.ts";
import { linksOf, newOrder, orderSubject } from "../orders/actions.ts";
import { findOrderOfStore, type LinkedOrder } from "../orders/queries.ts";
import { revenueIn } from "../orders/revenue.ts";
import { applyStoreOrder, columnsOf, orderChanges, orderEvents } from "../orders/store-order.ts";
import type { Order } from "../orders/tables.ts";
import { findProfilesOfCustomer, isErased } from "../profiles/queries.ts";
import type { StoreOrder } from "../store/port.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { type Ordering, subscriptionsOfOrder } from "../subscriptions/of-order.ts";

/** How often at most it is asked for and decided anew, where others change the same records meanwhile. */
const mostTries = 8;

type ActivityEntry = Pick<RecordChange, "action" | "metadata">;
type Made = Pick<Order, "id" | "order_created_at">;

/** What an order changes of the subscription that it is of: the revenue, and which order is the latest. */
const inSubscription = ({ row, lastOrderAt }: Ordering, order: Made, gained: number): RecordUpdate => {
  const isLatest = lastOrderAt === null || (order.order_created_at ?? "") > lastOrderAt;
  return {
    subject: subjectOf(row),
    after: { total_revenue: row.total_revenue + gained, ...(isLatest ? { last_order_id: order.id } : {}) },
  };
};

/** Attempts that may have made the order. What they have made, billing records: it knows what it was charged for. */
const waitedFor = async (ctx: Ctx, order: StoreOrder, its: Ordering[]): Promise<string[]> => {
  if (order.is_checkout_order) return [];
  const ids = its.map(({ row }) => row.open_attempt_id).filter((id) => id !== null);
  const attempts = await Promise.all(ids.map((id) => findAttempt(ctx, id)));
  return attempts.flatMap((attempt) =>
    attempt && isOpen(attempt) && attempt.status !== "REVIEW" ? [attempt.id] : [],
  );
};

/** An order that is not known here, with its entry, and what it changes of its subscription where it is of one alone. */
const place = async (
  ctx: Ctx,
  order: StoreOrder,
  its: Ordering[],
  profile_id: string | null,
): Promise<unknown> => {
  const subscriptionIds = its.map(({ row }) => row.id);
  const columns = columnsOf(order);
  const metadata = { store_order_id: order.store_order_id };
  const placed = newOrder(ctx, { ...columns, profile_id }, subscriptionIds, metadata);
  const [one, ...others] = its;
  if (!one || others.length > 0) return created(ctx, [placed.entry], placed.writes);
  const gained = revenueIn(one.row.id, { ...columns, subscriptionIds });
  const update = inSubscription(one, { ...columns, id: placed.id }, gained);
  return created(ctx, [placed.entry], placed.writes, [update]);
};

/** What has happened to an order, in words, the weightiest first. */
const toldOf = (row: Order, after: Partial<Order>): [ActivityEntry, ...ActivityEntry[]] => {
  const { store_order_id, refunded_amount, currency_code } = row;
  const grown = toMajor((after.refunded_amount ?? refunded_amount) - refunded_amount, currency_code);
  const told = (action: ActivityEntry["action"]): ActivityEntry => ({
    action,
    metadata: { store_order_id, ...(action === "order_refunded" ? { amount: grown } : {}) },
  });
  const [first, ...others] = orderEvents(row, after);
  return [told(first), ...others.map(told)];
};

/** An order that is known here, with its entries, and the subscription whose revenue it changes. */
const follow = async (
  ctx: Ctx,
  order: StoreOrder,
  { row, subscriptionIds: before }: LinkedOrder,
  its: Ordering[],
  profileId: string | null,
): Promise<unknown> => {
  const after = applyStoreOrder(row, order, profileId);
  const ids = row.billing_attempt_id === null ? its.map(({ row }) => row.id) : before;
  const joining = ids.filter((id) => !before.includes(id));
  const changes = orderChanges(row, after);
  if (joining.length > 0) changes.subscriptions = { from: before, to: ids };
  if (Object.keys(changes).length === 0) return undefined;

  const [first, ...others] = toldOf(row, after);
  const now = { ...row, ...after };
  const one = its.find(({ row: { id } }) => id === (before[0] ?? ids[0]));
  const earned = (of: Order, subscriptionIds: string[]): number =>
    one ? revenueIn(one.row.id, { ...of, subscriptionIds }) : 0;
  const gained = earned(now, ids) - earned(row, before);
  const subject = orderSubject(row, ids);
  const ownEntries = others.map((other) => ({ ...other, subject }));
  const counted = one && gained !== 0 ? [inSubscription(one, now, gained)] : [];
  return changeEach(
    ctx,
    [{ ...first, subject, changes, after, ownEntries }],
    linksOf(ctx, row.id, joining),
    counted,
  );
};

const untracked = { tracking_number: null, tracking_company: null, tracking_url: null };

/** An order as it may be kept: where its parcels are is not, of a customer who is forgotten. */
const keepable = async (ctx: Ctx, order: StoreOrder, profileId: string | null): Promise<StoreOrder> =>
  profileId !== null && (await isErased(ctx, profileId)) ? { ...order, ...untracked } : order;

/** Asked after our own record has been read, so that what others write meanwhile is never older. */
const bringUp = async (ctx: Ctx, storeOrderId: string): Promise<"done" | "later"> => {
  const known = await findOrderOfStore(ctx, storeOrderId);
  const order = await ctx.store.records?.findOrder(storeOrderId);
  if (!order) return "done";
  if (order.currency_code !== ctx.account.currency_code) {
    ctx.log("order_in_other_currency", { store_order_id: order.store_order_id });
    return "done";
  }
  const its = await subscriptionsOfOrder(ctx, known?.subscriptionIds ?? [], order.store_contract_ids);
  const waiting = known ? [] : await waitedFor(ctx, order, its);
  if (waiting.length > 0) {
    await ctx.send(waiting.map((id) => chargeJob(ctx, id)));
    return "later";
  }
  const [customer] = order.store_customer_id
    ? await findProfilesOfCustomer(ctx, order.store_customer_id)
    : [];
  const profileId = its[0]?.row.profile_id ?? customer?.id ?? null;
  const kept = await keepable(ctx, order, known?.row.profile_id ?? profileId);
  await (known ? follow(ctx, kept, known, its, profileId) : place(ctx, kept, its, profileId));
  return "done";
};

/**
 * Brings our record of an order up to what the store has now. `later` where a billing attempt is in progress that may
 * have made it: that is asked about first.
 */
export const refreshOrder = (ctx: Ctx, storeOrderId: string): Promise<"done" | "later"> =>
  decide(() => bringUp(ctx, storeOrderId), mostTries);
