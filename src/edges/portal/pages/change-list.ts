import { html } from "hono/html";
import type { Html } from "../../pages/document.ts";
import { withBreaks } from "../../pages/lines.ts";
import type { ChangeRow } from "../../pages/preview.ts";
import type { Visit } from "./page-env.ts";

/** The effects of a change: each fact that becomes another, and in a sentence the dates and the amount that stay. */
export function changeList({ texts }: Pick<Visit, "texts">, rows: ChangeRow[]): Html {
  const { look } = texts;
  const stays: Record<string, (value: string) => string> = {
    [texts.nextDelivery]: look.deliveryStays,
    [texts.nextCharge]: look.chargeStays,
    [texts.amount]: look.amountStays,
    [texts.reach.deliveryAfter]: (date) => `${texts.reach.deliveryAfter}: ${date}.`,
  };
  const changed = rows.filter(([, before, after]) => before !== after);
  const kept = rows.filter(([, before, after]) => before === after && isDateOrAmount(before));
  const sentences = kept.flatMap(([label, value]) => stays[label]?.(value) ?? []);
  return html`<dl class="changes">${changed.map(
    ([
      label,
      before,
      after,
    ]) => html`<div><dt>${label}</dt><dd><span class="hidden">${texts.before}: </span><span class="was">${withBreaks(before)}</span>
      <span aria-hidden="true">→</span> <span class="hidden">${texts.after}: </span><strong>${withBreaks(after)}</strong></dd></div>`,
  )}</dl>${sentences.length === 0 ? "" : html`<p class="quiet">${sentences.join(" ")}</p>`}`;
}

/** Words in their place say that there is none, which nobody has to be told again. */
function isDateOrAmount(value: string): boolean {
  return /\d/.test(value);
}
