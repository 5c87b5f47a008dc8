import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { html } from "hono/html";
import { notFound } from "../../../../base/errors.ts";
import { day, money } from "../../../../base/language/format.ts";
import type { CaseBody } from "../../../../domain/cancellation/case-schemas.ts";
import { textIn } from "../../../../domain/cancellation/offers.ts";
import { statusOf } from "../../../../kit/http/errors.ts";
import { isRefusal, previewOf } from "../../../pages/ask.ts";
import type { Html } from "../../../pages/document.ts";
import { type ChangeRow, changeTable, hiddenInputs } from "../../../pages/preview.ts";
import { type ChosenAction, dryRunOf } from "../confirm.ts";
import { noLine } from "../contents/content-changes.ts";
import { radios } from "../inputs.ts";
import { layout, sentenceOf } from "../layout.ts";
import { keepNotice } from "../notice.ts";
import type { PageEnv } from "../page-env.ts";
import { previewPage } from "../preview.ts";
import { keyOf } from "../profile/profile.ts";
import { frequencyOf, type ShownSubscription, subtitleOf, titleOf } from "../summary.ts";
import type { AskOperations, SignedIn } from "../visit.ts";
import { leavingPage } from "./leaving-form.ts";

type Case = z.output<typeof CaseBody>;
type Offer = Case["offers"][number];

/**
 * The second page on the way out: the offers for the reason, each with what it would do, and the button that cancels all the same. Where there
 * is nothing to offer, what cancelling does. Throws what opening the case refuses.
 */
export async function offersPage(visit: SignedIn, ask: AskOperations, change: ChosenAction): Promise<Html> {
  const { id, fields } = change;
  const { texts, base } = visit;
  const { reason: note, ...reason } = fields;
  const body = { ...reason, ...(note === undefined ? {} : { note }) };
  const [{ data: subscription }, { data: opened }, dry] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "openCancellation", path: { id }, body },
    dryRunOf(change),
  );
  if (opened.offers.length === 0) return previewPage(visit, ask, change);
  const path = `${base}/subscriptions/${id}`;
  const { leaving } = texts;
  const content = html`<div class="medium"><p><a href="${path}/cancel">← ${texts.back}</a></p>
    <h1>${leaving.instead}</h1>
    <p class="quiet">${titleOf(visit, subscription)} · ${subtitleOf(subscription)}</p>
    <p>${leaving.chooseOrCancel}</p>
    ${opened.offers.map((offer, index) => offerCard(visit, { subscription, opened, offer, index }))}
    <section class="card" aria-labelledby="leave"><h2 id="leave">${leaving.cancelNow}</h2><p>${texts.notes.cancel}</p>
      <form method="post" action="${path}/cancel">${hiddenInputs(fields)}
        <input type="hidden" name="confirm" value="1"><input type="hidden" name="key" value="page-${visit.c.get("requestId")}"><input type="hidden" name="preview" value="${previewOf(dry) ?? ""}">
        <p class="buttons"><button class="danger">${texts.confirmCancel}</button>
        <a class="button quiet" href="${path}">${texts.keep}</a></p></form></section></div>`;
  return layout(visit, { title: leaving.instead, content });
}

type Shown = { subscription: ShownSubscription; opened: Case; offer: Offer; index: number };

function offerCard(visit: SignedIn, { subscription, opened, offer, index }: Shown): Html {
  const { texts, base, locale } = visit;
  const path = `${base}/subscriptions/${subscription.id}/cancel/${opened.id}`;
  const name = `offer-${index}`;
  return html`<section class="card" aria-labelledby="${name}"><h2 id="${name}">${textIn(offer.label, locale)}</h2>
    ${offer.text === null ? "" : html`<p>${textIn(offer.text, locale)}</p>`}${boundOf(visit, subscription, offer)}
    ${changeTable(visit, rowsOf(visit, subscription, offer))}
    <form method="post" action="${path}">${choices(visit, offer)}
      <input type="hidden" name="offer_id" value="${offer.id}"><input type="hidden" name="key" value="${name}-${visit.c.get("requestId")}">
      <p class="buttons"><button aria-describedby="${name}">${texts.leaving.take}</button></p></form></section>`;
}

/** The reach of an offer, whatever the customer adds after taking it; nothing where it has no bound. */
function boundOf({ texts, locale }: SignedIn, subscription: ShownSubscription, { terms }: Offer): Html {
  const { atMost, priceFor } = texts.leaving;
  if ("to" in terms) return html`<p>${priceFor(lineToReplace(subscription, terms)?.quantity ?? 1)}</p>`;
  if (!("max_amount" in terms) || terms.max_amount == null) return html``;
  return html`<p>${atMost(money(locale, terms.max_amount, subscription.currency_code))}</p>`;
}

