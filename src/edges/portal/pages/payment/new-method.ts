import { html } from "hono/html";
import { portalUrlOf } from "../../../../base/accounts/portal-address.ts";
import { DomainError, notFound } from "../../../../base/errors.ts";
import {
  beginPaymentMethod,
  beginPaymentMethodPage,
  finishPaymentMethod,
} from "../../../../domain/payment-methods/enter.ts";
import type { Ctx } from "../../../../kit/context.ts";
import { countSetup } from "../../../../kit/http/rate-limit.ts";
import { UnknownOutcomeError } from "../../../../stores/port.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import { isOpen } from "../actions.ts";
import { formPage } from "../forms.ts";
import { layout, sentenceOf } from "../layout.ts";
import { openCustomerCtx } from "../page-ctx.ts";
import { plain } from "../page-env.ts";
import { previewPage } from "../preview.ts";
import { type ShownSubscription, subtitleOf, titleOf } from "../summary.ts";
import type { AskOperations, SignedIn } from "../visit.ts";

/**
 * The page on which a customer enters a payment method: the store's own page comes first, which needs no script here; then a form of the
 * store's, where its script runs.
 */
export async function newMethodPage(visit: SignedIn, ask: AskOperations, id: string): Promise<Html> {
  const ctx = await openCustomerCtx(visit);
  const script = ctx.store.browserScript;
  if (!script) throw notFound("Page");
  const [{ data }] = await ask(visit, { id: "getSubscription", path: { id } });
  const { texts, base, c } = visit;
  await countSetup(plain(c), visit.session.profile_id);
  const begun = await begin(ctx, visit, id).catch((error) => {
    if (error instanceof UnknownOutcomeError) return undefined;
    throw error;
  });
  if (!begun) return entryPage(visit, data, html`${renderAlert(texts.entering.notAvailable)}`);
  c.set("foreignScript", script);
  const { checkout, setup } = begun;
  const done = `${base}/subscriptions/${id}/payment-method/entered`;
  const content = html`<section class="card"><p>${texts.entering.text}</p>
      <p class="buttons"><a class="button" href="${checkout}" rel="noreferrer">${texts.entering.openCheckout}</a></p></section>
    <form class="card" hidden data-store="setup" data-key="${setup.publishable_key}" data-secret="${setup.client_secret}" data-done="${done}" data-wait="${texts.entering.saving}" data-failed="${texts.entering.failed}" aria-labelledby="here">
      <h2 id="here">${texts.entering.here}</h2>
      <p class="alert" role="alert" hidden></p>
      <div class="element"></div>
      <p class="buttons"><button>${texts.entering.save}</button></p></form>`;
  return entryPage(visit, data, content, [script.src, storeScript]);
}

/** The payment method is stored, and the page shows what paying with it would do; who has several subscriptions is asked first for which. */
export async function enteredPage(visit: SignedIn, ask: AskOperations, id: string): Promise<Html> {
  const { c, texts, base } = visit;
  const ctx = await openCustomerCtx(visit);
  const [{ data }, { data: own }] = await ask(
    visit,
    { id: "getSubscription", path: { id } },
    { id: "listSubscriptions", query: { limit: "100" } },
  );
  const setup = c.req.query("session") ?? c.req.query("setup_intent") ?? "";
  const method = await finishPaymentMethod(ctx, visit.session.profile_id, setup);
  if (!method)
    return entryPage(
      visit,
      data,
      html`${renderAlert(texts.entering.notEntered)}
        <p class="buttons"><a class="button" href="${base}/subscriptions/${id}/payment-method/new">${texts.entering.open}</a></p>`,
    );
  const change = { id, name: "payment-method", fields: { payment_method_id: method.id } } as const;
  if (own.filter(isOpen).length > 1) return formPage(visit, ask, change);
  return previewPage(visit, ask, change).catch((error) => {
    if (!(error instanceof DomainError)) throw error;
    return entryPage(visit, data, html`${renderAlert(sentenceOf(visit, error))}`);
  });
}

/** The script that has the store's script do what a page is for. */
export const storeScript = "/assets/portal-store.js";

/** One after the other: both may have to make the customer. */
async function begin(ctx: Ctx, { account, c }: SignedIn, id: string) {
  const path = `${portalUrlOf({ env: c.get("env"), account })}/subscriptions/${id}/payment-method`;
  const pages = { done: `${path}/entered?session={CHECKOUT_SESSION_ID}`, left: `${path}/new` };
  const checkout = await beginPaymentMethodPage(ctx, pages);
  return { checkout, setup: await beginPaymentMethod(ctx) };
}

function entryPage(
  visit: SignedIn,
  subscription: ShownSubscription,
  body: Html,
  scripts: string[] = [],
): Html {
  const { texts, base } = visit;
  const content = html`<div class="medium"><p><a href="${base}/subscriptions/${subscription.id}">← ${texts.back}</a></p>
    <h1>${texts.entering.form}</h1>
    <p class="quiet">${titleOf(visit, subscription)} · ${subtitleOf(subscription)}</p>${body}</div>`;
  return layout(visit, { title: texts.entering.form, content, scripts });
}
