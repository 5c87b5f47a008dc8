import type { RowsBy } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { processDueJob } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import { isOutage, reportFailed } from "../../../kit/on-its-own.ts";
import { followClosedDays } from "../../closed-days/follow.ts";
import { exhaustEpisode } from "../../dunning/actions.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import { selectCurrentEpisodes } from "../../retries/current-episodes.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { changeSubscriptions } from "../../subscriptions/actions/change-subscriptions.ts";
import { endAsAgreed } from "../../subscriptions/actions/end-subscription.ts";
import { resumeDecision } from "../../subscriptions/actions/restart.ts";
import { lacksAddress } from "../../subscriptions/address/complete-address.ts";
import { hasReachedEnd } from "../../subscriptions/bounds/agreed-end.ts";
import { dayToWaitFor } from "../../subscriptions/bounds/no-charge-before.ts";
import { calendarOf, deliveriesOwed, type NextDates, nextAfter } from "../../subscriptions/dates/index.ts";
import { isBeyondLastCycle, isDisputed, isHeld, isOver, over } from "../../subscriptions/lifecycle.ts";
import { combine, type Part } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { placeOrder } from "../order.ts";
import { prepaidContent } from "../order-content.ts";
import { selectLatestAttempts } from "../queries.ts";
import { type PlannedDelivery, plannedDelivery } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { waitForAddress } from "../waiting.ts";
import { startAttempt } from "./start.ts";

/**
 * Does what has fallen due of each subscription: its end, the end of a pause, a retry, the end of a wait, a prepaid delivery, a cycle.
 * Which of these it is, is read and decided here, so a message that comes twice or late does nothing twice. All of them are read
 * in one trip and written in one batch. If one keeps that from succeeding, each gets a message of its own, so that it holds up no
 * other.
 */
export async function processDue(ctx: Ctx, subscriptionIds: string[]): Promise<void> {
  const [id, ...more] = subscriptionIds;
  if (id !== undefined && more.length === 0) return processOne(ctx, id);
  const areDone = await changeSubscriptions(
    ctx,
    subscriptionIds,
    readForDue(ctx, subscriptionIds),
    (view, found) => decideDue(ctx, view, knownOf(view, found)),
  );
  if (!areDone) await ctx.send(subscriptionIds.map((each) => processDueJob(ctx.account.id, [each])));
}

async function processOne(ctx: Ctx, id: string): Promise<void> {
  await changeSubscription(ctx, id, { alongside: readForDue(ctx, [id]) }, (view, found) =>
    decideDue(ctx, view, knownOf(view, found)),
  ).catch((error) => {
    if (isOvertaken(error)) return;
    if (!isOutage(error)) reportFailed(ctx, { task: "process_due", subscription_id: id }, error);
    throw error;
  });
}

function readForDue(ctx: Ctx, ids: string[]) {
  return { latest: selectLatestAttempts(ctx, ids), episodes: selectCurrentEpisodes(ctx, ids) };
}

/** The rows that are read with a subscription: the latest attempt at its cycle, and the episode that it is in. */
type Known = { before: BillingAttempt | undefined; episode: DunningEpisode | undefined };

function knownOf(
  { row }: SubscriptionView,
  { latest, episodes }: RowsBy<ReturnType<typeof readForDue>>,
): Known {
  return {
    before: latest.find(({ subscription_id }) => subscription_id === row.id),
    episode: episodes.find(({ id }) => id === row.dunning_episode_id),
  };
}

/** A change made at the same time comes first; the next tick finds what is left to do. */
function isOvertaken(error: unknown): boolean {
  return error instanceof DomainError && (error.code === "VERSION_CONFLICT" || error.code === "NOT_FOUND");
}

/**
 * The one thing that has fallen due of a subscription by the account's time; undefined if nothing has. An end that was agreed on comes before all
 * else. Dates that follow closed days come next, and what is due by these is read anew in the same run.
 */
export async function decideDue(
  ctx: Ctx,
  view: SubscriptionView,
  known: Known,
): Promise<Part<unknown> | undefined> {
  const { row, today } = view;
  if (hasReachedEnd(row, today) && !isOver(row)) return endAsAgreed(ctx, view);
  if (isHeld(row)) return undefined;
  const moved = followClosedDays(ctx, view);
  if (moved) return combine(moved, { jobs: [processDueJob(ctx.account.id, [row.id])] });
  if (row.status === "PAUSED")
    return isPast(row.pause_until, today)
      ? resumeDecision(ctx, { ...view, episode: known.episode }, undefined)
      : undefined;
  if (isPrepaidDue(row, today)) return prepaidDelivery(ctx, view);
  if (isDisputed(row)) return undefined;
  if (dayToWaitFor(row, today) !== undefined) return undefined;
  const isPayable =
    row.status === "ACTIVE" || (row.status === "PAYMENT_FAILED" && row.billing_retry_at !== null);
  if (!isPayable || row.store_contract_id === null || row.open_attempt_id !== null) return undefined;
  if (row.billing_retry_at !== null) return retryWaitingBilling(ctx, view, known);
  if (row.dunning_episode_id !== null) return takeDunningStep(ctx, view, known);
  return billOnSchedule(ctx, view, known);
}

