import { html } from "hono/html";
import { day, money, sheet } from "../../../base/language/format.ts";
import { type Html, layout } from "./layout.ts";
import { pauseText, riskText, type UpcomingDelivery } from "./next-dates.ts";
import {
  type Attempt,
  confirmationBanner,
  type PaymentState,
  paymentAlert,
  paymentStateOf,
} from "./payment-state.ts";
import { frequencyOf, type Subscription, statusOf, subtitleOf, titleOf } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

/** The first page: the next deliveries, and a card for each subscription. */
export async function homePage(visit: SignedIn, ask: AskOperations): Promise<Html> {
  const { texts } = visit;
  const newest: [id: string, attemptId: string | null][] = JSON.parse(visit.session.newest_subscriptions);
  const ids = newest.map(([id]) => id);
  const inProgress = newest.flatMap(([id, attemptId]) => (attemptId === null ? [] : [{ id, attemptId }]));
  const answers = await ask(
    visit,
    ...ids.map((id) => ({ id: "getSubscription", path: { id } }) as const),
    ...ids.map((id, index) => {
      const count = String(index < calendarSubscriptions ? each : 1);
      return { id: "listUpcomingDeliveries", path: { id }, query: { count } } as const;
    }),
    ...inProgress.map((path) => ({ id: "getBillingAttempt", path }) as const),
  );
  const subscriptions = answers.slice(0, ids.length).map(({ data }) => data as Subscription);
  const upcoming = answers.slice(ids.length, 2 * ids.length).map(({ data }) => data as UpcomingDelivery[]);
  const attempts = answers.slice(2 * ids.length).map(({ data }) => data as Attempt);
  const attemptOf = ({ id }: Subscription) => attempts.find(({ subscription_id }) => subscription_id === id);
  const deliveries = upcoming
    .flatMap((data, index) => data.map((delivery) => ({ ...delivery, id: ids[index] ?? "" })))
    .sort((a, b) => a.delivery_date.localeCompare(b.delivery_date))
    .slice(0, sheets);
  const content = html`${subscriptions.map((one) => {
    const attempt = attemptOf(one);
    return attempt ? confirmationBanner(visit, one, attempt) : "";
  })}
    <h1>${texts.portal}</h1>
    ${subscriptions.length === 0 ? html`<p class="empty">${texts.nothing}</p>` : calendar(visit, deliveries)}
    <h2 class="hidden">${texts.subscriptions}</h2>
    <div class="cards">${subscriptions.map((one, index) =>
      card(visit, {
        item: one,
        state: paymentStateOf(visit, one, attemptOf(one)),
        first: upcoming[index]?.[0],
      }),
    )}</div>`;
  return layout(visit, { title: texts.portal, content });
}

/** Subscriptions of which several deliveries are read, how many of each, and how many sheets the calendar has. */
const [calendarSubscriptions, each, sheets] = [10, 4, 6];

function calendar(visit: SignedIn, deliveries: (UpcomingDelivery & { id: string })[]): Html {
  const { texts, locale, base } = visit;
  const items = deliveries.map((delivery) => {
    const { day: number, month, weekday } = sheet(locale, delivery.delivery_date);
    const amount = delivery.is_billed ? money(locale, delivery.total, delivery.currency_code) : texts.free;
    return html`<li><a href="${base}/subscriptions/${delivery.id}">
      <time datetime="${delivery.delivery_date}"><b>${number}</b> ${month}</time>
      <span><strong>${titleOf(visit, delivery)}</strong>
      <span>${weekday} · ${amount}${riskText(visit, delivery)}</span></span></a></li>`;
  });
  return html`<section aria-labelledby="next"><h2 id="next">${texts.nextDeliveries}</h2>
    ${items.length === 0 ? html`<p class="empty">${texts.noDeliveries}</p>` : html`<ol class="calendar">${items}</ol>`}
  </section>`;
}

type Card = { item: Subscription; state: PaymentState; first: UpcomingDelivery | undefined };

function card(visit: SignedIn, { item, state, first }: Card): Html {
  const { texts, locale, base, settings } = visit;
  const path = `${base}/subscriptions/${item.id}`;
  const quick = [
    ...(state === "failed" ? [["retry-payment", texts.actions["retry-payment"]] as const] : []),
    ...(item.status === "ACTIVE" && settings.can_skip ? [["skip", texts.actions.skip] as const] : []),
    ...(item.can_resume ? [["resume", texts.actions.resume] as const] : []),
    ...(item.can_reactivate ? [["reactivate", texts.actions.reactivate] as const] : []),
  ];
  const next = first?.delivery_date ?? null;
  return html`<article class="card" aria-labelledby="s${item.number}">
    <header><h3 id="s${item.number}"><a href="${path}">${titleOf(visit, item)}</a></h3>${statusOf(visit, item.status)}</header>
    <p class="quiet">${subtitleOf(item)}</p>
    ${paymentAlert(visit, state)}
    ${pauseText(visit, item)}
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
