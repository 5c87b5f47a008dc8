import type { z } from "@hono/zod-openapi";
import { nameGoods } from "../../base/language/names.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import { challengeEnd } from "../billing/challenge.ts";
import type { BillingAttempt } from "../billing/tables.ts";
import type { Prospect, UpcomingDelivery } from "../billing/upcoming/upcoming-steps.ts";
import { waitReasonOf } from "../billing/wait-reason.ts";
import type { DunningEpisode } from "../dunning/tables.ts";
import { blockedReason, isOver, isWaiting, owesPayment } from "../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { eventOf, failureOf, moves, waitOpenAmong } from "./explain-attempt.ts";
import type { HistoryEntry } from "./history.ts";
import type { SubscriptionExplanationBody } from "./schemas.ts";
import type { Voice } from "./voice.ts";

type Explanation = z.input<typeof SubscriptionExplanationBody>;
type Why = Explanation["why"][number];
type Next = Explanation["next"][number];

/**
 * The rows that explain a subscription: with what is to come of it (`upcoming`, up to the first charge), the newest entries of its history and
 * its first, the newest first, and the latest attempt that has failed.
 */
export type SubscriptionRows = {
  prospect: Prospect & { view: SubscriptionView };
  upcoming: UpcomingDelivery[];
  entries: HistoryEntry[];
  failed: BillingAttempt | undefined;
};

/** Explains a subscription: why it is as it is, what happens next if nobody acts, and what stands in the way. */
export function explainSubscription(rows: SubscriptionRows, voice: Voice): Explanation {
  const { row } = rows.prospect.view;
  const code = blockedReason(row);
  return {
    state: row.status,
    why: [
      whyInState(rows, voice),
      ...whyOwed(rows, voice),
      ...whyWaiting(rows, voice),
      ...whyMoved(rows, voice),
    ],
    next: comingOf(rows, voice).toSorted((a, b) => (a.when < b.when ? -1 : a.when > b.when ? 1 : 0)),
    blocked_by: code === null ? null : { code, fact: blockOf(code, voice) },
  };
}

function blockOf(code: string, { words: { why } }: Voice): string {
  return code === "disputed" ? why.question : why.waits[waitReasonOf(code)];
}

/** The change that has led to the state, by the entry that tells of it. */
function whyInState({ prospect, entries }: SubscriptionRows, voice: Voice): Why {
  const { row } = prospect.view;
  const entry =
    entries.find(({ changes }) => changes.status?.to === row.status) ??
    (row.status === "ACTIVE" ? entries.find(({ action }) => action === "subscription_created") : undefined);
  return told(sentenceOf(row, entry, voice), entry, sinceOf(row));
}

function told(fact: string, entry: HistoryEntry | undefined, otherwise: Instant): Why {
  return { fact, since: entry?.created_at ?? otherwise, ...eventOf(entry) };
}

/** Since when a subscription is in its state, where no entry tells. */
function sinceOf({ status, paused_at, cancelled_at, created_at, updated_at }: Subscription): Instant {
  if (status === "PAUSED") return paused_at ?? updated_at;
  if (status === "CANCELLED") return cancelled_at ?? updated_at;
  return status === "ACTIVE" ? created_at : updated_at;
}

function sentenceOf(row: Subscription, entry: HistoryEntry | undefined, voice: Voice): string {
  const { states } = voice.words.why;
  const by = voice.by(entry);
  const isUnpaid = entry?.action === "billing_failed" || entry?.action === "dunning_exhausted";
  switch (row.status) {
    case "PAUSED": {
      const until = row.pause_until && voice.day(row.pause_until);
      return isUnpaid ? states.pausedUnpaid : states.paused(by, until, row.pause_reason);
    }
    case "CANCELLED":
      return isUnpaid ? states.cancelledUnpaid : states.cancelled(by, row.cancellation_reason);
    case "EXPIRED":
      return states.ended;
    case "PAYMENT_FAILED":
      return states.unpaid;
    case "ACTIVE":
      return activeSentence(entry?.action, by, states);
  }
}

function activeSentence(
  action: string | undefined,
  by: string,
  states: Voice["words"]["why"]["states"],
): string {
  switch (action) {
    case "subscription_created":
      return states.created;
    case "subscription_resumed":
      return states.resumed(by);
    case "subscription_reactivated":
      return states.restarted(by);
    case "subscription_change_undone":
      return states.undone(by);
    case "billing_succeeded":
      return states.recovered;
    default:
      return states.active;
  }
}

