import { html } from "hono/html";
import { day, money } from "../../../base/language/format.ts";
import { isOver } from "../../../domain/subscriptions/lifecycle.ts";
import { isRefusal, previewOf } from "../../pages/ask.ts";
import { type Html, renderAlert } from "../../pages/document.ts";
import type { ActionName } from "./actions.ts";
import { dryUndoOf } from "./confirm.ts";
import { contentsCard } from "./contents/contents.ts";
import { pictureStack, picturesOf } from "./contents/pictures.ts";
import { type ListedDelivery, mostUpcoming, riskText } from "./dates/next-dates.ts";
import { renderNotice } from "./done.ts";
import { factsCard } from "./facts.ts";
import { layout } from "./layout.ts";
import { offersOf, probeOf, probesOf } from "./leaving/offers.ts";
import type { Links } from "./links.ts";
import { nextCard } from "./next-card.ts";
import type { Notice } from "./notice.ts";
import { expiryAlert } from "./payment/card-expiry.ts";
import { failureAlert } from "./payment/failure-alert.ts";
import { confirmationBanner, paymentAlert, paymentStateOf } from "./payment/payment-state.ts";
import { waysOf } from "./payment/payment-ways.ts";
import { type ShownSubscription, statusOf, subtitleOf, titleOf } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

/** The page of one subscription: the next delivery with the main thing to do, all there is to know, and each thing that can be changed. */
export async function subscriptionPage(
  visit: SignedIn,
  ask: AskOperations,
  { id, notice, alert }: { id: string; notice: Notice | undefined; alert?: string },
): Promise<Html> {
  const { texts, base } = visit;
  const probes = probesOf(visit, id);
  const entry = notice?.entry;
  const [
    { data: subscription },
    { data: upcoming },
    attempts,
    episodes,
    methods,
    choices,
    { data: shop },
    ...tried
  ] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "listUpcomingDeliveries", path: { id }, query: { count: String(mostUpcoming) } },
    { id: "listBillingAttempts", path: { id }, query: { limit: "10" } },
    { id: "listDunningEpisodes", path: { id }, query: { limit: "1" } },
    { id: "getSubscriptionPaymentMethods", path: { id } },
    { id: "listLineChoices", path: { id } },
    { id: "getOwnShop" },
    ...probes,
    ...(entry ? [dryUndoOf(id, entry)] : []),
  );
  const [attempt] = attempts.data;
  const [episode] = episodes.data;
  const [undone] = tried.slice(probes.length);
  const undo = isRefusal(undone) ? undefined : previewOf(undone);
  const state = paymentStateOf(visit, subscription, attempt);
  const answers = tried.slice(0, probes.length);
  const link = probeOf(answers, "payment-link");
  const { current, alternatives } = methods.data;
  const ways = waysOf(visit, { id, alternatives, link });
  const offers = offersOf(visit, subscription, { answers, ways, method: current, coming: upcoming, shop });
  const links = { path: `${base}/subscriptions/${id}`, offers };
  const content = html`${attempt ? confirmationBanner(visit, subscription, attempt) : ""}
    <p class="back"><a href="${base}">← ${texts.overview}</a></p>
    <header class="title">${pictureStack(visit, subscription.lines, picturesOf(subscription, choices.data))}
      <div class="head"><h1>${titleOf(visit, subscription)}</h1>
      <p class="quiet">${subtitleOf(subscription)} ${statusOf(visit, subscription.status)}</p></div></header>
    ${
      state === "failed"
        ? failureAlert(visit, { subscription, attempts: attempts.data, episode }, links)
        : paymentAlert(visit, subscription, state)
    }
    ${expiryAlert(visit, { subscription, method: current, coming: upcoming, href: state === "failed" ? undefined : linkTo(links, "payment-method") })}
    ${renderAlert(alert)}${notice && (undo !== undefined || !notice.isLinked) ? renderNotice(visit, { subscription, notice, attempts: attempts.data, episode, state, undo }) : ""}
    <div class="columns"><div>
      ${nextCard(visit, { subscription, upcoming, state }, links)}
      ${factsCard(visit, subscription, links)}
    </div><div>
      ${contentsCard(visit, subscription, { path: links.path, choices: choices.data })}
      ${datesCard(visit, upcoming.slice(0, shown))}
    </div></div>
    ${endingGroup(visit, subscription, links)}`;
  return layout(visit, { title: titleOf(visit, subscription), content });
}

/** The dates that are listed, and how many of them are seen at first. */
const [shown, unfolded] = [6, 3];

const ofEnding: readonly ActionName[] = ["pause", "cancel"];

function linkTo({ path, offers }: Links, name: ActionName): string | undefined {
  return offers.includes(name) ? `${path}/${name}` : undefined;
}

/** The first dates, and those after them folded. */
function datesCard(visit: SignedIn, deliveries: ListedDelivery[]): Html {
  const { texts } = visit;
  if (deliveries.length === 0) return html``;
  const [first, later] = [deliveries.slice(0, unfolded), deliveries.slice(unfolded)];
  return html`<section class="card" aria-labelledby="next"><h2 id="next">${texts.nextDeliveries}</h2>
    ${dateList(visit, first)}${
      later.length === 0
        ? ""
        : html`<details><summary>${texts.look.more(later.length)}</summary>${dateList(visit, later)}</details>`
    }</section>`;
}

function dateList(visit: SignedIn, deliveries: ListedDelivery[]): Html {
  const { texts, locale } = visit;
  return html`<ol class="dates">${deliveries.map(
    (delivery) =>
      html`<li><time datetime="${delivery.delivery_date}">${day(locale, delivery.delivery_date)}</time>
        <span>${delivery.is_billed ? money(locale, delivery.total, delivery.currency_code) : texts.free}${riskText(visit, delivery)}</span></li>`,
  )}</ol>`;
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
