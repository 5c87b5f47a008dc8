import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { day } from "../../../../base/language/format.ts";
import type { Upcoming } from "../../../../domain/billing/upcoming/upcoming-schemas.ts";
import type { Html } from "../../../pages/document.ts";
import type { Visit } from "../page-env.ts";
import { isInQuestion, type PaymentState } from "../payment/payment-state.ts";
import type { ShownSubscription } from "../summary.ts";

export type ListedDelivery = z.output<typeof Upcoming>["data"][number];

/** The dates that a page shows as next; null where nothing comes. */
type ShownDates = { delivery: string | null; charge: string | null };

/** The number of deliveries that are read to find the next charge: as many as the API lists. */
export const mostUpcoming = 24;

/** The next dates by what is coming. Where that is paid for further than can be listed, the schedule says when it is charged. */
export function nextDates(subscription: ShownSubscription, upcoming: ListedDelivery[]): ShownDates {
  const [first] = upcoming;
  const billed = upcoming.find(({ is_billed }) => is_billed);
  const isFull = upcoming.length === mostUpcoming && subscription.status === "ACTIVE";
  return {
    delivery: first?.delivery_date ?? null,
    charge: billed?.billing_date ?? (isFull ? subscription.next_billing_date : null),
  };
}

/**
 * The next dates after a change, given those before it. A payment that is owed or stands still is tried when it would have been, whatever
 * the schedule; a pause keeps the schedule's dates that lie behind its end, and charges nothing before.
 */
export function nextDatesAfter(
  before: ShownSubscription,
  after: ShownSubscription,
  known: ShownDates,
): ShownDates {
  const scheduled = { delivery: after.next_delivery_date, charge: after.next_billing_date };
  const moves = after.next_delivery_date !== before.next_delivery_date;
  switch (after.status) {
    case "PAUSED":
      return moves || before.status !== "PAUSED" ? keepBehind(after.pause_until, scheduled) : known;
    case "PAYMENT_FAILED":
      return known;
    case "ACTIVE":
      return isHeldUp(after) ? { ...known, ...(moves ? { delivery: scheduled.delivery } : {}) } : scheduled;
    default:
      return scheduled;
  }
}

export function deliveryText(
  visit: Visit,
  subscription: ShownSubscription,
  { delivery }: ShownDates,
): string {
  return delivery === null ? undatedText(visit, subscription) : day(visit.locale, delivery);
}

/** A next delivery without a date comes once what is owed has been paid or confirmed, or not at all. */
export function undatedText({ texts }: Visit, subscription: ShownSubscription, state?: PaymentState): string {
  if (state === "to_confirm") return texts.afterConfirmation;
  if (isInQuestion(subscription)) return texts.afterQuestion;
  const { status, is_in_dunning } = subscription;
  return (is_in_dunning && status !== "PAUSED") || status === "PAYMENT_FAILED"
    ? texts.afterPayment
    : texts.none.delivery;
}

export function chargeText(
  { texts, locale }: Visit,
  subscription: ShownSubscription,
  { charge }: ShownDates,
): string {
  if (charge !== null) return day(locale, charge);
  if (subscription.status === "PAUSED") return texts.noChargesWhilePaused;
  return isInQuestion(subscription) ? texts.afterQuestion : texts.none.charge;
}

/** Until when a subscription is paused, if it has a date. */
export function pauseText({ texts, locale }: Visit, { pause_until: until }: ShownSubscription): Html {
  if (until === null) return html``;
  return html`<p>${texts.pausedUntil} <time datetime="${until}">${day(locale, until)}</time></p>`;
}

/** The end that was agreed on, by what is known of it: the payments that are left, the day, or both. Empty where it goes on. */
export function endText(
  { texts, locale }: Visit,
  { ends_on, ends_after_cycle, current_billing_cycle }: ShownSubscription,
): Html {
  const left = ends_after_cycle === null ? 0 : ends_after_cycle - current_billing_cycle + 1;
  if (left <= 0 && ends_on === null) return html``;
  return html`<p>${texts.ends(left > 0 ? left : null, ends_on && day(locale, ends_on))}</p>`;
}

/** The condition of a delivery whose payment is in doubt; empty for others. */
export function riskText({ texts }: Visit, { is_at_risk }: ListedDelivery): string {
  return is_at_risk ? ` (${texts.ifPaymentSucceeds})` : "";
}

function isHeldUp({ is_in_dunning, billing_blocked_reason }: ShownSubscription): boolean {
  return is_in_dunning || billing_blocked_reason !== null;
}

function keepBehind(until: string | null, { delivery, charge }: ShownDates): ShownDates {
  const isBehind = until !== null && delivery !== null && delivery > until && (charge ?? delivery) > until;
  return isBehind ? { delivery, charge } : { delivery: null, charge: null };
}
