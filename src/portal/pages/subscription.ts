import { html } from "hono/html";
import { type ActionName, actions, isOffered } from "./actions.ts";
import { day, money } from "./format.ts";
import { type Html, layout } from "./layout.ts";
import type { Notice } from "./notice.ts";
import {
  addressOf,
  delivers,
  frequencyOf,
  methodOf,
  type Subscription,
  slotOf,
  statusOf,
  subtitleOf,
  titleOf,
} from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

const shown = 6;

/** The page of one subscription: all there is to know about it, and each thing that can be done with it. */
export async function subscriptionPage(
  visit: SignedIn,
  ask: AskOperations,
  { id, notice }: { id: string; notice: Notice | undefined },
): Promise<Html> {
  const { texts, locale } = visit;
  const [{ data: subscription }, { data: upcoming }, skips] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "listUpcomingDeliveries", path: { id }, query: { count: String(shown) } },
    { id: "listSkips", path: { id }, query: { limit: "1" } },
  );
  const [lastSkip] = skips.data;
  const canUnskip = lastSkip !== undefined && lastSkip.undone_at === null;
  const owes = subscription.is_in_dunning || subscription.status === "PAYMENT_FAILED";
  const deliveries = delivers(subscription) ? upcoming : [];
  const content = html`<p><a href="${visit.base}">← ${texts.overview}</a></p>
    ${notice ? noticeOf(visit, id, notice) : ""}
    <header class="title"><h1>${titleOf(visit, subscription)}</h1>${statusOf(visit, subscription.status)}</header>
    <p class="quiet">${subtitleOf(subscription)}</p>
    ${owes ? html`<p class="alert">${texts.paymentFailed}</p>` : ""}
    <div class="columns">
      <section class="card">${factsOf(visit, subscription)}</section>
      <section class="card" aria-labelledby="next"><h2 id="next">${texts.nextDeliveries}</h2>
        ${
          deliveries.length === 0
            ? html`<p class="empty">${texts.noDeliveries}</p>`
            : html`<ol class="dates">${deliveries.map(
                (delivery) =>
                  html`<li><time datetime="${delivery.delivery_date}">${day(locale, delivery.delivery_date)}</time>
                <span>${delivery.is_billed ? money(locale, delivery.total, delivery.currency_code) : texts.free}</span></li>`,
              )}</ol>`
        }
      </section>
    </div>
    <section aria-labelledby="change"><h2 id="change">${texts.change}</h2>
      <ul class="actions">${actionNames(visit, subscription, canUnskip).map(
        (name) =>
          html`<li><a class="button ${name === "cancel" ? "danger" : "quiet"}" href="${visit.base}/subscriptions/${id}/${name}">${texts.actions[name]}</a></li>`,
      )}</ul>
    </section>`;
  return layout(visit, { title: titleOf(visit, subscription), content });
}

function actionNames(visit: SignedIn, subscription: Subscription, canUnskip: boolean): ActionName[] {
  return (Object.keys(actions) as ActionName[]).filter(
    (name) => isOffered(visit, name, subscription) && (name !== "unskip" || canUnskip),
  );
}

function factsOf(visit: SignedIn, subscription: Subscription): Html {
  const { texts, locale } = visit;
  const { currency_code: currency, next_delivery_date: next, next_billing_date: billing } = subscription;
  const facts: [string, string][] = [
    [texts.nextDelivery, next === null ? texts.none : day(locale, next)],
    [texts.nextCharge, billing === null ? texts.none : day(locale, billing)],
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

/** What was just done, and the button that undoes it. */
function noticeOf({ texts, base, c }: SignedIn, id: string, { done, undo }: Notice): Html {
  const hidden = Object.entries(undo?.fields ?? {}).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<div class="notice" role="status"><p>${texts.done[done]}</p>
    ${
      undo
        ? html`<form method="post" action="${base}/subscriptions/${id}/${undo.action}">${hidden}
        <input type="hidden" name="confirm" value="1"><input type="hidden" name="key" value="undo-${c.get("requestId")}">
        <button>${texts.undo}</button></form>`
        : ""
    }</div>`;
}
