import { html } from "hono/html";
import { day, money } from "../../../base/language/format.ts";
import { deliveriesPerBilling } from "../../../domain/subscriptions/dates/index.ts";
import { isOver } from "../../../domain/subscriptions/lifecycle.ts";
import { isRefusal } from "../../pages/ask.ts";
import type { Html } from "../../pages/document.ts";
import type { ActionName } from "./actions.ts";
import { dryUndoOf } from "./confirm.ts";
import { contentsCard } from "./contents/contents.ts";
import { cutoffText } from "./dates/cutoff.ts";
import {
  chargeText,
  deliveryText,
  endText,
  type ListedDelivery,
  mostUpcoming,
  nextDates,
  pauseText,
  riskText,
  undatedText,
} from "./dates/next-dates.ts";
import { renderNotice } from "./done.ts";
import { factsCard } from "./facts.ts";
import { layout } from "./layout.ts";
import { offersOf, probeOf, probesOf } from "./leaving/offers.ts";
import type { Links } from "./links.ts";
import type { Notice } from "./notice.ts";
import { expiryAlert } from "./payment/card-expiry.ts";
import { failureAlert } from "./payment/failure-alert.ts";
import {
  confirmationBanner,
  type PaymentState,
  paymentAlert,
  paymentStateOf,
} from "./payment/payment-state.ts";
import { waysOf } from "./payment/payment-ways.ts";
import { type ShownSubscription, statusOf, subtitleOf, titleOf } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

/** The page of one subscription: the next delivery with the main thing to do, all there is to know, and each thing that can be changed. */
export async function subscriptionPage(
  visit: SignedIn,
  ask: AskOperations,
  { id, notice }: { id: string; notice: Notice | undefined },
): Promise<Html> {
  const { texts, base } = visit;
  const probes = probesOf(visit, id);
  const entry = notice?.entry;
  const [{ data: subscription }, { data: upcoming }, attempts, episodes, methods, choices, ...tried] =
    await ask(
      visit,
      { id: "getSubscription", path: { id } },
      { id: "listUpcomingDeliveries", path: { id }, query: { count: String(mostUpcoming) } },
      { id: "listBillingAttempts", path: { id }, query: { limit: "10" } },
      { id: "listDunningEpisodes", path: { id }, query: { limit: "1" } },
      { id: "getSubscriptionPaymentMethods", path: { id } },
      { id: "listLineChoices", path: { id } },
      ...probes,
      ...(entry ? [dryUndoOf(id, entry)] : []),
    );
  const [attempt] = attempts.data;
  const [episode] = episodes.data;
  const undone = tried.slice(probes.length);
  const canUndo = undone.some((answer) => !isRefusal(answer));
  const state = paymentStateOf(visit, subscription, attempt);
  const answers = tried.slice(0, probes.length);
  const link = probeOf(answers, "payment-link");
  const { current, alternatives } = methods.data;
  const ways = waysOf(visit, { id, alternatives, link });
  const offers = offersOf(visit, subscription, { answers, ways, method: current, coming: upcoming });
  const links = { path: `${base}/subscriptions/${id}`, offers };
  const content = html`${attempt ? confirmationBanner(visit, subscription, attempt) : ""}
    <p class="back"><a href="${base}">← ${texts.overview}</a></p>
    <header class="title"><h1>${titleOf(visit, subscription)}</h1>${statusOf(visit, subscription.status)}</header>
    <p class="quiet">${subtitleOf(subscription)}</p>
    ${
      state === "failed"
        ? failureAlert(visit, { subscription, attempts: attempts.data, episode }, links)
        : paymentAlert(visit, subscription, state)
    }
    ${expiryAlert(visit, { subscription, method: current, coming: upcoming, href: state === "failed" ? undefined : linkTo(links, "payment-method") })}
    ${notice && (canUndo || !notice.isLinked) ? renderNotice(visit, { subscription, notice, attempts: attempts.data, episode, state, canUndo }) : ""}
    <div class="columns"><div>
      ${nextCard(visit, subscription, upcoming, { ...links, state })}
      ${factsCard(visit, subscription, links)}
    </div><div>
      ${contentsCard(visit, subscription, { path: links.path, choices: choices.data })}
      ${datesCard(visit, upcoming.slice(0, shown))}
    </div></div>
    ${endingGroup(visit, subscription, links)}`;
  return layout(visit, { title: titleOf(visit, subscription), content });
}

const shown = 6;

function linkTo({ path, offers }: Links, name: ActionName): string | undefined {
  return offers.includes(name) ? `${path}/${name}` : undefined;
}

/** Actions on the next delivery, or so that there is one. The first that is offered is the main action. */
const ofDelivery: readonly ActionName[] = [
  ...(["retry-payment", "resume", "reactivate"] as const),
  ...(["skip", "schedule", "ship-now", "unskip"] as const),
];
const ofEnding: readonly ActionName[] = ["pause", "cancel"];

type NextLinks = Links & { state: PaymentState };

