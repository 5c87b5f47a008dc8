import { retryDaysOf } from "../../base/accounts/settings.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { type CalendarDate, dateIn, type Instant } from "../../base/lib/time/dates.ts";
import type { DunningEpisode } from "../dunning/tables.ts";
import { nextStep } from "../retries/policy.ts";
import { isAddressMissing, isDisputed } from "../subscriptions/lifecycle.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { challengeEnd } from "./challenge.ts";
import type { BillingAttempt } from "./tables.ts";

/** The records that decide when a cycle is tried besides the schedule: the attempt in progress, and the open episode. */
export type Standing = { open: BillingAttempt | undefined; episode: DunningEpisode | undefined };

/** A try at a cycle that is not the schedule's: an attempt in progress, or one that is planned for a day. */
export type NextTry = { day: CalendarDate; attempt?: BillingAttempt };

/**
 * The next try at a cycle if nobody acts. Null: none is made until somebody does. Undefined: the schedule decides. An attempt under review
 * counts for nothing: a person ends it, and billing then goes on as if it had not been.
 */
export function nextTry(
  row: Subscription,
  { open, episode }: Standing,
  { today, timezone }: { today: CalendarDate; timezone: string },
): NextTry | null | undefined {
  const dayOf = (instant: Instant): CalendarDate => dateIn(instant, timezone);
  if (open?.status === "QUEUED" || open?.status === "PROCESSING") return { day: today, attempt: open };
  if (isDisputed(row)) return null;
  if (row.status !== "ACTIVE" && row.status !== "PAYMENT_FAILED") return undefined;
  if (isChallenge(row, open) || isAddressMissing(row)) return null;
  if (row.billing_retry_at !== null) return { day: dayOf(row.billing_retry_at) };
  if (row.dunning_episode_id !== null)
    return episode?.status === "OPEN" && episode.due_at !== null ? { day: dayOf(episode.due_at) } : null;
  return row.status === "PAYMENT_FAILED" ? null : undefined;
}

/**
 * When dunning ends without a payment, where it waits for its customer, or an open challenge will have it wait; undefined where
 * nothing waits for them.
 */
export function endOfDunning(
  row: Subscription,
  { open, episode }: Standing,
  account: Account,
): Instant | undefined {
  if (isChallenge(row, open)) {
    const expiry = open && challengeEnd(open);
    if (!expiry) return undefined;
    const retryDays: number[] = episode ? JSON.parse(episode.retry_days) : retryDaysOf(account);
    const step = nextStep({ from: episode?.retries_from ?? expiry, retryDays }, true, expiry);
    return step.status === "EXHAUSTED" ? expiry : step.due_at;
  }
  const isWaiting = row.dunning_episode_id !== null && episode?.status === "AWAITING_CUSTOMER";
  return (isWaiting && episode.due_at) || undefined;
}

/** The attempt waits for its customer to confirm it: if nobody does, it fails for good, and no other follows. */
function isChallenge(row: Subscription, open: BillingAttempt | undefined): boolean {
  const isPayable = row.status === "ACTIVE" || row.status === "PAYMENT_FAILED";
  return isPayable && open?.status === "ACTION_REQUIRED" && open.activation === row.activation;
}
