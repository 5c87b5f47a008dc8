import { type PortalPermission, requirePermission } from "../../../base/accounts/portal-settings.ts";
import type { Statement } from "../../../base/db/port.ts";
import { retryOnConflict, StaleError } from "../../../base/db/retry-on-conflict.ts";
import type { NoReads, Reads, RowsBy } from "../../../base/db/statement.ts";
import { type Job, processDueJob, syncContractJob } from "../../../base/job.ts";
import { diff } from "../../../base/lib/diff.ts";
import { type Ctx, isRehearsed } from "../../../kit/context.ts";
import {
  changeStatements,
  creationStatements,
  type Entry,
  type Subject,
} from "../../../kit/journal/write.ts";
import { isComplete } from "../address/complete-address.ts";
import { withoutAgreedEnd } from "../bounds/agreed-end.ts";
import { requireWithinReach } from "../bounds/customer-reach.ts";
import { requireBeforeCutoff } from "../bounds/cutoff.ts";
import { chargedFrom, requireChargeableOn } from "../bounds/no-charge-before.ts";
import { commitInSlots, requirePlace } from "../bounds/places.ts";
import { requireWithinSupportDiscount } from "../bounds/support-discount.ts";
import { type Calendar, calendarOf, restartDateOf } from "../dates/index.ts";
import { isAddressMissing, isOver } from "../lifecycle.ts";
import { type ActivityEntry, combine, type Part } from "../part.ts";
import { getSubscriptionAnd, type SubscriptionView } from "../queries.ts";
import { readableChanges } from "../readable-changes.ts";
import { deliveryAddressOf } from "../row-codec.ts";
import { type Subscription, subscriptions } from "../tables.ts";
import { imagedStatements } from "../undo/image.ts";
import { endOffers } from "./end-offers.ts";

/** The subscription that an action is asked to change. */
export type Command = { id: string; companion?: Companion };
export type CommandWith<Request> = Command & { request: Request };

/**
 * A part that another capability adds to a change which it asks for, in the same batch, as the acceptance of an offer with its effect. `decide` is
 * given the action's decision, or undefined where that changes nothing; it throws where the change must not be made.
 */
export type Companion = {
  alongside: Reads;
  // biome-ignore lint/suspicious/noExplicitAny: the rows of its own statements, which companionOf has typed
  decide: (view: SubscriptionView, found: any, decision: Part<unknown> | undefined) => Part;
};

/** A companion whose rows have the types of its statements. Its names are none of the actions'. */
export function companionOf<Named extends Reads>(
  alongside: Named,
  decide: (view: SubscriptionView, found: RowsBy<Named>, decision: Part<unknown> | undefined) => Part,
): Companion {
  return { alongside, decide };
}

type Options<Named extends Reads> = {
  /** Statements, by name, that are read in the subscription's own trip; `decide` gets their rows by these names. */
  alongside?: Named;
  /** The permission of the merchant's that a customer needs. */
  needs?: PortalPermission;
  /** The change in words, where a customer may make it before the next delivery's cut-off only. */
  beforeCutoff?: string;
  /** The change in words, where it may take a place in a slot, and the request's field for the day. */
  takesPlace?: { what: string; path: string };
  /**
   * The request's field that moves the next delivery, which a change to a charge before no_charge_before is refused at. Without one, that charge
   * comes on its day instead, and a delivery out of reach is refused at the field of `takesPlace`, or next_delivery_date. Null where the dates
   * only become what they have been.
   */
  moves?: string | null | undefined;
  /** Records more with the change, or refuses it. */
  companion?: Companion | undefined;
  /** The revision that the request was worked out from: where the subscription has another one by now, it has changed since. */
  revision?: number | undefined;
  /** The number of times that it reads and decides at most when concurrent changes conflict; twice by default. */
  tries?: number;
};

/** The subscription after the change, and the result of the decision. */
export type Changed<Result> = SubscriptionView & { result: Result | undefined };

/**
 * Reads a subscription, decides, commits the change with its entries and sends its jobs. Returns the changed subscription.
 * A decision that changes nothing writes nothing, not even an entry, but its jobs are sent. Throws FORBIDDEN where the merchant
 * does not let customers do it, INVALID_STATE after the cut-off and where the day is full.
 */
