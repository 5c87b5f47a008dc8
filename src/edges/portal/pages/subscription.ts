import { html } from "hono/html";
import { day, money } from "../../../base/language/format.ts";
import { addressOf } from "../../../base/language/names.ts";
import { type ActionName, actions, isOffered } from "./actions.ts";
import { chargeIn, dryRunOf } from "./confirm.ts";
import { cutoffText } from "./cutoff.ts";
import { renderNotice } from "./done.ts";
import { type Html, layout } from "./layout.ts";
import {
  chargeText,
  deliveryText,
  mostUpcoming,
  type NextDates,
  nextDates,
  pauseText,
  riskText,
} from "./next-dates.ts";
import type { Notice } from "./notice.ts";
import { confirmationBanner, paymentAlert, paymentStateOf } from "./payment-state.ts";
import {
  frequencyOf,
  methodOf,
  type Subscription,
  slotOf,
  statusOf,
  subtitleOf,
  titleOf,
} from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

/** The page of one subscription: all there is to know about it, and each thing that can be done with it. */
export async function subscriptionPage(
  visit: SignedIn,
  ask: AskOperations,
  { id, notice }: { id: string; notice: Notice | undefined },
): Promise<Html> {
  const { texts, locale } = visit;
  const [{ data: subscription }, { data: upcoming }, attempts, episodes, unskipped, ...undone] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "listUpcomingDeliveries", path: { id }, query: { count: String(mostUpcoming) } },
    { id: "listBillingAttempts", path: { id }, query: { limit: "10" } },
    { id: "listDunningEpisodes", path: { id }, query: { limit: "1" } },
    dryRunOf({ id, name: "unskip", fields: {} }),
    ...(notice?.undo ? [dryRunOf({ id, name: notice.undo.action, fields: notice.undo.fields })] : []),
  );
  const [attempt] = attempts.data;
  const canUnskip = unskipped !== undefined;
  const canUndo = undone.some((answer) => answer !== undefined && !chargeIn(answer));
  const state = paymentStateOf(visit, subscription, attempt);
  const deliveries = upcoming.slice(0, shown);
  const content = html`${attempt ? confirmationBanner(visit, subscription, attempt) : ""}
    <p><a href="${visit.base}">← ${texts.overview}</a></p>
    ${paymentAlert(visit, state)}
    ${notice ? renderNotice(visit, { subscription, notice, attempts: attempts.data, episode: episodes.data[0], state, canUndo }) : ""}
    <header class="title"><h1>${titleOf(visit, subscription)}</h1>${statusOf(visit, subscription.status)}</header>
    <p class="quiet">${subtitleOf(subscription)}</p>
    ${pauseText(visit, subscription)}
    <div class="columns">
      <section class="card">${renderFacts(visit, subscription, nextDates(subscription, upcoming))}</section>
      <section class="card" aria-labelledby="next"><h2 id="next">${texts.nextDeliveries}</h2>
        ${
          deliveries.length === 0
            ? html`<p class="empty">${texts.noDeliveries}</p>`
            : html`<ol class="dates">${deliveries.map(
                (delivery) =>
                  html`<li><time datetime="${delivery.delivery_date}">${day(locale, delivery.delivery_date)}</time>
                <span>${delivery.is_billed ? money(locale, delivery.total, delivery.currency_code) : texts.free}${riskText(visit, delivery)}</span></li>`,
              )}</ol>`
        }
      </section>
    </div>
    <section aria-labelledby="change"><h2 id="change">${texts.change}</h2>
      ${cutoffNote(visit, subscription)}
      <ul class="actions">${actionNames(visit, subscription, canUnskip).map(
        (name) =>
          html`<li><a class="button ${name === "cancel" ? "danger" : "quiet"}" href="${visit.base}/subscriptions/${id}/${name}">${texts.actions[name]}</a></li>`,
      )}</ul>${minimumTermOf(visit, subscription)}
    </section>`;
  return layout(visit, { title: titleOf(visit, subscription), content });
}

const shown = 6;

function actionNames(visit: SignedIn, subscription: Subscription, canUnskip: boolean): ActionName[] {
  return (Object.keys(actions) as ActionName[]).filter(
    (name) => isOffered(visit, name, subscription) && (name !== "unskip" || canUnskip),
  );
}

function renderFacts(visit: SignedIn, subscription: Subscription, next: NextDates): Html {
  const { texts, locale } = visit;
  const { currency_code: currency } = subscription;
  const facts: [string, string][] = [
    [texts.nextDelivery, deliveryText(visit, next)],
    [texts.nextCharge, chargeText(visit, subscription, next)],
    [texts.frequency, frequencyOf(visit, subscription)],
    [texts.payment, methodOf(visit, subscription)],
    [texts.address, addressOf(subscription.delivery_address) || texts.none],
    [texts.slot, slotOf(subscription)],
    [texts.instructions, subscription.delivery_instructions ?? ""],
  ];
  const sums: [string, number][] = [
    [texts.discount, -subscription.discount_amount],
    [texts.shipping, subscription.shipping_amount],
    [texts.tax, subscription.tax_amount],
  ];
  return html`<table class="lines"><caption class="hidden">${texts.amount}</caption>
      <thead class="hidden"><tr><th scope="col">${texts.order}</th><th scope="col">${texts.amount}</th></tr></thead>
      <tbody>${subscription.lines.map(
        (line) =>
          html`<tr><th scope="row">${line.quantity} × ${line.product_title}${line.variant_title ? `, ${line.variant_title}` : ""}</th>
          <td>${money(locale, line.line_total, currency)}</td></tr>`,
      )}
      ${sums
        .filter(([, amount]) => amount !== 0)
        .map(
          ([name, amount]) =>
            html`<tr><th scope="row">${name}</th><td>${money(locale, amount, currency)}</td></tr>`,
        )}
      <tr class="total"><th scope="row">${texts.total}</th><td>${money(locale, subscription.total, currency)}</td></tr></tbody>
    </table>
    <dl>${facts
      .filter(([, value]) => value !== "")
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function cutoffNote(visit: SignedIn, subscription: Subscription): Html {
  const text = cutoffText(visit, subscription);
  return text === undefined ? html`` : html`<p class="quiet">${text}</p>`;
}

/** Why a customer cannot cancel yet, where that is only a matter of time. */
function minimumTermOf({ texts, locale, settings }: SignedIn, subscription: Subscription): Html {
  const { min_cycles_remaining: count, can_cancel_from: date, status } = subscription;
  const isOver = status === "CANCELLED" || status === "EXPIRED";
  if (count === 0 || isOver || !settings.can_cancel) return html``;
  return html`<p class="quiet">${date === null ? texts.cancelAfter(count) : texts.cancelFrom(count, day(locale, date))}</p>`;
}