/** The frequencies that an offer leaves to choose; nothing where there is one, or none. */
function choices({ texts }: SignedIn, offer: Offer): Html {
  const options = optionsOf(offer);
  if (options.length < 2) return html``;
  const values = options.map(
    ({ interval, interval_count }) =>
      [`${interval}-${interval_count}`, texts.every(interval, interval_count)] as [string, string],
  );
  const fields = { choice: values[0]![0] };
  return radios({
    name: "choice",
    legend: texts.leaving.howOften,
    choices: values,
    fields,
    isRequired: true,
  });
}

type Option = { interval: ShownSubscription["billing_interval"]; interval_count: number };

function optionsOf({ terms }: Offer): Option[] {
  return "options" in terms ? (terms.options as Option[]) : [];
}

/** The effects of an offer, as its preview says. */
function rowsOf(visit: SignedIn, subscription: ShownSubscription, { terms, preview }: Offer): ChangeRow[] {
  const { texts, locale } = visit;
  const { before, after, next_charge_before: charge, next_charge_after: then } = preview;
  const amount = (value: number | undefined) =>
    value === undefined ? texts.none.amount : money(locale, value, subscription.currency_code);
  const dateOr = (nothing: string) => (value: string | null | undefined) =>
    value ? day(locale, value) : nothing;
  const [deliveryOf, chargeOf] = [dateOr(texts.none.delivery), dateOr(texts.none.charge)];
  const [option, ...others] = "options" in terms ? (terms.options as Option[]) : [];
  const product = "to" in terms ? productRow(visit, subscription, terms) : [];
  const often: ChangeRow[] =
    option && others.length === 0
      ? [
          [
            texts.frequency,
            frequencyOf(visit, subscription),
            texts.every(option.interval, option.interval_count),
          ],
        ]
      : [];
  const status: ChangeRow[] =
    before.status === after.status
      ? []
      : [[texts.status, texts.statuses[before.status], texts.statuses[after.status]]];
  const delivery: ChangeRow[] =
    after.status === "PAUSED"
      ? []
      : [[texts.nextDelivery, deliveryOf(before.next_delivery_date), deliveryOf(after.next_delivery_date)]];
  return [
    ...status,
    ...product,
    ...often,
    ...delivery,
    [texts.nextCharge, chargeOf(charge?.date), chargeOf(then?.date)],
    [texts.amount, amount(charge?.amount), amount(then?.amount)],
  ];
}

type Swap = Extract<Offer["terms"], { to: unknown }>;

function productRow({ texts }: SignedIn, subscription: ShownSubscription, terms: Swap): ChangeRow[] {
  const replaced = lineToReplace(subscription, terms);
  return [[texts.leaving.product, replaced?.product_title ?? noLine, terms.to.product_title]];
}

function lineToReplace({ lines }: ShownSubscription, { from_variant_id }: Swap) {
  return lines.find(
    ({ store_variant_id, is_one_time }) => !is_one_time && store_variant_id === from_variant_id,
  );
}

/** Takes an offer, once however often its form is sent, and leads to the subscription; where it is gone, to the first page again. */
export async function takeOffer(
  visit: SignedIn,
  ask: AskOperations,
  { c, id, caseId }: { c: Context<PageEnv>; id: string; caseId: string },
): Promise<Response> {
  const sent = c.get("sent");
  const [interval, count] = (sent.get("choice") ?? "").split("-");
  const choice = interval ? { choice: { interval, interval_count: Number(count) } } : {};
  const [answer] = await ask(visit, {
    id: "acceptCancellationOffer",
    path: { id, caseId },
    body: { offer_id: sent.get("offer_id") ?? "", ...choice },
    ...keyOf(sent),
    mayBeRefused: true,
  });
  if (!isRefusal(answer)) {
    keepNotice(c, id, { done: "offer" });
    return c.redirect(`${visit.base}/subscriptions/${encodeURIComponent(id)}`, 303);
  }
  if (answer.code === "NOT_FOUND") throw notFound("Page");
  const isBoundOfStaff = answer.code === "FORBIDDEN" && visit.session.on_behalf_of !== null;
  const alert = isBoundOfStaff
    ? `${answer.message}.`
    : answer.code === "INVALID_STATE"
      ? visit.texts.leaving.gone
      : sentenceOf(visit, answer);
  return c.html(await leavingPage(visit, ask, { id, fields: {}, alert }), statusOf[answer.code]);
}