export async function changeSubscription<Result = never, Named extends Reads = NoReads>(
  ctx: Ctx,
  id: string,
  { alongside, needs, beforeCutoff, takesPlace, moves, companion, revision, tries }: Options<Named>,
  decide: Decide<Result, Named>,
): Promise<Changed<Result>> {
  if (needs) requirePermission(ctx, needs);
  const { jobs, ...changed } = await retryOnConflict(async () => {
    const [view, found] = await getSubscriptionAnd(ctx, id, {
      ...(alongside ?? ({} as Named)),
      ...companion?.alongside,
    });
    if (ctx.jobRow) ctx.jobRow.change = undefined;
    if (revision !== undefined && view.row.revision !== revision) throw new StaleError();
    const own = await decide(view, found);
    const more = companion?.decide(view, found, own);
    const decision = own && more ? (combine(own, more) as Part<Result>) : own;
    if (!decision) return { ...view, result: undefined, jobs: [] };
    if (moves) requireChargeableOn(view, decision, moves);
    const { after, statements, jobs, entryId } = prepareChange(ctx, view, decision);
    const { shown, result } = decision;
    if (!after) return { ...view, result, jobs };
    const row = { ...view.row, ...after, updated_at: ctx.now };
    const changed = { ...view, ...shown, row, ...(entryId && !isRehearsed(ctx) ? { entryId } : {}) };
    const movedBy = moves === undefined ? (takesPlace?.path ?? "next_delivery_date") : moves;
    if (movedBy !== null) requireWithinReach(ctx, { before: view, after: changed }, movedBy);
    if (beforeCutoff) requireBeforeCutoff(view, beforeCutoff, [view, changed]);
    const guards = takesPlace ? await requirePlace(ctx, { before: view, after: changed }, takesPlace) : [];
    await commitInSlots(ctx, [...statements, ...guards], [changed.slot]);
    return { ...changed, result, jobs };
  }, tries);
  if (jobs.length > 0) await ctx.send(jobs);
  return changed;
}

/** Decides on a subscription as it is, with the rows that were read alongside, by name. */
export type Decide<Result, Named extends Reads> = (
  view: SubscriptionView,
  found: RowsBy<Named>,
) => Part<Result> | undefined | Promise<Part<Result> | undefined>;

/** The columns, statements and jobs of a decision. One that changes nothing has no columns, and no statements. */
export type PreparedChange = {
  after: Partial<Subscription> | undefined;
  statements: Statement[];
  jobs: Job[];
  /** The entry of the change; absent where that of another record describes it. */
  entryId?: string | undefined;
};

/**
 * A decision that cancels the subscription also ends the cases of its customer's leaving, one that ends it what was agreed on about its end, and one
 * that gives it an address the wait for that.
 */
export function prepareChange(
  ctx: Ctx,
  view: Pick<SubscriptionView, "row" | "acceptedOffers" | "slot" | "account" | "today">,
  decision: Part<unknown>,
): PreparedChange {
  const { row } = view;
  const isCancelled = decision.columns?.status === "CANCELLED" && row.status !== "CANCELLED";
  const { defaults, columns, ...part } = combine(
    decision,
    isCancelled ? endOffers(ctx, view) : {},
    endOfAgreement(row, decision.columns),
    billWithAddress(ctx, row, decision.columns?.delivery_address),
  );
  const complete = { ...part, columns: { ...defaults, ...columns } };
  requireEntry(complete);
  const { jobs = [] } = complete;
  if (!changesAnything(row, complete)) return { after: undefined, statements: [], jobs };
  const moved = columnsAfter(row, chargedFrom(row, complete.columns, view.today));
  const after = { ...moved, ...restartAfter(row, moved, calendarOf({ ...view, ...decision.shown })) };
  requireWithinSupportDiscount(ctx, row, { ...row, ...after });
  const { statements, entryId } = prepareStatements(ctx, row, after, complete);
  if (ctx.jobRow) ctx.jobRow.change = { before: row, after, entryId };
  return { after, statements, entryId, jobs: [...contractJobs(ctx, row.id), ...jobs] };
}

function endOfAgreement(row: Subscription, { status }: Partial<Subscription> = {}): Part {
  const hasEnd = row.ends_on !== null || row.ends_after_cycle !== null;
  return hasEnd && status && isOver({ status }) ? { defaults: withoutAgreedEnd } : {};
}

