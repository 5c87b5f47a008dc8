import { html } from "hono/html";
import { money } from "../../../base/language/format.ts";
import type { Html } from "./layout.ts";
import type { Visit } from "./page-env.ts";
import type { Subscription } from "./summary.ts";

/** A line of a subscription or of an order, as a page shows it. */
type Line = Pick<
  Subscription["lines"][number],
  "product_title" | "variant_title" | "quantity" | "line_total" | "is_one_time"
> & { selection_items: { product_title: string; variant_title: string | null; quantity: number }[] | null };

type Contents = {
  lines: Line[];
  /** Sums that are added to the lines, or taken off them. Those of 0 are left out. */
  sums: [name: string, amount: number][];
  total: number;
  currency_code: string;
};

/** The goods that a subscription delivers, and what they come to. */
export function contentsCard(visit: Visit, subscription: Subscription): Html {
  const { texts } = visit;
  const { lines, discount_amount, shipping_amount, tax_amount, total, currency_code } = subscription;
  const sums: Contents["sums"] = [
    [texts.discount, -discount_amount],
    [texts.shipping, shipping_amount],
    [texts.tax, tax_amount],
  ];
  return html`<section class="card" aria-labelledby="contents"><h2 id="contents">${texts.contents}</h2>
    ${contentsTable(visit, { lines, sums, total, currency_code })}</section>`;
}

export function contentsTable(
  { texts, locale }: Visit,
  { lines, sums, total, currency_code }: Contents,
): Html {
  const amount = (value: number) => money(locale, value, currency_code);
  return html`<table class="lines"><caption class="hidden">${texts.contents}</caption>
    <thead class="hidden"><tr><th scope="col">${texts.order}</th><th scope="col">${texts.amount}</th></tr></thead>
    <tbody>${lines.map(
      (line) =>
        html`<tr><th scope="row">${goods(line)}${
          line.is_one_time ? html` <span class="quiet">(${texts.oneTime})</span>` : ""
        }${line.selection_items?.map((item) => html`<span class="item quiet">${goods(item)}</span>`) ?? ""}</th>
        <td>${amount(line.line_total)}</td></tr>`,
    )}
    ${sums
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${amount(value)}</td></tr>`)}
    <tr class="total"><th scope="row">${texts.total}</th><td>${amount(total)}</td></tr></tbody>
  </table>`;
}

function goods({
  quantity,
  product_title,
  variant_title,
}: Pick<Line, "quantity" | "product_title" | "variant_title">) {
  return `${quantity} × ${product_title}${variant_title ? `, ${variant_title}` : ""}`;
}
