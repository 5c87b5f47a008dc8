import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { moment, money } from "../../../base/language/format.ts";
import type { BillingAttemptBody } from "../../../domain/billing/schemas.ts";
import type { Html } from "./layout.ts";
import { type Subscription, titleOf } from "./summary.ts";
import type { SignedIn } from "./visit.ts";

export type Attempt = z.output<typeof BillingAttemptBody>;

/** The state of a subscription's payment as a page shows it; `none` where there is nothing to say. */
export type PaymentState = "to_confirm" | "in_question" | "under_way" | "failed" | "none";

/** The state of a subscription's payment, given its latest attempt, or the one in progress. */
export function paymentStateOf(
  visit: SignedIn,
  subscription: Subscription,
  attempt: Attempt | undefined,
): PaymentState {
  if (isInQuestion(subscription)) return "in_question";
  if (attempt && confirmationOf(visit, attempt)) return "to_confirm";
  if (!subscription.is_in_dunning && subscription.status !== "PAYMENT_FAILED") return "none";
  return attempt && underWay.has(attempt.status) ? "under_way" : "failed";
}

/** Where a customer confirms the payment that waits for them, how much it is, and until when: the first thing on the page. */
export function confirmationBanner(visit: SignedIn, subscription: Subscription, attempt: Attempt): Html {
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
export function isInQuestion({ billing_blocked_reason: reason, status }: Subscription): boolean {
  return reason === "disputed" && status !== "CANCELLED" && status !== "EXPIRED";
}

/** The payment's state as an alert beside the subscription. */
export function paymentAlert({ texts }: SignedIn, state: PaymentState): Html {
  if (state === "in_question") return html`<p class="told">${texts.paymentInQuestion}</p>`;
  if (state === "failed") return html`<p class="alert">${texts.paymentFailed}</p>`;
  return state === "under_way" ? html`<p class="told">${texts.paymentUnderWay}</p>` : html``;
}

/** Attempts whose outcome is open, without any doing of the customer's. */
const underWay = new Set<Attempt["status"]>(["QUEUED", "PROCESSING", "REVIEW"]);

/** Only a web address is a link, as it comes from the store; and only before its end, though the store is asked later. */
function confirmationOf(
  { c, account }: SignedIn,
  { next_action_url: url, next_action_expires_at: until }: Attempt,
): { url: string; until: string } | undefined {
  const now = account.clock_at ?? c.get("now").toISOString();
  if (url === null || until === null || until <= now || !/^https?:\/\//i.test(url)) return undefined;
  return { url, until };
}