function billWithAddress(
  { now, account }: Ctx,
  row: Subscription,
  delivery_address: string | null | undefined,
): Part {
  if (!isAddressMissing(row) || !delivery_address || !isComplete(deliveryAddressOf({ delivery_address })))
    return {};
  return {
    defaults: { billing_blocked_reason: null, billing_retry_at: now },
    jobs: [processDueJob(account.id, [row.id])],
  };
}

export function subjectOf(
  row: Pick<Subscription, "id" | "account_seq" | "profile_id" | "revision">,
): Subject {
  return {
    type: "subscription",
    table: subscriptions,
    row,
    subscription_id: row.id,
    order_id: null,
    profile_id: row.profile_id,
  };
}

/** A decision as it is prepared: one part, whose defaults are among its columns. */
type Complete = Omit<Part<unknown>, "defaults"> & { columns: Partial<Subscription> };

/**
 * Throws if the decision has no entry, but writes that nothing would explain, or entries that would be left out: that is a fault
 * of the code.
 */
function requireEntry({
  entry,
  metadata,
  columns,
  ownEntries = [],
  relatedEntries = [],
  writes = [],
}: Complete) {
  if (entry) return;
  const isDescribed = relatedEntries.length > 0;
  const writesAnything = writes.length > 0 || Object.keys(columns).length > 0;
  if (ownEntries.length > 0 || metadata || (writesAnything && !isDescribed))
    throw new Error("A change of a subscription has no entry");
}

function changesAnything(
  row: Subscription,
  { entry, relatedEntries = [], columns, writes = [] }: Complete,
): boolean {
  if (!entry && relatedEntries.length === 0) return false;
  return writes.length > 0 || Object.keys(diff(row, columns)).length > 0;
}

/** Everything that a decision writes, guarded by the revision that it was made on. */
function prepareStatements(
  ctx: Ctx,
  row: Subscription,
  after: Partial<Subscription>,
  { entry, writes = [], ownEntries = [], relatedEntries = [] }: Complete,
): { statements: Statement[]; entryId?: string } {
  if (!entry)
    return {
      statements: creationStatements(ctx, relatedEntries, writes, [{ subject: subjectOf(row), after }]),
    };
  const changes = readableChanges(row, after);
  const statements = changeStatements(
    ctx,
    { ...journalEntry(row, entry), changes, after },
    { writes, ownEntries: ownEntries.map((own) => journalEntry(row, own)), relatedEntries },
  );
  const actions = [entry, ...ownEntries].map(({ action }) => action);
  return {
    statements: imagedStatements(ctx, statements, { row, after, actions }),
    entryId: statements[0].entry_id,
  };
}

function journalEntry(row: Subscription, { action, metadata, order_id = "" }: ActivityEntry): Entry {
  return {
    action,
    subject: { ...subjectOf(row), order_id: order_id || null },
    ...(metadata ? { metadata } : {}),
  };
}

/** A store that keeps contracts gets every change of a subscription. */
function contractJobs({ store, account }: Ctx, subscription_id: string): Job[] {
  return store.contracts ? [syncContractJob(account.id, subscription_id)] : [];
}

const dateColumns: string[] = [
  "anchor_date",
  "anchor_day",
  "next_billing_date",
  "next_delivery_date",
  "next_production_date",
  "delivery_slot_id",
  "activation",
];

/** The columns that a decision sets. Moving the dates increments the schedule's revision, unless the decision sets it. */
function columnsAfter(row: Subscription, columns: Partial<Subscription>): Partial<Subscription> {
  const differing = diff(row, columns);
  const moves = dateColumns.some((column) => column in differing);
  return moves ? { schedule_revision: row.schedule_revision + 1, ...columns } : columns;
}

/** The date of the first charge after a pause, once something has changed that it depends on. */
function restartAfter(
  row: Subscription,
  columns: Partial<Subscription>,
  calendar: Calendar,
): Partial<Subscription> {
  if (!restartColumns.some((column) => column in columns)) return {};
  const restart_billing_date = restartDateOf({ ...row, ...columns }, calendar);
  return restart_billing_date === row.restart_billing_date ? {} : { restart_billing_date };
}

const restartColumns = [
  ...["status", "pause_until", "dunning_episode_id", "open_attempt_id", "no_charge_before", "next_index"],
  ...["delivery_interval", "delivery_interval_count", "billing_interval", "billing_interval_count"],
  ...dateColumns,
];
