import { html } from "hono/html";
import { isRefusal, previewOf } from "../../../pages/ask.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import { changeTable } from "../../../pages/preview.ts";
import { dryRunOf } from "../confirm.ts";
import { mostUpcoming } from "../dates/next-dates.ts";
import { type Faults, faultsAlert, marksOf } from "../faults.ts";
import { reasonInputs } from "../inputs.ts";
import { layout, sentenceOf } from "../layout.ts";
import { compareRows } from "../preview.ts";
import { type ShownSubscription, subtitleOf, titleOf } from "../summary.ts";
import type { AskOperations, SignedIn } from "../visit.ts";

/** `alert`: a sentence about what was tried before. */
type Form = { id: string; fields: Fields; faults?: Faults; alert?: string };

/**
 * The first page on the way out: why, what cancelling does, and the button that cancels at once, beside one as large that leads to the shop's
 * offers, if it has any.
 */
export async function leavingPage(visit: SignedIn, ask: AskOperations, form: Form): Promise<Html> {
  const { texts, base } = visit;
  const { id, fields, faults, alert } = form;
  const [{ data: before }, reasons, { data: shop }, dry, { data: coming }] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "listCancellationReasons" },
    { id: "getOwnShop" },
    dryRunOf({ id, name: "cancel", fields: {} }),
    { id: "listUpcomingDeliveries", path: { id }, query: { count: String(mostUpcoming) } },
  );
  const path = `${base}/subscriptions/${id}`;
  const refusal = alert ?? (isRefusal(dry) && !faults ? sentenceOf(visit, dry) : undefined);
  const facts = { before, name: "cancel", coming, paused: undefined } as const;
  const effects = isRefusal(dry)
    ? ""
    : changeTable(visit, compareRows(visit, { ...facts, after: afterOf(dry) }));
  const hasOffers = shop.offers_on_cancellation;
  const own = { name: "cancellation_reason_id", label: texts.reasonOptional, reasons, fields, faults };
  const content = html`<div class="medium"><p><a href="${path}">← ${texts.back}</a></p>
    <h1>${texts.actions.cancel}</h1>
    <p class="quiet">${titleOf(visit, before)} · ${subtitleOf(before)}</p>
    <p>${texts.notes.cancel}${hasOffers ? ` ${texts.leaving.mayOffer}` : ""}</p>
    ${faultsAlert(visit, faults)}${renderAlert(refusal)}
    <form class="card" method="post" action="${path}/cancel">${reasonInputs(visit, own)}
      <label>${texts.comment} <textarea name="reason" rows="3" maxlength="10000"${marksOf(faults, "reason")}>${fields.reason ?? ""}</textarea></label>
      ${effects}
      <input type="hidden" name="key" value="page-${visit.c.get("requestId")}"><input type="hidden" name="preview" value="${previewOf(dry) ?? ""}">
      <p class="buttons">${hasOffers ? html`<button>${texts.leaving.seeOffers}</button>` : ""}<button class="danger" name="confirm" value="1">${texts.confirmCancel}</button>
      <a class="button quiet" href="${path}">${texts.keep}</a></p>
    </form></div>`;
  return layout(visit, { title: texts.actions.cancel, content });
}

/** The subscription that a dry run of an action answers. */
function afterOf(answer: unknown): ShownSubscription {
  return (answer as { data: ShownSubscription }).data;
}
