import { html } from "hono/html";
import type { Html } from "./document.ts";
import type { Fields } from "./fields.ts";
import { withBreaks } from "./lines.ts";

/** A fact before and after a change. A value may have several lines. */
export type ChangeRow = [label: string, before: string, after: string];

type CompareTexts = { before: string; after: string; unchanged: string };

/** Each fact before and after a change. */
export function changeTable({ texts }: { texts: CompareTexts }, rows: ChangeRow[]): Html {
  return html`<table class="compare"><thead><tr><td></td><th scope="col">${texts.before}</th><th scope="col">${texts.after}</th></tr></thead>
    <tbody>${rows.map(
      ([label, before, after]) =>
        html`<tr><th scope="row">${label}</th><td data-label="${texts.before}"><span>${withBreaks(before)}</span></td>
        <td data-label="${texts.after}">${before === after ? html`<span class="quiet">${texts.unchanged}</span>` : html`<strong>${withBreaks(after)}</strong>`}</td></tr>`,
    )}</tbody></table>`;
}

/** The values of a form that its next page sends on. */
export function hiddenInputs(fields: Fields): Html {
  return html`${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;
}
