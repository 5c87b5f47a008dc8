import type { Ctx } from "../../context.ts";
import { exhausted } from "../../dunning/actions.ts";
import { findEpisode } from "../../dunning/queries.ts";
import { DomainError } from "../../errors.ts";
import { type Decision, perform } from "../../subscriptions/actions/perform.ts";
import { resumed } from "../../subscriptions/actions/restart.ts";
import { isBeyondLastCycle, isOver, over } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { nextAfter, owedOf, todayOf } from "../../subscriptions/schedule.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { plannedDelivery } from "../frozen.ts";
import { placeOrder } from "../order.ts";
import { type Start, sendCharges, startAttempt } from "./start.ts";

/** What has been decided, and the attempt that it starts. */
type Work = { decision: Decision; attemptId?: string };

const started = ({ attempt, after, writes, told }: Start): Work => ({
  decision: { ...told, after, writes },
  attemptId: attempt.id,
});

const isPast = (date: string | null, today: string): boolean => date !== null && date <= today;

const dunningWork = async (
  ctx: Ctx,
  view: SubscriptionView,
  episodeId: string,
): Promise<Work | undefined> => {
  const episode = await findEpisode(ctx, episodeId);
  if (!episode?.due_at || episode.due_at > ctx.now) return undefined;
  if (episode.status === "OPEN") return started(await startAttempt(ctx, view, { origin: "DUNNING" }));
  const { after, also, writes } = exhausted(ctx, view.row, episode.id);
  const [first, ...others] = also;
  return first && { decision: { ...first, after, also: others, writes } };
};

/**
 * A delivery that is paid for already: an order of nothing, once for each that is owed. The last one after the last billing
 * ends the subscription; one that was cancelled before stays so.
 */
const prepaidWork = (ctx: Ctx, { row, place }: SubscriptionView): Work => {
  const today = todayOf(ctx);
  const planned = plannedDelivery(row, place, today);
  const owed = owedOf(row);
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
  );
  const dates = nextAfter(
    row,
    place,
    { delivery: planned.delivery_date, owed: owed - 1, isOffSchedule: false },
    today,
  );
  const isLast = owed === 1 && (isOver(row) || isBeyondLastCycle(row));
  const expires = isLast && !isOver(row);
  return {
    decision: {
      action: "order_placed",
      order_id: order.id,
      metadata: { cycle: row.current_billing_cycle - 1, prepaid: true },
      after: {
        last_order_id: order.id,
        ...dates,
        ...(isLast ? over : {}),
        ...(expires ? { status: "EXPIRED" } : {}),
      },
      also: expires ? [expired(row)] : [],
      writes: order.writes,
      made: [order.entry],
    },
  };
};

const expired = (row: Subscription) => ({
  action: "subscription_expired" as const,
  metadata: { cycles: row.current_billing_cycle - 1 },
});

/** Whether a delivery that is paid for is to be made: it waits for no payment, and survives a cancellation. */
const isPrepaidDue = (row: Subscription, today: string): boolean =>
  owedOf(row) > 0 &&
  (row.store_contract_id !== null || row.status === "CANCELLED") &&
  isPast(row.next_production_date ?? row.next_delivery_date, today);

const billingWork = async (ctx: Ctx, view: SubscriptionView): Promise<Work | undefined> => {
  const { row } = view;
  const today = todayOf(ctx);
  if (owedOf(row) > 0) return undefined;
  if (isBeyondLastCycle(row)) return { decision: { ...expired(row), after: { ...over, status: "EXPIRED" } } };
  if (!isPast(row.next_billing_date, today)) return undefined;
  return started(await startAttempt(ctx, view, { origin: "RECURRING" }));
};

/** What waits for the merchant or the store is tried again. */
const waitingWork = async (ctx: Ctx, view: SubscriptionView, retryAt: string): Promise<Work | undefined> =>
  retryAt > ctx.now ? undefined : started(await startAttempt(ctx, view, { origin: "RECURRING" }));

/** The one thing that has fallen due of a subscription as it is, by the account's time; undefined where nothing has. */
const dueWork = async (ctx: Ctx, view: SubscriptionView): Promise<Work | undefined> => {
  const { row, place } = view;
  if (row.status === "PAUSED")
    return isPast(row.pause_until, todayOf(ctx))
      ? { decision: resumed(ctx, row, place, undefined) }
      : undefined;
  if (isPrepaidDue(row, todayOf(ctx))) return prepaidWork(ctx, view);
  const isPayable =
    row.status === "ACTIVE" || (row.status === "PAYMENT_FAILED" && row.billing_retry_at !== null);
  if (!isPayable || row.store_contract_id === null || row.open_attempt_id !== null) return undefined;
  if (row.billing_retry_at !== null) return waitingWork(ctx, view, row.billing_retry_at);
  if (row.dunning_episode_id !== null) return dunningWork(ctx, view, row.dunning_episode_id);
  return billingWork(ctx, view);
};

/** Whoever changes a subscription at the same time comes first; the next tick finds what is left. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof DomainError && (error.code === "VERSION_CONFLICT" || error.code === "NOT_FOUND");

/** Does the one thing that has fallen due; answers the attempt that it starts. */
const workOffOne = async (ctx: Ctx, id: string): Promise<string | undefined> => {
  let work: Work | undefined;
  await perform(ctx, id, false, async (view) => {
    work = await dueWork(ctx, view);
    return work?.decision;
  });
  return work?.attemptId;
};

/**
 * Does what has fallen due of each: a pause that is over, a retry, a wait that is over, a prepaid delivery, a cycle.
 * It is read and decided here, whatever the message was sent for: sent twice or late, nothing is done twice. One that
 * fails keeps none of the others from its turn; the first failure is thrown at the end.
 */
export const workOff = async (ctx: Ctx, subscriptionIds: string[]): Promise<void> => {
  const attemptIds: string[] = [];
  const failures: unknown[] = [];
  for (const id of subscriptionIds)
    try {
      const attemptId = await workOffOne(ctx, id);
      if (attemptId !== undefined) attemptIds.push(attemptId);
    } catch (error) {
      if (!isOvertaken(error)) failures.push(error);
    }
  if (attemptIds.length > 0) await sendCharges(ctx, attemptIds);
  if (failures.length > 0) throw failures[0];
};
