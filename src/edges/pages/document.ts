import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** `scripts` are loaded in their order, once the page is read. */
type Document = { locale: string; title: string; styles: string[]; scripts?: string[]; body: Html };

/** A whole page of HTML. */
export function renderDocument({ locale, title, styles, scripts = [], body }: Document): Html {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
${styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}
<link rel="icon" href="/favicon.ico">
${scripts.map((src) => html`<script src="${src}" defer></script>`)}
</head>
<body>${body}</body>
</html>`;
}

/** A fault as an alert, where a screen reader and the eye find it first. */
export function renderAlert(text: string | undefined): Html {
  return text === undefined ? html`` : html`<p class="alert" role="alert">${text}</p>`;
}