function isPast(date: string | null, today: string): boolean {
  return date !== null && date <= today;
}

/** Whether a prepaid delivery is due: it waits for no payment, and survives a cancellation. */
function isPrepaidDue(row: Subscription, today: string): boolean {
  return (
    deliveriesOwed(row) > 0 &&
    (row.store_contract_id !== null || row.status === "CANCELLED") &&
    isPast(row.next_production_date ?? row.next_delivery_date, today)
  );
}

/**
 * Makes one prepaid delivery, an order of 0. The last delivery after the last billing ends the subscription; a subscription
 * that was cancelled before stays cancelled.
 */
function prepaidDelivery(ctx: Ctx, view: SubscriptionView): Part {
  const { row, today } = view;
  const calendar = calendarOf(view);
  const planned = plannedDelivery(row, calendar);
  const owed = deliveriesOwed(row);
  const delivered = { delivery: planned.delivery_date, owed: owed - 1, isOffSchedule: false };
  const isLast = owed === 1 && (isOver(row) || isBeyondLastCycle(row));
  const dates = { ...nextAfter(row, calendar, delivered), ...(isLast ? over : {}) };
  const order = placeOrder(
    ctx,
    row,
    { ...planned, ...prepaidContent(row), billing_date: today },
    {
      amount: 0,
      store_order_id: `prepaid-${row.number}-${row.revision}`,
      store_order_number: null,
      attemptId: null,
    },
    { cycle: row.current_billing_cycle - 1, prepaid: true, ...unsaidBefore(row, planned, dates) },
  );
  const expires = isLast && !isOver(row);
  return combine(order.part, expires ? { entry: expiryEntry(row) } : {}, {
    columns: { ...dates, ...(expires ? { status: "EXPIRED" } : {}) },
  });
}

/** The dates before a prepaid delivery that its order does not say, as where it comes late: its entry is all that tells of the change. */
function unsaidBefore(row: Subscription, planned: PlannedDelivery, dates: Partial<NextDates>): object {
  const { next_billing_date, next_delivery_date, next_production_date } = row;
  const before = {
    ...(next_delivery_date === planned.delivery_date ? {} : { next_delivery_date }),
    ...(next_production_date === planned.production_date ? {} : { next_production_date }),
    ...(next_billing_date === dates.next_billing_date ? {} : { next_billing_date }),
  };
  return Object.keys(before).length > 0 ? { before } : {};
}

function expiryEntry(row: Subscription) {
  return {
    action: "subscription_expired" as const,
    metadata: { cycles: row.current_billing_cycle - 1 },
  };
}

/** Billing that waits for the merchant or the store is tried again. */
async function retryWaitingBilling(
  ctx: Ctx,
  view: SubscriptionView,
  { before }: Known,
): Promise<Part<unknown> | undefined> {
  const isEarly = view.row.billing_retry_at === null || view.row.billing_retry_at > ctx.now;
  return isEarly ? undefined : bill(ctx, view, { origin: "RECURRING", before });
}

/** A total that has become 0 is billed instead of being given up: nothing is owed any more. */
async function takeDunningStep(
  ctx: Ctx,
  view: SubscriptionView,
  { before, episode }: Known,
): Promise<Part<unknown> | undefined> {
  if (!episode?.due_at || episode.due_at > ctx.now) return undefined;
  if (episode.status === "OPEN" || view.row.total === 0)
    return bill(ctx, view, { origin: "DUNNING", before });
  return exhaustEpisode(ctx, view.row, episode.id);
}

/** Starts an attempt; where the account asks for an address that is not there, billing waits for that instead. */
async function bill(
  ctx: Ctx,
  view: SubscriptionView,
  request: Parameters<typeof startAttempt>[2],
): Promise<Part<unknown> | undefined> {
  const { row } = view;
  return lacksAddress(ctx.account, row) ? waitForAddress(ctx, row) : startAttempt(ctx, view, request);
}

/** A cycle on its own day is delivered as planned, though a ship-now of it may have failed before. */
async function billOnSchedule(
  ctx: Ctx,
  view: SubscriptionView,
  { before }: Known,
): Promise<Part<unknown> | undefined> {
  const { row } = view;
  if (deliveriesOwed(row) > 0) return undefined;
  if (isBeyondLastCycle(row)) return { entry: expiryEntry(row), columns: { ...over, status: "EXPIRED" } };
  if (!isPast(row.next_billing_date, view.today)) return undefined;
  const delivery = plannedDelivery(row, calendarOf(view));
  return bill(ctx, view, { origin: "RECURRING", delivery, before });
}
