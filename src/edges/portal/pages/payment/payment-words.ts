import type { z } from "@hono/zod-openapi";
import { dayOf, money } from "../../../../base/language/format.ts";
import type { BillingStarted } from "../../../../domain/billing/schemas.ts";
import { declineReasonOf } from "../../../../domain/dunning/decline-reason.ts";
import type { DunningEpisodeBody } from "../../../../domain/dunning/schemas.ts";
import type { ShownSubscription } from "../summary.ts";
import type { SignedIn } from "../visit.ts";
import { isInQuestion, type ShownAttempt } from "./payment-state.ts";

type Episode = z.output<typeof DunningEpisodeBody>;

/** The facts about a subscription's payment: the attempt that is spoken of, and the latest episode of dunning. */
export type Payment = {
  subscription: ShownSubscription;
  attempt: ShownAttempt;
  episode: Episode | undefined;
  /** Whether what the customer has asked for has started the attempt; else it answers them instead of another. */
  isNew: boolean;
};

/** The outcome of a payment, why it has failed, and what comes next. */
export function outcomeOf(visit: SignedIn, payment: Payment): string {
  const { payments } = visit.texts;
  const { attempt, isNew } = payment;
  const sentences = [
    sentenceOf(visit, payment),
    ...(isNew ? [] : [payments.nothingFurther]),
    ...(attempt.status === "FAILED" ? [nextTryOf(visit, payment)] : []),
  ];
  return sentences.join(" ");
}

/** A payment that is owed stays so when a delivery is skipped, and is tried as before; empty where none is. */
export function stillDueNote(visit: SignedIn, state: Pick<Payment, "subscription" | "episode">): string {
  if (!state.subscription.is_in_dunning) return "";
  return `${visit.texts.payments.stillDue} ${nextTryOf(visit, state)}`;
}

/** When the payment is tried again by itself, if it is. */
export function nextTryOf(
  { texts: { payments }, locale, account }: SignedIn,
  { subscription, episode }: Pick<Payment, "subscription" | "episode">,
): string {
  if (isInQuestion(subscription)) return payments.afterQuestion;
  if (subscription.billing_blocked_reason !== null) return payments.triedLater;
  const at = episode?.next_retry_at;
  return at ? payments.nextTry(dayOf(locale, at, account.timezone)) : payments.noNextTry;
}

/**
 * The attempt that answers a request to bill instead of a new one: the latest that was not withdrawn. Its dry run has none, because it
 * would start none.
 */
export function answeringAttempt({ status }: Started, attempts: ShownAttempt[]): ShownAttempt | undefined {
  return attempts.find((attempt) => attempt.status === status);
}

/** The effect that a switch of the payment method would have on a payment, where it charges nothing at once. */
export function switchNoteOf(
  { texts: { switches, actions }, locale }: SignedIn,
  subscription: ShownSubscription,
  latest: ShownAttempt | undefined,
): string {
  const amount = money(locale, subscription.total, subscription.currency_code);
  if (latest?.status === "ACTION_REQUIRED") return switches.replaces(amount);
  if (latest && ["QUEUED", "PROCESSING", "REVIEW"].includes(latest.status)) return switches.follows(amount);
  if (subscription.status === "PAYMENT_FAILED") return switches.later(actions["retry-payment"]);
  return subscription.is_in_dunning ? switches.nextTry : switches.counts;
}

function sentenceOf(visit: SignedIn, payment: Payment): string {
  const { texts, locale, account } = visit;
  const { payments } = texts;
  const { attempt, isNew, subscription } = payment;
  const amount = money(locale, attempt.amount, attempt.currency_code);
  switch (attempt.status) {
    case "QUEUED":
    case "PROCESSING":
      return isNew ? payments.started(amount) : payments.running(amount);
    case "ACTION_REQUIRED":
      return payments.toConfirm(amount);
    case "REVIEW":
      return payments.inReview(amount);
    case "SUCCEEDED":
      return isNew
        ? payments.made(amount)
        : payments.paid(amount, dayOf(locale, attempt.settled_at ?? attempt.updated_at, account.timezone));
    case "FAILED":
      return texts.why.failed(
        amount,
        texts.reasons[declineReasonOf(attempt.error_code, subscription.billing_blocked_reason !== null)],
      );
    case "CANCELLED":
      return payments.withdrawn(amount);
  }
}

type Started = z.output<typeof BillingStarted>;
