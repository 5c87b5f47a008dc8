import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { notifyCustomerJob } from "../../base/job.ts";
import { doublingPause } from "../../base/lib/backoff.ts";
import { later } from "../../base/lib/time/dates.ts";
import { dayMs, hourMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { createRecord } from "../../kit/journal/write.ts";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../../stores/port.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { owesPayment } from "../subscriptions/lifecycle.ts";
import type { ActivityEntry } from "../subscriptions/part.ts";
import { getSubscription, type SubscriptionView } from "../subscriptions/queries.ts";
import { findDueNotice, guardUnchanged, isUnchanged, noticeOutbox, takeNotice } from "./notices.ts";
import { findEpisode } from "./queries.ts";
import type { CustomerNotice } from "./tables.ts";

/**
 * Has the store ask a customer for another payment method, once for an episode of dunning. The store cannot tell a repeated request
 * from another one, so that the notice is taken before the request: where nobody knows whether that was processed, because there was
 * no answer or its sender died, it is never repeated. Better no e-mail than two.
 */
export async function notifyCustomer(ctx: Ctx, episodeId: string): Promise<void> {
  const notice = await findDueNotice(ctx, episodeId);
  if (!notice) return;
  if (notice.state === "SENDING") return recordSent(ctx, notice, false);
  const view = await getSubscription(ctx, notice.subscription_id);
  const methodId = view.method?.store_payment_method_id;
  if (methodId === undefined || !(await isStillWanted(ctx, view, notice))) return withdraw(ctx, notice);
  if (view.row.open_attempt_id !== null) return notifyLater(ctx, notice, attemptMs);
  await send(ctx, notice, methodId);
}

/** An open attempt may pay what is owed. */
const attemptMs = 600_000;
/** The store is asked again for three days: somebody can grant the app a scope that it lacks. */
const mostTries = 7;
const longestMessage = 500;

/** Whether the payment is still owed, and the account still has its customers notified. */
async function isStillWanted(ctx: Ctx, { row }: SubscriptionView, notice: CustomerNotice): Promise<boolean> {
  if (ctx.account.notify_payment_update !== 1 || !owesPayment(row)) return false;
  const episode = await findEpisode(ctx, notice.dunning_episode_id);
  return episode?.status === (row.status === "PAYMENT_FAILED" ? "EXHAUSTED" : "AWAITING_CUSTOMER");
}

async function send(ctx: Ctx, notice: CustomerNotice, methodId: string): Promise<void> {
  const { store } = ctx;
  if (!store.askForPaymentMethod) return withdraw(ctx, notice);
  try {
    await store.requireConnection?.();
  } catch (error) {
    if (error instanceof UnknownOutcomeError) return notifyLater(ctx, notice, hourMs);
    throw error;
  }
  if (!(await takeNotice(ctx, notice))) return;
  const taken: CustomerNotice = { ...notice, state: "SENDING", tries: notice.tries + 1 };
  try {
    await store.askForPaymentMethod(methodId);
  } catch (error) {
    if (error instanceof StoreThrottledError) return sendAgain(ctx, taken, error);
    if (error instanceof StoreRefusalError) return recordRefusal(ctx, taken, error);
    if (!(error instanceof UnknownOutcomeError)) throw error;
    ctx.log("store_outcome_unknown", { dunning_episode_id: notice.dunning_episode_id, cause: error.message });
    return recordSent(ctx, taken, false);
  }
  await recordSent(ctx, taken, true);
}

function recordSent(ctx: Ctx, notice: CustomerNotice, is_certain: boolean): Promise<void> {
  const { dunning_episode_id } = notice;
  const entry = {
    action: "dunning_customer_notified",
    metadata: { dunning_episode_id, is_certain },
  } as const;
  const state = is_certain ? "SENT" : "UNKNOWN";
  return record(ctx, notice, entry, noticeOutbox.done(notice, { state, last_refusal: null }));
}

/** The history has a refusal once. The next try comes in an hour, then later and later. */
async function recordRefusal(ctx: Ctx, notice: CustomerNotice, error: StoreRefusalError): Promise<void> {
  const { dunning_episode_id, subscription_id, tries } = notice;
  const last_refusal = error.message.slice(0, longestMessage);
  const isOver = tries >= mostTries;
  const delayMs = doublingPause({ first: hourMs, longest: dayMs }, tries - 1);
  const write = isOver
    ? noticeOutbox.giveUp(notice, { state: "REFUSED", last_refusal })
    : noticeOutbox.later(notice, later(ctx.realNow, delayMs), { state: "PENDING", last_refusal });
  ctx.log("store_refused", { alert: true, subscription_id, dunning_episode_id, codes: error.codes, tries });
  const entry = {
    action: "dunning_notice_refused",
    metadata: { dunning_episode_id, codes: error.codes, error_message: last_refusal },
  } as const;
  if (notice.last_refusal === last_refusal) await commit({ db: ctx.db }, [write]);
  else await record(ctx, notice, entry, write);
}

/** The store has processed nothing, and takes requests again soon. */
async function sendAgain(ctx: Ctx, notice: CustomerNotice, { retryAfter }: StoreThrottledError) {
  const { dunning_episode_id, tries } = notice;
  const next_action_at = later(ctx.realNow, retryAfter * 1000);
  await commit({ db: ctx.db }, [
    noticeOutbox.later(notice, next_action_at, { state: "PENDING", tries: tries - 1 }),
  ]);
  await ctx.send([notifyCustomerJob(ctx.account.id, dunning_episode_id)], retryAfter);
}

async function notifyLater(ctx: Ctx, notice: CustomerNotice, ms: number): Promise<void> {
  await commit({ db: ctx.db }, [noticeOutbox.later(notice, later(ctx.realNow, ms))]);
}

/** Nobody is told: the next decline for good makes another notice. */
async function withdraw(ctx: Ctx, notice: CustomerNotice): Promise<void> {
  await commit({ db: ctx.db }, [noticeOutbox.drop(notice)]);
}

/** Records what has become of a notice with its entry, in one batch. It is no change of the subscription. */
async function record(
  ctx: Ctx,
  notice: CustomerNotice,
  entry: ActivityEntry,
  write: Statement,
): Promise<void> {
  await retryOnConflict(async () => {
    if (!(await isUnchanged(ctx, notice))) return;
    const { row } = await getSubscription(ctx, notice.subscription_id);
    const writes = [guardUnchanged(notice), write];
    await createRecord(ctx, [{ ...entry, subject: subjectOf(row) }], writes);
  }, recordTries);
}

/** The number of times that it is decided anew while others keep changing the subscription. */
const recordTries = 8;
