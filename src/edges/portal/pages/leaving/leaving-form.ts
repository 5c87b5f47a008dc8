import type { z } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import { foreseeOffers } from "../../../../domain/cancellation/actions/foresee.ts";
import { type FrozenOffer, textIn } from "../../../../domain/cancellation/offers.ts";
import { labelIn } from "../../../../domain/reasons/labels.ts";
import type { ReasonList } from "../../../../domain/reasons/schemas.ts";
import { isRefusal, previewOf } from "../../../pages/ask.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import { besideSummary, subjectOf } from "../beside.ts";
import { changeList } from "../change-list.ts";
import { type Faults, faultsAlert, groupMarksOf, isFirst, marksOf, titleWith } from "../faults.ts";
import { layout, sentenceOf } from "../layout.ts";
import { openCustomerCtx } from "../page-ctx.ts";
import { compareRows } from "../preview.ts";
import type { ShownSubscription } from "../summary.ts";
import type { AskOperations, SignedIn } from "../visit.ts";
import { afterEnd, endCalls, endNotes } from "./end-notes.ts";
import { summaryOf } from "./offer-effects.ts";

/** `alert`: a sentence about what was tried before. */
type Form = { id: string; fields: Fields; faults?: Faults; alert?: string };

/**
 * The first page on the way out: why, with what the shop can offer for each reason, what cancelling does, and the button that cancels at once. A
 * second step is there only where an offer is.
 */
export async function leavingPage(visit: SignedIn, ask: AskOperations, form: Form): Promise<Html> {
  const { texts, base } = visit;
  const { id, fields, faults, alert } = form;
  const [{ data: before }, dry, { data: coming }, { data: attempts }, reasons, { data: shop }] = await ask(
    visit,
    ...endCalls(id),
    { id: "listCancellationReasons" },
    { id: "getOwnShop" },
  );
  const ids = reasons.map(({ data }) => data.id);
  const offers = shop.offers_on_cancellation
    ? await foreseeOffers(await openCustomerCtx(visit), id, ids)
    : new Map<string | null, FrozenOffer[]>();
  const path = `${base}/subscriptions/${id}`;
  const refusal = alert ?? (isRefusal(dry) && !faults ? sentenceOf(visit, dry) : undefined);
  const end = { before, dry, coming, attempts };
  const after = afterEnd(end);
  const facts = { before, name: "cancel", coming, paused: undefined } as const;
  const effects = after ? changeList(visit, compareRows(visit, { ...facts, after })) : "";
  const content = html`<p class="back"><a href="${path}">← ${texts.back}</a></p>
    <h1>${texts.actions.cancel}</h1>
    ${subjectOf(visit, before)}
    ${faultsAlert(visit, faults)}${renderAlert(refusal)}
    <form class="card" method="post" action="${path}/cancel">${reasonChoice(visit, { before, reasons, offers, fields, faults })}
      <label>${texts.comment} <textarea name="reason" rows="3" maxlength="10000"${marksOf(faults, "reason")}>${fields.reason ?? ""}</textarea></label>
      <p>${endNotes(visit, end)}</p>${effects}
      <input type="hidden" name="key" value="page-${visit.c.get("requestId")}"><input type="hidden" name="preview" value="${previewOf(dry) ?? ""}">
      <p class="buttons"><button class="danger" name="confirm" value="1">${texts.confirmCancel}</button>
      <a class="button quiet" href="${path}">${texts.keep}</a></p>
    </form>`;
  return layout(visit, {
    title: titleWith(visit, texts.actions.cancel, faults),
    content: besideSummary(visit, before, content),
  });
}

type Choice = {
  before: ShownSubscription;
  reasons: z.output<typeof ReasonList>;
  offers: Map<string | null, FrozenOffer[]>;
  fields: Fields;
  faults: Faults | undefined;
};

/** The reasons, each with its offers, which are shown once it is chosen; those for whoever chooses none stand below. */
function reasonChoice(visit: SignedIn, { before, reasons, offers, fields, faults }: Choice): Html {
  const { texts, locale } = visit;
  const name = "cancellation_reason_id";
  const offersOf = (reasonId: string | null) => {
    const made = offers.get(reasonId) ?? [];
    return made.length === 0 ? html`` : offerRows(visit, { before, reasonId, made });
  };
  if (reasons.length === 0) return offersOf(null);
  return html`<fieldset class="reasons"${groupMarksOf(faults, name)}><legend>${texts.reasonOptional}</legend>${reasons.map(
    ({ data }, index) =>
      html`<div><label class="choice"><input type="radio" name="${name}" value="${data.id}"${
        fields[name] === data.id ? raw(" checked") : ""
      }${index === 0 && isFirst(faults, name) ? raw(" autofocus") : ""}> <span>${labelIn(locale, data)}</span></label>${offersOf(data.id)}</div>`,
  )}${offersOf(null)}</fieldset>`;
}

type Rows = { before: ShownSubscription; reasonId: string | null; made: FrozenOffer[] };

/** The offers for a reason, each with what it does, and the button that leads to them. */
function offerRows(visit: SignedIn, { before, reasonId, made }: Rows): Html {
  const { texts, locale } = visit;
  return html`<div class="offers"><p>${texts.leaving.offered}</p>
    <ul>${made.map((offer) => html`<li>${textIn(offer.label, locale)}<br><span class="quiet">${summaryOf(visit, before, offer)}</span></li>`)}</ul>
    <button class="quiet" name="offers_for" value="${reasonId ?? ""}">${texts.leaving.seeOffers}</button></div>`;
}
