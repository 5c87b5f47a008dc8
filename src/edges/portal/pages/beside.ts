import { html } from "hono/html";
import { money } from "../../../base/language/format.ts";
import { isOver } from "../../../domain/subscriptions/lifecycle.ts";
import type { Html } from "../../pages/document.ts";
import { type FactRow, factRows } from "../../pages/facts.ts";
import { goods } from "./contents/contents.ts";
import { frequencyOf, methodOf, type ShownSubscription, statusOf, subtitleOf, titleOf } from "./summary.ts";
import type { SignedIn } from "./visit.ts";

/** The subscription that a page is about, below its title, where nothing stands beside it. */
export function subjectOf(visit: SignedIn, subscription: ShownSubscription): Html {
  return html`<p class="quiet subject">${titleOf(visit, subscription)} · ${subtitleOf(subscription)}</p>`;
}

/** A form, or what it would do, in the middle of the page, with its subscription beside it where there is room. */
export function besideSummary(visit: SignedIn, subscription: ShownSubscription, page: Html): Html {
  const { texts, locale } = visit;
  const { lines, total, currency_code } = subscription;
  const facts: FactRow[] = [
    [texts.contents, html`${lines.map((line) => html`<span class="item">${goods(line)}</span>`)}`],
    ...(isOver(subscription) ? [] : [[texts.amount, money(locale, total, currency_code)] as FactRow]),
    [texts.frequency, frequencyOf(visit, subscription)],
    [texts.payment, methodOf(visit, subscription)],
  ];
  return html`<div class="beside"><div class="page">${page}</div><aside class="card" aria-label="${titleOf(visit, subscription)}">
    <p><strong>${titleOf(visit, subscription)}</strong></p><p class="quiet">${subtitleOf(subscription)} ${statusOf(visit, subscription.status)}</p>
    <dl>${factRows(facts)}</dl></aside></div>`;
}