function nextCard(
  visit: SignedIn,
  subscription: ShownSubscription,
  upcoming: ListedDelivery[],
  { path, offers, state }: NextLinks,
): Html {
  const { texts } = visit;
  const next = nextDates(subscription, upcoming);
  const names = ofDelivery.filter(
    (name) => offers.includes(name) && !(state === "failed" && name === "retry-payment"),
  );
  const hasMain = hasMainAbove(state, offers);
  const date = next.delivery
    ? html`<time datetime="${next.delivery}">${deliveryText(visit, subscription, next)}</time>`
    : undatedText(visit, subscription, state);
  const charge = state === "to_confirm" ? texts.afterConfirmation : chargeText(visit, subscription, next);
  const cutoff = cutoffText(visit, subscription);
  return html`<section class="card next">
    ${pauseText(visit, subscription)}
    ${endText(visit, subscription)}
    <dl><div><dt>${texts.nextDelivery}</dt><dd>${date}</dd></div>
      <div><dt>${texts.nextCharge}</dt><dd>${charge}</dd></div>
      ${amountRow(visit, subscription, upcoming)}${paidRow(visit, subscription, upcoming)}</dl>
    ${cutoff === undefined ? "" : html`<p class="quiet">${cutoff}</p>`}
    ${
      names.length === 0
        ? ""
        : html`<ul class="actions">${names.map(
            (name, index) =>
              html`<li><a class="button${index === 0 && !hasMain ? "" : " quiet"}" href="${path}/${name}">${texts.actions[name]}</a></li>`,
          )}</ul>`
    }
  </section>`;
}

/** Whether the page's main action stands in the banner or the alert above: to confirm, to pay, or to pay otherwise. */
function hasMainAbove(state: PaymentState, offers: readonly ActionName[]): boolean {
  const remedies: ActionName[] = ["retry-payment", "payment-method"];
  return state === "to_confirm" || (state === "failed" && remedies.some((name) => offers.includes(name)));
}

/** The amount of the next charge, and of later ones where they differ. Where it has ended there is none. */
function amountRow(
  { texts, locale }: SignedIn,
  subscription: ShownSubscription,
  upcoming: ListedDelivery[],
): Html {
  if (isOver(subscription)) return html``;
  const { total, currency_code } = subscription;
  const later = priceChanges(upcoming).map(
    ({ billing_date, ...then }) =>
      html`<br><span class="quiet">${texts.amountFrom(money(locale, then.total, then.currency_code), day(locale, billing_date))}</span>`,
  );
  return html`<div><dt>${texts.amount}</dt><dd>${money(locale, total, currency_code)}${later}</dd></div>`;
}

/** The number of deliveries that are paid for, where one payment is for several. */
function paidRow({ texts }: SignedIn, subscription: ShownSubscription, upcoming: ListedDelivery[]): Html {
  const paid = paidAhead(subscription, upcoming);
  return paid
    ? html`<div><dt>${texts.prepaid}</dt><dd>${texts.prepaidLeft(paid.left, paid.of)}</dd></div>`
    : html``;
}

function datesCard(visit: SignedIn, deliveries: ListedDelivery[]): Html {
  const { texts, locale } = visit;
  if (deliveries.length === 0) return html``;
  return html`<section class="card" aria-labelledby="next"><h2 id="next">${texts.nextDeliveries}</h2>
    <ol class="dates">${deliveries.map(
      (delivery) =>
        html`<li><time datetime="${delivery.delivery_date}">${day(locale, delivery.delivery_date)}</time>
        <span>${delivery.is_billed ? money(locale, delivery.total, delivery.currency_code) : texts.free}${riskText(visit, delivery)}</span></li>`,
    )}</ol></section>`;
}

/** Pausing and cancelling, at the end of the page; or why it cannot be cancelled yet. */
function endingGroup(visit: SignedIn, subscription: ShownSubscription, { path, offers }: Links): Html {
  const { texts } = visit;
  const names = ofEnding.filter((name) => offers.includes(name));
  const term = minimumTermOf(visit, subscription);
  if (names.length === 0 && term === undefined) return html``;
  return html`<section class="ending" aria-labelledby="ending"><h2 id="ending">${texts.yourSubscription}</h2>
    <ul class="actions">${names.map(
      (name) =>
        html`<li><a class="button ${name === "cancel" ? "danger" : "quiet"}" href="${path}/${name}">${name === "pause" && subscription.status === "PAUSED" ? texts.changePause : texts.actions[name]}</a></li>`,
    )}</ul>${term === undefined ? "" : html`<p class="quiet">${term}</p>`}</section>`;
}

/** Why a customer cannot cancel yet, where that is only a matter of time. */
function minimumTermOf(
  { texts, locale, settings }: SignedIn,
  subscription: ShownSubscription,
): string | undefined {
  const { min_cycles_remaining: count, can_cancel_from: date, ends_after_cycle } = subscription;
  if (count === 0 || ends_after_cycle !== null || isOver(subscription) || !settings.can_cancel)
    return undefined;
  return date === null ? texts.cancelAfter(count) : texts.cancelFrom(count, day(locale, date));
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
