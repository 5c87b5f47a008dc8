import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { type Accent, accentsOf } from "../../../base/lib/contrast.ts";
import { isLocalPicture } from "../../../base/pictures.ts";
import type { MailPicture } from "./facts.ts";
import { type Button, isToWrite, type Letter, type LetterRow } from "./letter.ts";
import type { Look } from "./look.ts";
import { leavingLinks, type View } from "./view.ts";

/**
 * The letter as an HTML page that mail programs show alike: one column in a table of at most 600 pixels, styles at each element, since
 * some drop style sheets. The one style sheet is for dark screens. Nothing is loaded but the shop's logo and pictures of its products.
 */
export function toHtml(letter: Letter, view: View, look: Look): string {
  const { words } = view;
  const { light, dark } = accentsOf(look.accent_color);
  const { subject, intro, pictures, sums, facts, button, closing, because } = letter;
  const support = look.support_email;
  return write(html`<!doctype html>
<html lang="${look.locale}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(styleSheet(dark))}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f2ef;color:#1a1c1e;${font}">
<div style="display:none">${intro.join(" ")}</div>
<main>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:16px 8px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;table-layout:fixed;${wrap}">
<tr><td style="padding:8px 16px 16px">${renderBrand(look)}</td></tr>
<tr><td class="card" style="padding:24px 16px 8px;background:#ffffff;border-radius:8px">
<h1 dir="auto" style="margin:0 0 16px;font-size:22px;line-height:1.3">${subject}</h1>
${intro.map(renderParagraph)}
${renderPictures(pictures)}
${sums.length > 0 ? renderSums(view, sums) : ""}
${facts.length > 0 ? renderFacts(view, facts) : ""}
${isToWrite(letter) ? renderContact(view, look) : button && renderButton(button, light)}
${closing.map(renderParagraph)}
</td></tr>
<tr><td class="quiet" style="padding:16px;font-size:14px;color:#55595e">
${support === null || isToWrite(letter) ? "" : html`<p style="${footer}">${words.help} ${renderAddress(support, light)}</p>`}
<p style="${footer}">${renderLines(look.postal_address ?? look.shop_name)}</p>
<p style="${footer}">${because}</p>
${renderLeavingLinks(view, look, light)}
</td></tr>
</table>
</td></tr></table>
</main>
</body>
</html>
`);
}

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const font =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5";
const wrap = "overflow-wrap:anywhere;word-break:break-word";
const footer = "margin:0 0 8px";
const cell = "padding:6px 0;vertical-align:top;border-bottom:1px solid #d9d9d4";

/** Style sheets win over the styles of elements by `!important` alone. */
function styleSheet({ accent, onAccent }: Accent): string {
  const rules = [
    ".page{background:#16181b!important;color:#eceef0!important}",
    ".card{background:#1f2226!important}",
    ".quiet{color:#b0b5bb!important}",
    ".cell{border-color:#383c42!important}",
    `.button{background:${accent}!important;color:${onAccent}!important}`,
    `.link{color:${accent}!important}`,
  ];
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules.join("")}}`;
}

function renderBrand({ logo_url, shop_name }: Look): Html {
  return logo_url && canBeShown(logo_url)
    ? html`<img src="${logo_url}" alt="${shop_name}" style="display:block;max-width:200px;max-height:48px;border:0">`
    : html`<strong style="font-size:18px">${shop_name}</strong>`;
}

function canBeShown(url: string): boolean {
  return url.startsWith("https:") || isLocalPicture(url);
}

/** In a row, on white also on dark screens: pictures of products often have no background of their own. */
function renderPictures(pictures: MailPicture[]): Html {
  const shown = pictures.filter(({ picture_url: url }) => canBeShown(url));
  if (shown.length === 0) return html``;
  return html`<p style="margin:0 0 16px;line-height:0">${shown.map(
    ({ picture_url: url, title }) =>
      html`<img src="${url}" alt="${title}" width="72" height="72" style="margin:0 8px 8px 0;border:0;border-radius:8px;background:#ffffff;object-fit:contain;font-size:12px;line-height:1.2;color:#55595e">`,
  )}</p>`;
}

function renderParagraph(text: string): Html {
  return html`<p dir="auto" style="margin:0 0 16px">${renderLines(text)}</p>`;
}

function renderLines(text: string): Html {
  return html`${text.split("\n").map((line, index) => html`${index === 0 ? "" : raw("<br>")}${line}`)}`;
}

/** Amounts under each other; the last row is the total. */
function renderSums({ words }: View, rows: LetterRow[]): Html {
  return renderTable(
    words.amount,
    rows.map(({ label, value }, index) => {
      const weight = index === rows.length - 1 ? "font-weight:700" : "font-weight:400";
      return html`<tr><th class="cell" scope="row" style="${cell};padding-right:12px;text-align:left;${weight}">${label}</th>
<td class="cell" style="${cell};width:35%;text-align:right;${weight}">${value}</td></tr>`;
    }),
  );
}

function renderFacts({ words }: View, rows: LetterRow[]): Html {
  return renderTable(
    words.details,
    rows.map(
      ({ label, value, before }) =>
        html`<tr><th class="cell quiet" scope="row" style="${cell};width:42%;padding-right:8px;text-align:left;font-size:14px;font-weight:400;hyphens:auto;color:#55595e">${label}</th>
<td class="cell" style="${cell}">${renderLines(value)}${before === undefined ? "" : html`<br><span class="quiet" style="color:#55595e">${renderLines(words.labelled(words.before, before))}</span>`}</td></tr>`,
    ),
  );
}

/** A table needs a name for those who hear it. */
function renderTable(name: string, rows: Html[]): Html {
  return html`<table aria-label="${name}" width="100%" cellpadding="0" cellspacing="0" style="width:100%;margin:0 0 24px;table-layout:fixed">
${rows}</table>`;
}

function renderButton({ text, url }: Button, { accent, onAccent }: Accent): Html {
  return html`<p style="margin:0 0 16px"><a class="button" href="${url}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${accent};color:${onAccent};font-weight:700;text-decoration:none">${text}</a></p>`;
}

function renderLeavingLinks(view: View, look: Look, { accent }: Accent): Html {
  const links = leavingLinks(view, look).map(
    ({ text, url }, nth) =>
      html`${nth > 0 ? " · " : ""}<a class="link" href="${url}" style="color:${accent}">${text}</a>`,
  );
  return links.length === 0 ? html`` : html`<p style="${footer}">${links}</p>`;
}

/** The way to reach the shop where the customer can do nothing by themselves. */
function renderContact({ words }: View, { support_email, accent_color }: Look): Html {
  if (support_email === null) return renderParagraph(words.answerToChange);
  const address = renderAddress(support_email, accentsOf(accent_color).light);
  return html`<p style="margin:0 0 16px">${words.writeToChange} ${address}</p>`;
}

function renderAddress(address: string, { accent }: Accent): Html {
  return html`<a class="link" href="mailto:${address}" style="color:${accent}">${address}</a>`;
}

/** Nothing in a letter is waited for, so the page is there at once. */
function write(page: Html): string {
  if (page instanceof Promise) throw new Error("A mail cannot wait for its parts");
  return page.toString();
}
