import { html } from "hono/html";
import { money } from "../../../../base/language/format.ts";
import { nameOfGoods } from "../../../../base/language/names.ts";
import type { Html } from "../../../pages/document.ts";
import type { ActionName } from "../actions.ts";
import type { Visit } from "../page-env.ts";
import type { ShownSubscription } from "../summary.ts";
import type { LineChoices } from "./catalogue.ts";
import { pictureOf } from "./pictures.ts";

/** A line of a subscription or of an order, as a page shows it. */
type Line = Pick<
  ShownSubscription["lines"][number],
  "product_title" | "variant_title" | "quantity" | "line_total" | "is_one_time"
> & {
  selection_items: { product_title: string; variant_title: string | null; quantity: number }[] | null;
  /** Its picture, and links to what can be done with it, where a page has them. */
  image_url?: string | null;
  links?: Html;
};

type Contents = {
  lines: Line[];
  /** Sums that are added to the lines, or taken off them. Those of 0 are left out. */
  sums: [name: string, amount: number][];
  total: number;
  currency_code: string;
};

type Choices = { path: string; choices: LineChoices };

/** The goods that a subscription delivers, what they come to, and the way to each change of them that is accepted now. */
export function contentsCard(
  visit: Visit,
  subscription: ShownSubscription,
  { path, choices }: Choices,
): Html {
  const { texts } = visit;
  const { lines, discount_amount, shipping_amount, tax_amount, total, currency_code } = subscription;
  const sums: Contents["sums"] = [
    [texts.discount, -discount_amount],
    [texts.shipping, shipping_amount],
    [texts.tax, tax_amount],
  ];
  const canAdd = choices.items.some((item) => item.can_add || item.can_add_one_time);
  const shown = lines.map((line): Line => {
    const choice = choices.lines.find(({ line_id }) => line_id === line.id);
    return choice
      ? { ...line, image_url: choice.image_url, links: lineLinks(visit, path, { line, choice }) }
      : line;
  });
  return html`<section class="card" aria-labelledby="contents"><h2 id="contents">${texts.contents}</h2>
    ${contentsTable(visit, { lines: shown, sums, total, currency_code })}
    ${canAdd ? html`<p class="buttons"><a class="button quiet" href="${path}/add">${texts.actions.add}</a></p>` : ""}</section>`;
}

type Choice = { line: ShownSubscription["lines"][number]; choice: LineChoices["lines"][number] };

function lineLinks({ texts }: Visit, path: string, { line, choice }: Choice): Html {
  const links: [name: ActionName, text: string, isPossible: boolean][] = [
    ["quantity", texts.goods.quantity, choice.can_change_quantity],
    ["swap", texts.goods.swap, choice.can_swap],
    ["remove", texts.remove, choice.can_remove],
  ];
  const possible = links.filter(([, , isPossible]) => isPossible);
  if (possible.length === 0) return html``;
  const of = html`<span class="hidden">: ${nameOfGoods(line)}</span>`;
  return html`<details class="edit"><summary>${texts.look.edit}${of}</summary><p>${possible.map(
    ([name, text]) => html`<a href="${path}/${name}?line=${line.id}">${text}${of}</a> `,
  )}</p></details>`;
}

export function contentsTable(visit: Visit, { lines, sums, total, currency_code }: Contents): Html {
  const { texts, locale } = visit;
  const amount = (value: number) => money(locale, value, currency_code);
  return html`<table class="lines"><caption class="hidden">${texts.contents}</caption>
    <thead class="hidden"><tr><th scope="col">${texts.order}</th><th scope="col">${texts.amount}</th></tr></thead>
    <tbody>${lines.map(
      (line) =>
        html`<tr><th scope="row"><div class="goods">${pictureOf(visit, { ...line, image_url: line.image_url ?? null })}<div>${goods(line)}${
          line.is_one_time ? html` <span class="quiet">(${texts.oneTime})</span>` : ""
        }${line.selection_items?.map((item) => html`<span class="item quiet">${goods(item)}</span>`) ?? ""}${line.links ?? ""}</div></div></th>
        <td>${amount(line.line_total)}</td></tr>`,
    )}
    ${sums
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${amount(value)}</td></tr>`)}
    <tr class="total"><th scope="row">${texts.total}</th><td>${amount(total)}</td></tr></tbody>
  </table>`;
}

export function goods(line: Pick<Line, "quantity" | "product_title" | "variant_title">) {
  return `${line.quantity} × ${nameOfGoods(line)}`;
}
