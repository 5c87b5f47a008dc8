import { type Ctx, collectingJobs } from "../../context.ts";
import { exhausted } from "../../dunning/actions.ts";
import { findEpisode } from "../../dunning/queries.ts";
import { DomainError } from "../../errors.ts";
import { changeSubscription, type Decision } from "../../subscriptions/actions/change-subscription.ts";
import { resumeDecision } from "../../subscriptions/actions/restart.ts";
import { isBeyondLastCycle, isOver, over } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { deliveriesOwed, nextAfter, todayOf } from "../../subscriptions/schedule.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { placeOrder } from "../order.ts";
import { plannedDelivery } from "../snapshot.ts";
import { startAttempt } from "./start.ts";

/**
 * Does what has fallen due of each: a pause that is over, a retry, a wait that is over, a prepaid delivery, a cycle.
 * It is read and decided here, whatever the message was sent for: sent twice or late, nothing is done twice. One that
 * fails keeps none of the others from its turn; the first failure is thrown at the end.
 */
export const processDue = async (ctx: Ctx, subscriptionIds: string[]): Promise<void> => {
  const collected = collectingJobs(ctx);
  const failures: unknown[] = [];
  for (const id of subscriptionIds)
    try {
      await changeSubscription(collected.ctx, id, {}, (view) => decideDue(ctx, view));
    } catch (error) {
      if (!isOvertaken(error)) failures.push(error);
    }
  await collected.send();
  if (failures.length > 0) throw failures[0];
};

/** Whoever changes a subscription at the same time comes first; the next tick finds what is left. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof DomainError && (error.code === "VERSION_CONFLICT" || error.code === "NOT_FOUND");

/** The one thing that has fallen due of a subscription as it is, by the account's time; undefined where nothing has. */
async function decideDue(ctx: Ctx, view: SubscriptionView): Promise<Decision | undefined> {
  const { row, place } = view;
  if (row.status === "PAUSED")
    return isPast(row.pause_until, todayOf(ctx)) ? resumeDecision(ctx, row, place, undefined) : undefined;
  if (isPrepaidDue(row, todayOf(ctx))) return prepaidDelivery(ctx, view);
  const isPayable =
    row.status === "ACTIVE" || (row.status === "PAYMENT_FAILED" && row.billing_retry_at !== null);
  if (!isPayable || row.store_contract_id === null || row.open_attempt_id !== null) return undefined;
  if (row.billing_retry_at !== null) return waitingBilling(ctx, view, row.billing_retry_at);
  if (row.dunning_episode_id !== null) return dunningStep(ctx, view, row.dunning_episode_id);
  return recurringBilling(ctx, view);
}

const isPast = (date: string | null, today: string): boolean => date !== null && date <= today;

/** Whether a delivery that is paid for is to be made: it waits for no payment, and survives a cancellation. */
const isPrepaidDue = (row: Subscription, today: string): boolean =>
  deliveriesOwed(row) > 0 &&
  (row.store_contract_id !== null || row.status === "CANCELLED") &&
  isPast(row.next_production_date ?? row.next_delivery_date, today);

/**
 * A delivery that is paid for already: an order of nothing, once for each that is owed. The last one after the last billing
 * ends the subscription; one that was cancelled before stays so.
 */
function prepaidDelivery(ctx: Ctx, { row, place }: SubscriptionView): Decision {
  const today = todayOf(ctx);
  const planned = plannedDelivery(row, place, today);
  const owed = deliveriesOwed(row);
  const order = placeOrder(
    ctx,
    row,
    { ...planned, billing_date: today, subtotal: 0, discount_amount: 0 },
    {
      amount: 0,
      store_order_id: `prepaid-${row.number}-${row.revision}`,
      store_order_number: null,
      attemptId: null,
    },
    { cycle: row.current_billing_cycle - 1, prepaid: true },
  );
  const made = { delivery: planned.delivery_date, owed: owed - 1, isOffSchedule: false };
  const isLast = owed === 1 && (isOver(row) || isBeyondLastCycle(row));
  const expires = isLast && !isOver(row);
  return {
    ...(expires ? { entry: expired(row) } : {}),
    columns: {
      last_order_id: order.id,
      ...nextAfter(row, place, made, today),
      ...(isLast ? over : {}),
      ...(expires ? { status: "EXPIRED" } : {}),
    },
    relatedEntries: [order.entry],
    writes: order.writes,
  };
}

const expired = (row: Subscription) => ({
  action: "subscription_expired" as const,
  metadata: { cycles: row.current_billing_cycle - 1 },
});

/** What waits for the merchant or the store is tried again. */
async function waitingBilling(
  ctx: Ctx,
  view: SubscriptionView,
  retryAt: string,
): Promise<Decision | undefined> {
  return retryAt > ctx.now ? undefined : startAttempt(ctx, view, { origin: "RECURRING" });
}

async function dunningStep(
  ctx: Ctx,
  view: SubscriptionView,
  episodeId: string,
): Promise<Decision | undefined> {
  const episode = await findEpisode(ctx, episodeId);
  if (!episode?.due_at || episode.due_at > ctx.now) return undefined;
  if (episode.status === "OPEN") return startAttempt(ctx, view, { origin: "DUNNING" });
  const { columns, ownEntries, writes } = exhausted(ctx, view.row, episode.id);
  const [entry, ...others] = ownEntries;
  return entry && { entry, columns, ownEntries: others, writes };
}

async function recurringBilling(ctx: Ctx, view: SubscriptionView): Promise<Decision | undefined> {
  const { row } = view;
  if (deliveriesOwed(row) > 0) return undefined;
  if (isBeyondLastCycle(row)) return { entry: expired(row), columns: { ...over, status: "EXPIRED" } };
  if (!isPast(row.next_billing_date, todayOf(ctx))) return undefined;
  return startAttempt(ctx, view, { origin: "RECURRING" });
}
