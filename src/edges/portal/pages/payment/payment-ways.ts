import { html } from "hono/html";
import { builtInStore } from "../../../../base/accounts/tables.ts";
import { traitsOf } from "../../../../stores/platforms.ts";
import { isRefusal } from "../../../pages/ask.ts";
import type { Html } from "../../../pages/document.ts";
import type { dryRunOf } from "../confirm.ts";
import type { OperationAnswer, SignedIn } from "../visit.ts";

/** The ways in which a customer can pay otherwise: methods that are known, the store's link, the merchant's own page. */
export type PaymentWays = {
  hasOthers: boolean;
  link: "possible" | "sent_often" | "none";
  page: string | undefined;
  /** Whether they enter one on a page of the portal. */
  isEntered: boolean;
};

type Known = {
  id: string;
  alternatives: unknown[];
  link: OperationAnswer<ReturnType<typeof dryRunOf>> | undefined;
};

/** `link` is the answer to the dry run of asking for the store's link. */
export function waysOf(visit: SignedIn, { id, alternatives, link }: Known): PaymentWays {
  const isRefused = link === undefined || isRefusal(link);
  const isTooOften = isRefusal(link) && link.code === "RATE_LIMITED";
  return {
    hasOthers: alternatives.length > 0,
    link: isTooOften ? "sent_often" : isRefused ? "none" : "possible",
    page: updatePageOf(visit, id),
    isEntered: traitsOf(visit.account).entersMethods,
  };
}

export function hasWay({ hasOthers, link, page, isEntered }: PaymentWays): boolean {
  return hasOthers || isEntered || link !== "none" || page !== undefined;
}

/** The way to replace the payment method, by the store's link or on the merchant's page; else whom to write to. */
export function renderWays(visit: SignedIn, path: string, ways: PaymentWays): Html {
  const { texts } = visit;
  const { hasOthers, link, page, isEntered } = ways;
  const isElsewhere = isEntered || link !== "none" || page !== undefined;
  const main = hasOthers ? "button quiet" : "button";
  const byMail =
    link === "possible"
      ? html`<p>${texts.notes["payment-link"]}${testStoreText(visit)}</p>
      <p class="buttons"><a class="${main}" href="${path}/payment-link">${texts.actions["payment-link"]}</a></p>`
      : "";
  const here = isEntered
    ? html`<p>${texts.entering.text}</p>
      <p class="buttons"><a class="${main}" href="${path}/payment-method/new">${texts.entering.open}</a></p>`
    : "";
  const atShop = page
    ? html`<p>${texts.cards.atShop}</p>
      <p class="buttons"><a class="${link === "possible" ? "button quiet" : main}" href="${page}" rel="noreferrer">${texts.cards.openShop}</a></p>`
    : "";
  return html`<section class="card" aria-labelledby="another"><h2 id="another">${texts.cards.another}</h2>
    ${link === "sent_often" ? html`<p>${texts.cards.sentOften}</p>` : ""}${here}${byMail}${atShop}
    ${isElsewhere ? "" : html`<p>${contactText(visit)}</p>`}</section>`;
}

/** The remark that nothing is sent, in a shop on the sandbox store. */
export function testStoreText({ account, texts }: SignedIn): string {
  return account.store === builtInStore ? ` ${texts.cards.testStore}` : "";
}

/** The address to write to, where there is no other way. */
export function contactText({ texts, settings }: SignedIn): Html {
  const { support_email: address } = settings;
  return address
    ? html`${texts.cards.writeTo} <a href="mailto:${address}">${address}</a>`
    : html`${texts.cards.askShop}`;
}

/** The merchant's page, told which subscription of which customer it is about. */
function updatePageOf({ settings, session }: SignedIn, id: string): string | undefined {
  if (settings.update_payment_url === null) return undefined;
  const url = new URL(settings.update_payment_url);
  url.searchParams.set("subscription_id", id);
  url.searchParams.set("profile_id", session.profile_id);
  return url.href;
}
