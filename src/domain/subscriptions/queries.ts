import { and, eq, sql } from "drizzle-orm";
import { customerSettings, type PortalSettings } from "../../base/accounts/portal-settings.ts";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Listed } from "../../base/db/list/listing.ts";
import {
  build,
  inJson,
  type Params,
  prepare,
  type Reads,
  type RowOf,
  type RowsBy,
  readTogether,
  rows,
} from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import { addDays } from "../../base/lib/time/calendar.ts";
import type { Ctx } from "../../kit/context.ts";
import { todayOf } from "../../kit/days.ts";
import { type AcceptedOffer, readAcceptedOffers } from "./accepted-offers.ts";
import {
  type Joined,
  type JoinedInList,
  type JoinedRecords,
  readJoined,
  readJoinedInList,
} from "./list/joined-records.ts";
import { listItems, readViews, type ShownInLists, type SubscriptionRow } from "./list/list-readers.ts";
import { type Subscription, subscriptions } from "./tables.ts";
import type { ViewContext } from "./view-context.ts";

/** A subscription with the records that it shows, and the offers that keep it. */
export type SubscriptionView = { row: Subscription } & JoinedRecords &
  ViewContext & {
    acceptedOffers: AcceptedOffer[];
    /** The entry of the change that has just made it so. */
    entryId?: string;
  };

/** A subscription as a list shows it. */
export type SubscriptionItemView = { row: ShownInLists } & JoinedInList & ViewContext;

/** The surroundings that a view depends on besides its records: the account's today, its reminder setting, and who looks. */
export function viewContext({ now, account, actor }: Ctx): ViewContext {
  const { payment_reminder_days_before: days } = account;
  const today = todayOf({ now, account });
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
  page: Page,
  filters: Filters,
): Promise<Listed<SubscriptionItemView>> {
  const listed = await listItems(ctx, page, { ...filters, ...reachable(ctx) });
  const context = viewContext(ctx);
  return { ...listed, rows: listed.rows.map((row) => ({ ...context, row, ...readJoinedInList(row) })) };
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

/** Those of the account's subscriptions that have these ids, in the order of their creation. Throws NOT_FOUND where none has. */
export async function listCreated(ctx: Ctx, ids: string[]): Promise<RowOf<ReturnType<typeof selectAmong>>[]> {
  const found = await rows(
    ctx.db,
    selectAmongIds({ account_seq: ctx.account.seq, ids: JSON.stringify(ids) }),
  );
  if (found.length === 0) throw notFound("Subscription");
  return found;
}

/** The views of rows that were read, as whoever acts sees them. */
export function viewsOf(ctx: Ctx, rows: SubscriptionRow[]): SubscriptionView[] {
  const context = viewContext(ctx);
  return rows.map((row) => toFullView(context, row));
}

type Filters = Parameters<typeof listItems>[2];
type Page = Parameters<typeof listItems>[1];

/** The ids lead: sorted by the index of seq, every subscription of the database would be read. */
function selectAmong(p: Params<{ account_seq: AccountSeq; ids: string }>) {
  return build
    .select({ id: subscriptions.id, delivery_address: subscriptions.delivery_address })
    .from(subscriptions)
    .where(and(eq(subscriptions.account_seq, p("account_seq")), inJson(subscriptions.id, p("ids"))))
    .orderBy(sql`+${subscriptions.seq}`);
}

const selectAmongIds = prepare(selectAmong);

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
  return { ...context, row, ...readJoined(row), acceptedOffers: readAcceptedOffers(accepted_offers) };
}
