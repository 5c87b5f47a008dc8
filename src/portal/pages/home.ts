import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import type { Upcoming } from "../../subscriptions/upcoming-schemas.ts";
import { day, money, sheet } from "./format.ts";
import { type Html, layout } from "./layout.ts";
import { delivers, frequencyOf, type Subscription, statusOf, subtitleOf, titleOf } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

type Delivery = z.output<typeof Upcoming>["data"][number];

/** Subscriptions whose deliveries stand in the calendar, how many of each, and how many sheets it has. */
const [calendarSubscriptions, each, sheets] = [10, 4, 6];

/** The first page: the next deliveries, and a card for each subscription. */
export async function homePage(visit: SignedIn, ask: AskOperations): Promise<Html> {
  const { texts } = visit;
  const ids: string[] = JSON.parse(visit.session.subscription_ids);
  const calendarIds = ids.slice(0, calendarSubscriptions);
  const answers = await ask(
    visit,
    ...ids.map((id) => ({ id: "getSubscription", path: { id } }) as const),
    ...calendarIds.map(
      (id) => ({ id: "listUpcomingDeliveries", path: { id }, query: { count: String(each) } }) as const,
    ),
  );
  const subscriptions = answers.slice(0, ids.length).map(({ data }) => data as Subscription);
  const upcoming = answers.slice(ids.length).map(({ data }) => data as Delivery[]);
  const isComing = (index: number) => delivers(subscriptions[index]);
  const deliveries = upcoming
    .flatMap((data, index) =>
      isComing(index) ? data.map((delivery) => ({ ...delivery, id: calendarIds[index] ?? "" })) : [],
    )
    .sort((a, b) => a.delivery_date.localeCompare(b.delivery_date))
    .slice(0, sheets);
  const content = html`<h1>${texts.portal}</h1>
    ${subscriptions.length === 0 ? html`<p class="empty">${texts.nothing}</p>` : calendar(visit, deliveries)}
    <h2 class="hidden">${texts.subscriptions}</h2>
    <div class="cards">${subscriptions.map((one) => card(visit, one))}</div>`;
  return layout(visit, { title: texts.portal, content });
}

function calendar(visit: SignedIn, deliveries: (Delivery & { id: string })[]): Html {
  const { texts, locale, base } = visit;
  const items = deliveries.map((delivery) => {
    const { day: number, month, weekday } = sheet(locale, delivery.delivery_date);
    const amount = delivery.is_billed ? money(locale, delivery.total, delivery.currency_code) : texts.free;
    return html`<li><a href="${base}/subscriptions/${delivery.id}">
      <time datetime="${delivery.delivery_date}"><b>${number}</b> ${month}</time>
      <span><strong>${titleOf(visit, delivery)}</strong>
      <span>${weekday} · ${amount}</span></span></a></li>`;
  });
  return html`<section aria-labelledby="next"><h2 id="next">${texts.nextDeliveries}</h2>
    ${items.length === 0 ? html`<p class="empty">${texts.noDeliveries}</p>` : html`<ol class="calendar">${items}</ol>`}
  </section>`;
}

function card(visit: SignedIn, item: Subscription): Html {
  const { texts, locale, base, settings } = visit;
  const path = `${base}/subscriptions/${item.id}`;
  const owes = item.is_in_dunning || item.status === "PAYMENT_FAILED";
  const quick = [
    ...(owes ? [["retry-payment", texts.actions["retry-payment"]] as const] : []),
    ...(item.status === "ACTIVE" && settings.can_skip ? [["skip", texts.actions.skip] as const] : []),
    ...(item.can_resume ? [["resume", texts.actions.resume] as const] : []),
    ...(item.can_reactivate ? [["reactivate", texts.actions.reactivate] as const] : []),
  ];
  const next = item.next_delivery_date;
  return html`<article class="card" aria-labelledby="s${item.number}">
    <header><h3 id="s${item.number}"><a href="${path}">${titleOf(visit, item)}</a></h3>${statusOf(visit, item.status)}</header>
    <p class="quiet">${subtitleOf(item)}</p>
    ${owes ? html`<p class="alert">${texts.paymentFailed}</p>` : ""}
    <dl>
      <div><dt>${item.status === "CANCELLED" ? texts.lastPaidDelivery : texts.nextDelivery}</dt>
        <dd>${next === null ? texts.none : html`<time datetime="${next}">${day(locale, next)}</time>`}</dd></div>
      <div><dt>${texts.amount}</dt><dd>${money(locale, item.total, item.currency_code)}</dd></div>
      <div><dt>${texts.frequency}</dt><dd>${frequencyOf(visit, item)}</dd></div>
    </dl>
    <p class="buttons">
      <a class="button" href="${path}">${texts.manage}<span class="hidden">: ${titleOf(visit, item)}</span></a>
      ${quick.map(([action, text]) => html`<a class="button quiet" href="${path}/${action}">${text}<span class="hidden">: ${titleOf(visit, item)}</span></a>`)}
    </p>
  </article>`;
}