/** The failure of the payment that is owed. */
function whyOwed({ prospect, entries, failed }: SubscriptionRows, voice: Voice): Why[] {
  const { row } = prospect.view;
  if (!failed || (!owesPayment(row) && row.dunning_episode_id === null)) return [];
  const entry = entries.find(
    ({ action, metadata }) => action === "billing_failed" && metadata.billing_attempt_id === failed.id,
  );
  return [told(failureOf(failed, voice, isWaiting(row)), entry, failed.settled_at ?? failed.updated_at)];
}

/** The wait of billing for others than the customer. */
function whyWaiting({ prospect, entries }: SubscriptionRows, voice: Voice): Why[] {
  const { row } = prospect.view;
  const code = blockedReason(row);
  if (code === null || isOver(row)) return [];
  const entry =
    code === "disputed"
      ? undefined
      : (waitOpenAmong(entries) ?? entries.find(({ action }) => action === "billing_review_required"));
  const since = row.disputed_at ?? row.billing_waiting_since ?? row.created_at;
  return [told(blockOf(code, voice), entry, since)];
}

/** The latest change that has moved the next delivery, unless a charge has moved it on since. */
function whyMoved({ prospect, entries }: SubscriptionRows, voice: Voice): Why[] {
  const { status } = prospect.view.row;
  if (status !== "ACTIVE" && status !== "PAUSED") return [];
  const last = entries.find(({ changes }) => changes.next_delivery_date !== undefined);
  if (!last || !Object.hasOwn(moves, last.action)) return [];
  const says = moves[last.action as keyof typeof moves];
  return [told(voice.words.why.states[says](voice.by(last)), last, last.created_at)];
}

/** The steps to come if nobody acts, in no order. */
function comingOf({ prospect, upcoming }: SubscriptionRows, voice: Voice): Next[] {
  const { next } = voice.words.why;
  const { view, open } = prospect;
  const { row } = view;
  const ends = row.status === "PAUSED" && row.pause_until !== null;
  const expiry = open ? challengeEnd(open) : null;
  return [
    ...(ends ? [{ what: next.pauseEnds, when: row.pause_until as string }] : []),
    ...(expiry && open ? [{ what: next.confirmationEnds(voice.amount(open.amount)), when: expiry }] : []),
    ...upcoming.flatMap((made) => [
      ...(made.isBilled ? [chargeStep(prospect, made, voice)] : []),
      deliveryStep(prospect, made, voice),
    ]),
    ...endOfTries(prospect, voice),
  ];
}

/** A charge: where its time is known to the minute, that. */
function chargeStep(
  { view, episode }: SubscriptionRows["prospect"],
  made: UpcomingDelivery,
  voice: Voice,
): Next {
  const { row } = view;
  const { next } = voice.words.why;
  const amount = voice.amount(made.amounts.total);
  const isOwed = row.dunning_episode_id !== null && made.cycle === row.current_billing_cycle;
  const at = row.billing_retry_at ?? (isOwed && episode?.status === "OPEN" ? episode.due_at : null);
  const isAgain = at !== null && row.status !== "PAUSED" && row.open_attempt_id === null;
  return {
    what: isOwed ? next.retry(amount) : next.charge(amount),
    when: isAgain && made.cycle === row.current_billing_cycle ? at : made.billing,
    ...(made.isAtRisk && !isOwed ? { depends_on: conditionOf(view, voice) } : {}),
  };
}

function deliveryStep({ view }: SubscriptionRows["prospect"], made: UpcomingDelivery, voice: Voice): Next {
  const { words } = voice;
  const goods = nameGoods(
    words,
    made.lines.map(({ product_title }) => product_title),
  );
  return {
    what: words.why.next.delivery(goods),
    when: made.delivery,
    ...(made.isAtRisk ? { depends_on: conditionOf(view, voice) } : {}),
  };
}

/** The condition of what may not happen. */
function conditionOf({ row, method }: SubscriptionView, { words: { why } }: Voice): string {
  if (blockedReason(row) !== null) return why.next.ifBilled;
  return method?.status === "VALID" ? why.next.ifPaid : why.next.ifPayable;
}

/** The end of dunning without a payment, as the account's setting says. */
function endOfTries(
  { view, episode, account }: SubscriptionRows["prospect"],
  { words: { why } }: Voice,
): Next[] {
  if (view.row.status !== "ACTIVE" || !episode || episode.due_at === null) return [];
  const when = episode.status === "OPEN" ? lastDay(episode) : episode.due_at;
  return [{ what: why.next.unpaid[account.dunning_final_action], when, depends_on: why.next.ifUnpaid }];
}

function lastDay({ retries_from, retry_days, due_at }: DunningEpisode): Instant {
  const last = (JSON.parse(retry_days) as number[]).at(-1) ?? 0;
  const end = later(retries_from, last * dayMs);
  return due_at !== null && due_at > end ? due_at : end;
}
