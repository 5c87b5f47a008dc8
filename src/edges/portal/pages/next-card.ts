import { html, raw } from "hono/html";
import { day, money, shortDay } from "../../../base/language/format.ts";
import { deliveriesPerBilling } from "../../../domain/subscriptions/dates/index.ts";
import { isOver } from "../../../domain/subscriptions/lifecycle.ts";
import type { Html } from "../../pages/document.ts";
import type { ActionName } from "./actions.ts";
import { cutoffText } from "./dates/cutoff.ts";
import {
  chargeText,
  deliveryText,
  endText,
  type ListedDelivery,
  nextDates,
  pauseText,
  undatedText,
} from "./dates/next-dates.ts";
import type { Links } from "./links.ts";
import type { PaymentState } from "./payment/payment-state.ts";
import { methodOf, type ShownSubscription } from "./summary.ts";
import type { SignedIn } from "./visit.ts";

type Next = { subscription: ShownSubscription; upcoming: ListedDelivery[]; state: PaymentState };

/** The next delivery: when it comes, what it costs, and what can be done with it. */
export function nextCard(visit: SignedIn, next: Next, { path, offers }: Links): Html {
  const { texts } = visit;
  const { subscription, upcoming, state } = next;
  const names = ofDelivery.filter(
    (name) => offers.includes(name) && !(state === "failed" && name === "retry-payment"),
  );
  const isFilled = (name: ActionName) => main.includes(name) && !hasMainAbove(state, offers);
  const labels: Partial<Record<ActionName, string>> = texts.look.short;
  const dates = nextDates(subscription, upcoming);
  const date = dates.delivery
    ? html`<time datetime="${dates.delivery}">${deliveryText(visit, subscription, dates)}</time>`
    : undatedText(visit, subscription, state);
  const cutoff = cutoffText(visit, subscription);
  return html`<section class="card next">
    ${pauseText(visit, subscription)}
    ${endText(visit, subscription)}
    <dl><div><dt>${texts.nextDelivery}</dt><dd>${date}</dd></div>
      ${chargeRows(visit, next)}${paidRow(visit, subscription, upcoming)}</dl>
    ${cutoff === undefined ? "" : html`<p class="quiet">${cutoff}</p>`}
    ${
      names.length === 0
        ? ""
        : html`<ul class="actions">${names.map(
            (name) =>
              html`<li${main.includes(name) ? raw(' class="main"') : ""}><a class="button${isFilled(name) ? "" : " quiet"}" href="${path}/${name}">${labels[name] ?? texts.actions[name]}</a></li>`,
          )}</ul>`
    }
  </section>`;
}

/** Actions so that there is a next delivery, each the main one where it is offered, and those that are about that delivery. */
const main: readonly ActionName[] = ["retry-payment", "resume", "reactivate"];
const ofDelivery: readonly ActionName[] = [...main, "skip", "schedule", "ship-now", "unskip"];

/** Whether the page's main action stands in the banner or the alert above: to confirm, to pay, or to pay otherwise. */
function hasMainAbove(state: PaymentState, offers: readonly ActionName[]): boolean {
  const remedies: ActionName[] = ["retry-payment", "payment-method"];
  return state === "to_confirm" || (state === "failed" && remedies.some((name) => offers.includes(name)));
}

/** The next charge in one line: its day, amount and payment method. Without a day: why there is none, and the amount where it goes on. */
function chargeRows(visit: SignedIn, { subscription, upcoming, state }: Next): Html {
  const { texts, locale } = visit;
  const { total, currency_code } = subscription;
  const dates = nextDates(subscription, upcoming);
  const later = priceChanges(upcoming).map(
    ({ billing_date, ...then }) =>
      html`<br><span class="quiet">${texts.amountFrom(money(locale, then.total, then.currency_code), day(locale, billing_date))}</span>`,
  );
  const amount = money(locale, total, currency_code);
  if (dates.charge !== null && state !== "to_confirm") {
    const isSameYear = dates.charge.slice(0, 4) === dates.delivery?.slice(0, 4);
    const date = (isSameYear ? shortDay : day)(locale, dates.charge);
    const parts = [texts.look.charged(date), amount, methodOf(visit, subscription)];
    return html`<div><dt class="hidden">${texts.nextCharge}</dt><dd class="charge">${parts.map((part, nth) => html`<span>${part}${nth < parts.length - 1 ? " ·" : ""}</span> `)}${later}</dd></div>`;
  }
  const undated = state === "to_confirm" ? texts.afterConfirmation : chargeText(visit, subscription, dates);
  return html`<div><dt>${texts.nextCharge}</dt><dd>${undated}</dd></div>${
    isOver(subscription) ? "" : html`<div><dt>${texts.amount}</dt><dd>${amount}${later}</dd></div>`
  }`;
}

/** The number of deliveries that are paid for, where one payment is for several. */
function paidRow({ texts }: SignedIn, subscription: ShownSubscription, upcoming: ListedDelivery[]): Html {
  const paid = paidAhead(subscription, upcoming);
  return paid
    ? html`<div><dt>${texts.prepaid}</dt><dd>${texts.prepaidLeft(paid.left, paid.of)}</dd></div>`
    : html``;
}

/** The charges that are coming at another amount than the one before each, as when a discount or the price of the first cycles ends. */
function priceChanges(upcoming: ListedDelivery[]): ListedDelivery[] {
  const charges = upcoming.filter(({ is_billed }) => is_billed);
  return charges
    .filter(({ total }, index) => index > 0 && total !== charges[index - 1]?.total)
    .slice(0, mostChanges);
}

/** Changes of the amount that are told ahead. */
const mostChanges = 2;

/** The deliveries that a payment has paid for and that are still to come, and for how many one payment is; undefined where each is paid by itself. */
function paidAhead(
  subscription: ShownSubscription,
  upcoming: ListedDelivery[],
): { left: number; of: number } | undefined {
  const of = deliveriesPerBilling(subscription);
  const charged = upcoming.findIndex(({ is_billed }) => is_billed);
  const left = charged === -1 ? upcoming.length : charged;
  return left === 0 && (of === 1 || charged === -1) ? undefined : { left, of };
}
