import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { html } from "hono/html";
import { notFound } from "../../../../base/errors.ts";
import type { CaseBody } from "../../../../domain/cancellation/case-schemas.ts";
import { textIn } from "../../../../domain/cancellation/offers.ts";
import { statusOf } from "../../../../kit/http/errors.ts";
import { isRefusal, previewOf } from "../../../pages/ask.ts";
import type { Html } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import { hiddenInputs } from "../../../pages/preview.ts";
import { changeList } from "../change-list.ts";
import { radios } from "../inputs.ts";
import { layout, sentenceOf } from "../layout.ts";
import { keepNotice } from "../notice.ts";
import type { PageEnv } from "../page-env.ts";
import { keyOf } from "../profile/profile.ts";
import { type ShownSubscription, subtitleOf, titleOf } from "../summary.ts";
import type { AskOperations, SignedIn } from "../visit.ts";
import { endCalls, endNotes } from "./end-notes.ts";
import { leavingPage } from "./leaving-form.ts";
import { boundOf, type CaseOffer, optionsOf, rowsOf } from "./offer-effects.ts";

type Case = z.output<typeof CaseBody>;

/**
 * The second page on the way out: the offers for the reason, each with what it would do, and the button that cancels all the same. Where there
 * is nothing to offer any more, the first page says so. Throws what opening the case refuses.
 */
export async function offersPage(
  visit: SignedIn,
  ask: AskOperations,
  { id, fields }: Leaving,
): Promise<Html> {
  const { texts, base } = visit;
  const { reason: note, ...reason } = fields;
  const body = { ...reason, ...(note === undefined ? {} : { note }) };
  const [{ data: before }, dry, { data: coming }, { data: attempts }, { data: opened }] = await ask(
    visit,
    ...endCalls(id),
    { id: "openCancellation", path: { id }, body },
  );
  const { leaving } = texts;
  if (opened.offers.length === 0) return leavingPage(visit, ask, { id, fields, alert: leaving.gone });
  const path = `${base}/subscriptions/${id}`;
  const content = html`<div class="medium"><p><a href="${path}/cancel">← ${texts.back}</a></p>
    <h1>${leaving.instead}</h1>
    <p class="quiet">${titleOf(visit, before)} · ${subtitleOf(before)}</p>
    <p>${leaving.chooseOrCancel}</p>
    ${opened.offers.map((offer, index) => offerCard(visit, { subscription: before, opened, offer, index }))}
    <section class="card" aria-labelledby="leave"><h2 id="leave">${leaving.cancelNow}</h2><p>${endNotes(visit, { before, dry, coming, attempts })}</p>
      <form method="post" action="${path}/cancel">${hiddenInputs(fields)}
        <input type="hidden" name="confirm" value="1"><input type="hidden" name="key" value="page-${visit.c.get("requestId")}"><input type="hidden" name="preview" value="${previewOf(dry) ?? ""}">
        <p class="buttons"><button class="danger">${texts.confirmCancel}</button>
        <a class="button quiet" href="${path}">${texts.keep}</a></p></form></section></div>`;
  return layout(visit, { title: leaving.instead, content });
}

type Leaving = { id: string; fields: Fields };
type Shown = { subscription: ShownSubscription; opened: Case; offer: CaseOffer; index: number };

function offerCard(visit: SignedIn, { subscription, opened, offer, index }: Shown): Html {
  const { texts, base, locale } = visit;
  const path = `${base}/subscriptions/${subscription.id}/cancel/${opened.id}`;
  const name = `offer-${index}`;
  return html`<section class="card" aria-labelledby="${name}"><h2 id="${name}">${textIn(offer.label, locale)}</h2>
    ${offer.text === null ? "" : html`<p>${textIn(offer.text, locale)}</p>`}${boundOf(visit, subscription, offer)}
    ${changeList(visit, rowsOf(visit, subscription, offer))}
    <form method="post" action="${path}">${choices(visit, offer)}
      <input type="hidden" name="offer_id" value="${offer.id}"><input type="hidden" name="key" value="${name}-${visit.c.get("requestId")}">
      <p class="buttons"><button class="quiet" aria-describedby="${name}">${texts.leaving.take}</button></p></form></section>`;
}

/** The frequencies that an offer leaves to choose; nothing where there is one, or none. */
function choices({ texts }: SignedIn, offer: CaseOffer): Html {
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
