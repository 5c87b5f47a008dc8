import { html, raw } from "hono/html";
import type { ErrorCode } from "../../../base/errors.ts";
import { statusOf } from "../../../kit/http/errors.ts";
import { type Html, renderDocument } from "../../pages/document.ts";
import { breakable } from "../../pages/lines.ts";
import type { Visit } from "./page-env.ts";

/** `scripts` are loaded besides those of every page, in their order. */
type Page = { title: string; content: Html; scripts?: string[] };

/** A whole page of a shop's portal. */
export function layout(visit: Visit, { title, content, scripts = [] }: Page): Html {
  const { account, settings, base, locale, texts, session } = visit;
  const brand = settings.logo_url
    ? html`<img class="logo" src="${settings.logo_url}" alt="${account.name}">`
    : html`<span class="brand"><span aria-hidden="true">${initialOf(account.name)}</span><span>${account.name}</span></span>`;
  const here = visit.c.req.path;
  const link = (path: string, text: string, isCurrent: boolean) =>
    html`<a href="${base}${path}"${isCurrent ? raw(' aria-current="page"') : ""}>${text}</a>`;
  const navigation = session
    ? html`<nav aria-label="${texts.portal}">
        ${link("", texts.subscriptions, here === base || here.startsWith(`${base}/subscriptions`))}
        ${link("/orders", texts.orders, here.startsWith(`${base}/orders`))}
        ${link("/profile", texts.details, here.startsWith(`${base}/profile`))}
      </nav>`
    : "";
  const menu = session
    ? html`<details class="menu"><summary>${session.name ?? texts.look.account}</summary>
        <form method="post" action="${base}/sign-out">${session.name ? html`<p class="quiet">${texts.signedInAs(session.name)}</p>` : ""}
        <button class="quiet">${texts.signOut}</button></form></details>`
    : "";
  const back = session?.return_url
    ? html`<a href="${session.return_url}" rel="noreferrer">${texts.backToShop}</a>`
    : "";
  const help = settings.support_email
    ? html`<p>${texts.help} <a href="mailto:${settings.support_email}">${breakable(settings.support_email)}</a></p>`
    : "";
  const leaving = html`<p><a href="${base}/leave">${texts.leaveHere}</a> · <a href="${base}/withdraw">${texts.withdrawHere}</a></p>`;
  return renderDocument({
    locale,
    title: `${title} · ${account.name}`,
    styles: ["/assets/portal.css", `${base}/theme.css`],
    scripts: ["/assets/portal.js", ...scripts],
    body: html`<a class="skip-link" href="#content">${texts.skipToContent}</a>
      <header><div class="wide"><a class="home" href="${base}${settings.is_enabled ? "" : "/leave"}">${brand}</a>${navigation}${menu}</div></header>
      ${standInBanner(visit)}<main id="content" tabindex="-1">${content}</main>
      <footer><div class="wide">${help}${back}${leaving}</div></footer>`,
  });
}

/** Says to staff whose portal they are in, in the language of the console. */
function standInBanner({ session, account }: Visit): Html {
  if (!session || session.on_behalf_of === null) return html``;
  const { name, stand_in: who } = session;
  return html`<div class="told wide" lang="en" role="note"><p>${who ?? `Staff of ${account.name}`}: this is the portal of ${name ?? "a customer"}. What you do here stands in the history under your name.</p></div>`;
}

/** The first letter of a name, which stands for the logo of a shop that has none. */
function initialOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? "";
}

/** A page of the deployment itself, which is no shop's. */
export function deploymentPage({ title, content }: Page): Html {
  return renderDocument({
    locale: "en",
    title,
    styles: ["/assets/portal.css"],
    body: html`<header><div class="wide"><a class="home" href="/"><span class="brand"><span aria-hidden="true">P</span><span>Perennial</span></span></a></div></header>
      <main id="content">${content}</main>`,
  });
}

/** Requests are counted by the minute, changes by the hour. */
const minuteSeconds = 60;

/** An error of the API, as far as its sentence depends on it. */
export type ApiRefusal = { code: ErrorCode; retryAfter?: number | undefined };

/** The sentence for an error of the API in the customer's language. Whatever else is wrong with a request is the form's fault. */
export function sentenceOf({ texts }: Pick<Visit, "texts">, { code, retryAfter = 0 }: ApiRefusal): string {
  if (code === "RATE_LIMITED" && retryAfter > minuteSeconds) return texts.tooManyChanges;
  const otherwise = statusOf[code] === 400 ? texts.errors.VALIDATION_FAILED : undefined;
  return texts.errors[code] ?? otherwise ?? texts.unknownError;
}
