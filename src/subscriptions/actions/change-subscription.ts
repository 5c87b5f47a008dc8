import { type PortalPermission, requirePermission } from "../../accounts/portal-settings.ts";
import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { decide as decideAnew } from "../../db/decide.ts";
import type { SystemAction } from "../../event-types.ts";
import { type Job, syncContractJob } from "../../job.ts";
import { change, created, type Entry, type Subject } from "../../journal/write.ts";
import { diff } from "../../lib/diff.ts";
import { getSubscription, type SubscriptionView } from "../queries.ts";
import { readableChanges } from "../readable-changes.ts";
import { type Subscription, subscriptions } from "../tables.ts";

/** An entry of a subscription's history. */
export type ActivityEntry = { action: SystemAction; metadata?: Record<string, unknown>; order_id?: string };

/** Everything that a change of a subscription writes and sends. Without an entry nothing is written. */
export type Decision<Result = undefined> = {
  /** None where the entry of another record, such as an order's, describes the whole event. */
  entry?: ActivityEntry;
  /** The columns that the change sets. */
  columns?: Partial<Subscription>;
  /** Further entries of the subscription. */
  ownEntries?: ActivityEntry[];
  /** Entries of other records that the writes create or change. */
  relatedEntries?: Entry[];
  /** Further writes of the same batch. */
  writes?: Statement[];
  /** Jobs that are sent after the commit. */
  jobs?: Job[];
  /** Records shown with the subscription that the change replaces. */
  shown?: Partial<Omit<SubscriptionView, "row">>;
  /** What the caller gets besides the subscription. */
  result?: Result;
};

/** What an action on one subscription is asked to do. A dry run decides without committing. */
export type Command = { id: string; dryRun: boolean };
export type CommandWith<Request> = Command & { request: Request };

type Options = {
  /** Decides without committing. */
  dryRun?: boolean;
  /** What the merchant must let customers do. */
  needs?: PortalPermission;
  /** How often it reads and decides at most when concurrent changes conflict; twice by default. */
  tries?: number;
};

/** The subscription after the change, and the result of the decision. */
export type Changed<Result> = SubscriptionView & { result: Result | undefined };

/**
 * Reads a subscription, decides, commits the change with its entries and sends its jobs. Returns the changed subscription.
 * A decision that changes nothing writes nothing, not even an entry, but its jobs are sent. Throws FORBIDDEN where the merchant
 * does not let customers do it.
 */
export async function changeSubscription<Result = undefined>(
  ctx: Ctx,
  id: string,
  { dryRun = false, needs, tries }: Options,
  decide: (view: SubscriptionView) => Decision<Result> | undefined | Promise<Decision<Result> | undefined>,
): Promise<Changed<Result>> {
  if (needs) requirePermission(ctx, needs);
  const { jobs, ...changed } = await decideAnew(async () => {
    const view = await getSubscription(ctx, id);
    const decision = await decide(view);
    const { columns = {}, jobs = [], shown, result } = decision ?? {};
    if (!decision || !changesAnything(view.row, decision)) return { ...view, result, jobs };
    const after = withScheduleRevision(view.row, columns);
    if (!dryRun) await commitDecision(ctx, view.row, after, decision);
    const row = { ...view.row, ...after, updated_at: ctx.now };
    return { ...view, ...shown, row, result, jobs: [...contractJobs(ctx, id), ...jobs] };
  }, tries);
  if (!dryRun && jobs.length > 0) await ctx.send(jobs);
  return changed;
}

export const subjectOf = (
  row: Pick<Subscription, "id" | "account_id" | "profile_id" | "revision">,
): Subject => ({
  type: "subscription",
  table: subscriptions,
  row,
  subscription_id: row.id,
  order_id: null,
  profile_id: row.profile_id,
});

function changesAnything(row: Subscription, decision: Decision<unknown>): boolean {
  const { entry, relatedEntries = [], columns = {}, writes = [] } = decision;
  if (!entry && relatedEntries.length === 0) return false;
  return writes.length > 0 || Object.keys(diff(row, columns)).length > 0;
}

function commitDecision(
  ctx: Ctx,
  row: Subscription,
  after: Partial<Subscription>,
  { entry, writes = [], ownEntries = [], relatedEntries = [] }: Decision<unknown>,
): Promise<unknown> {
  if (!entry) return created(ctx, relatedEntries, writes, [{ subject: subjectOf(row), after }]);
  const changes = readableChanges(row, after);
  return change(
    ctx,
    { ...journalEntry(row, entry), changes, after },
    { writes, ownEntries: ownEntries.map((own) => journalEntry(row, own)), relatedEntries },
  );
}

const journalEntry = (row: Subscription, { action, metadata, order_id = "" }: ActivityEntry): Entry => ({
  action,
  subject: { ...subjectOf(row), order_id: order_id || null },
  ...(metadata ? { metadata } : {}),
});

/** A store that keeps contracts gets every change of a subscription. */
const contractJobs = ({ store, account }: Ctx, subscription_id: string): Job[] =>
  store.contracts ? [syncContractJob(account.id, subscription_id)] : [];

const dateColumns = [
  "anchor_date",
  "next_billing_date",
  "next_delivery_date",
  "next_production_date",
  "delivery_slot_id",
  "activation",
];

/** Moving the dates increments the schedule's revision, unless the decision sets it. */
function withScheduleRevision(row: Subscription, columns: Partial<Subscription>): Partial<Subscription> {
  const differing = diff(row, columns);
  const moves = dateColumns.some((column) => column in differing);
  return moves ? { schedule_revision: row.schedule_revision + 1, ...columns } : columns;
}
