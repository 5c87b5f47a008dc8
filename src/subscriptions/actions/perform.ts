import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { decide } from "../../db/decide.ts";
import type { SystemAction } from "../../journal/actions.ts";
import { change, type Entry, type Subject } from "../../journal/write.ts";
import { type Change, diff } from "../../lib/diff.ts";
import { toMajor } from "../../lib/money.ts";
import type { Discount } from "../amounts.ts";
import { askForSync } from "../contract-syncs.ts";
import { presentDiscount, presentLinesAlone } from "../present.ts";
import { getSubscription, type SubscriptionView } from "../queries.ts";
import { type Subscription, subscriptions } from "../tables.ts";

/** One of the entries of a subscription's change. */
export type Told = { action: SystemAction; metadata?: Record<string, unknown>; order_id?: string };

/** What a change of a subscription comes to: its entry, the columns it sets, and what else is written with it. */
export type Decision = Told & {
  after: Partial<Subscription>;
  /** Records shown with the subscription that the change exchanges. */
  shown?: Partial<Omit<SubscriptionView, "row">>;
  writes?: Statement[];
  /** Further entries of the subscription. */
  also?: Told[];
  /** Entries of records that the writes make. */
  made?: Entry[];
};

export const subjectOf = (row: Subscription): Subject => ({
  type: "subscription",
  table: subscriptions,
  row,
  subscription_id: row.id,
  order_id: null,
  profile_id: row.profile_id,
});

const amounts = new Set([
  "subtotal",
  "discount_amount",
  "shipping_amount",
  "tax_amount",
  "total",
  "total_revenue",
]);
const dateColumns = new Set([
  "anchor_date",
  "next_billing_date",
  "next_delivery_date",
  "next_production_date",
  "delivery_slot_id",
  "activation",
]);
const internal = new Set([
  "anchor_date",
  "next_index",
  "next_billed_index",
  "schedule_revision",
  "activation",
  "search_text",
  "open_attempt_id",
]);

const readable = (field: string, value: unknown, currency: string): unknown => {
  if (amounts.has(field)) return toMajor(value as number, currency);
  if (typeof value !== "string") return value;
  if (field === "lines") return presentLinesAlone(JSON.parse(value), currency);
  if (field === "discounts")
    return (JSON.parse(value) as Discount[]).map((each) => presentDiscount(each, currency));
  return field === "delivery_address" ? JSON.parse(value) : value;
};

/** The columns that differ, as the API would show them. */
const changesOf = (row: Subscription, after: Partial<Subscription>): Record<string, Change> =>
  Object.fromEntries(
    Object.entries(diff(row, after))
      .filter(([field]) => !internal.has(field))
      .map(([field, { from, to }]) => [
        field,
        { from: readable(field, from, row.currency_code), to: readable(field, to, row.currency_code) },
      ]),
  );

/** What moves the dates counts the schedule's revision up, unless the decision says what it is. */
const scheduled = (row: Subscription, after: Partial<Subscription>): Partial<Subscription> => {
  const differing = diff(row, after);
  const moves = [...dateColumns].some((column) => column in differing);
  return moves ? { schedule_revision: row.schedule_revision + 1, ...after } : after;
};

const entryOf = (row: Subscription, { action, metadata = {}, order_id = "" }: Told): Entry => ({
  action,
  subject: { ...subjectOf(row), order_id: order_id || null },
  ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
});

/** A store that keeps contracts by itself is told of the change. */
const tellStore = async (ctx: Ctx, id: string): Promise<void> => {
  if (ctx.store.contracts) await askForSync(ctx, [id]);
};

const alters = (row: Subscription, after: Partial<Subscription>): boolean =>
  Object.keys(diff(row, after)).length > 0;

/**
 * Reads a subscription, decides, and commits the change with its entry; answers it as it is then. Where there is
 * nothing to decide, or nothing would differ, it is answered unchanged and unlogged. A dry run ends before the commit.
 * `tries` is how often at most it is read and decided, where others change it meanwhile.
 */
export const perform = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  choose: (view: SubscriptionView) => Decision | undefined | Promise<Decision | undefined>,
  tries?: number,
): Promise<SubscriptionView> =>
  decide(async () => {
    const view = await getSubscription(ctx, id);
    const decision = await choose(view);
    if (!decision || (!alters(view.row, decision.after) && !decision.writes?.length)) return view;
    const { shown, writes = [], also = [], made = [] } = decision;
    const after = scheduled(view.row, decision.after);
    if (!dryRun) {
      const entry = { ...entryOf(view.row, decision), changes: changesOf(view.row, after), after };
      await change(ctx, entry, { writes, also: also.map((told) => entryOf(view.row, told)), made });
      await tellStore(ctx, id);
    }
    return { ...view, ...shown, row: { ...view.row, ...after, updated_at: ctx.now } };
  }, tries);
