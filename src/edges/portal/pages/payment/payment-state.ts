import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { moment, money } from "../../../../base/language/format.ts";
import type { BillingAttemptBody } from "../../../../domain/billing/schemas.ts";
import { waitReasonOf } from "../../../../domain/billing/wait-reason.ts";
import { isAddressMissing, isOver } from "../../../../domain/subscriptions/lifecycle.ts";
import type { Html } from "../../../pages/document.ts";
import { type ShownSubscription, titleOf } from "../summary.ts";
import type { SignedIn } from "../visit.ts";

export type ShownAttempt = z.output<typeof BillingAttemptBody>;

/** The state of a subscription's payment as a page shows it; `none` where there is nothing to say. */
export type PaymentState = "to_confirm" | "in_question" | "waits" | "under_way" | "failed" | "none";

/** The state of a subscription's payment, given its latest attempt, or the one in progress. */
export function paymentStateOf(
  visit: SignedIn,
  subscription: ShownSubscription,
  attempt: ShownAttempt | undefined,
): PaymentState {
  if (isInQuestion(subscription)) return "in_question";
  if (attempt && confirmationOf(visit, attempt)) return "to_confirm";
  if (isWaiting(subscription)) return "waits";
  const owes = subscription.is_in_dunning && subscription.status !== "PAUSED";
  if (!owes && subscription.status !== "PAYMENT_FAILED") return "none";
  return attempt && underWay.has(attempt.status) ? "under_way" : "failed";
}

/** The link by which a customer confirms the payment that waits for them, its amount, and until when: the first thing on the page. */
export function confirmationBanner(
  visit: SignedIn,
  subscription: ShownSubscription,
  attempt: ShownAttempt,
): Html {
  const { texts, locale, account } = visit;
  const confirmation = confirmationOf(visit, attempt);
  if (!confirmation) return html``;
  const heading = `confirm-${attempt.id}`;
  const amount = money(locale, attempt.amount, attempt.currency_code);
  const until = moment(locale, confirmation.until, account.timezone);
  const title = titleOf(visit, subscription);
  return html`<section class="alert confirm" aria-labelledby="${heading}"><h2 id="${heading}">${texts.confirmTitle}</h2>
    <p>${texts.confirmText(amount, title)} <strong>${texts.confirmUntil(until)}</strong></p>
    <p class="buttons"><a class="button" href="${confirmation.url}" rel="noreferrer">${texts.confirmPayment}<span class="hidden">: ${title}</span></a></p>
    <p>${texts.confirmedAlready}</p></section>`;
}

/** A payment is disputed, and nothing is charged. The customer need not be told who has asked whom: they know. */
export function isInQuestion(subscription: ShownSubscription): boolean {
  return subscription.billing_blocked_reason === "disputed" && !isOver(subscription);
}

/** Billing stands still for something that paying does not mend: a page offers no payment, as it would only use up a try. */
export function isWaiting(subscription: ShownSubscription): boolean {
  return subscription.billing_blocked_reason !== null && !isOver(subscription);
}

/** The payment's state as an alert beside the subscription. */
export function paymentAlert(visit: SignedIn, subscription: ShownSubscription, state: PaymentState): Html {
  const { texts } = visit;
  if (state === "waits") return waitAlert(visit, subscription);
  if (state === "in_question") return html`<p class="told">${texts.why.question}</p>`;
  if (state === "failed") return html`<p class="alert">${texts.paymentFailed}</p>`;
  return state === "under_way" ? html`<p class="told">${texts.paymentUnderWay}</p>` : html``;
}

/** The reason for which billing stands still. An address that is missing is the customer's to give. */
function waitAlert(visit: SignedIn, subscription: ShownSubscription): Html {
  const { texts, base, settings } = visit;
  const sentence = texts.why.waits[waitReasonOf(subscription.billing_blocked_reason)];
  if (!isAddressMissing(subscription) || !settings.can_change_address)
    return html`<p class="told">${sentence}</p>`;
  return html`<section class="alert"><p>${sentence}</p>
    <p class="buttons"><a class="button" href="${base}/subscriptions/${subscription.id}/address">${texts.actions.address}<span class="hidden">: ${titleOf(visit, subscription)}</span></a></p></section>`;
}

/** Attempts whose outcome is open, without any doing of the customer's. */
const underWay = new Set<ShownAttempt["status"]>(["QUEUED", "PROCESSING", "REVIEW"]);

/** Only a web address is a link, as it comes from the store; and only before its end, though the store is asked later. */
function confirmationOf(
  { c, account }: SignedIn,
  { next_action_url: url, next_action_expires_at: until }: ShownAttempt,
): { url: string; until: string } | undefined {
  const now = account.clock_at ?? c.get("now").toISOString();
  if (url === null || until === null || until <= now || !/^https?:\/\//i.test(url)) return undefined;
  return { url, until };
}
