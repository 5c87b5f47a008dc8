import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { money } from "../../../../base/language/format.ts";
import { nameOfGoods } from "../../../../base/language/names.ts";
import { fold } from "../../../../base/lib/text.ts";
import type { LineChoicesData } from "../../../../domain/subscriptions/lines/own-line-schemas.ts";
import type { Html } from "../../../pages/document.ts";
import type { Fields } from "../../../pages/fields.ts";
import { type Faults, faultsAlert, marksOf } from "../faults.ts";
import type { SignedIn } from "../visit.ts";
import { pictureOf } from "./pictures.ts";

export type LineChoices = z.output<typeof LineChoicesData>["data"];
type Item = LineChoices["items"][number];

type List = {
  /** The path of the page, and of its forms. */
  path: string;
  choices: LineChoices;
  fields: Fields;
  faults: Faults | undefined;
  /** The text where there is no item at all. */
  nothing: string;
  /** The fields and buttons of an item's form. */
  controls: (item: Item, faults: Faults | undefined) => Html;
};

/** The items of the catalogue that something can be done with, as pages of a list that can be searched. Each has a form of its own. */
export function catalogueList(visit: SignedIn, list: List): Html {
  const { texts } = visit;
  const { path, choices, fields, nothing } = list;
  const { items } = choices;
  if (items.length === 0) return html`<section class="card"><p>${nothing}</p></section>`;
  const found = search(items, fields.q);
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(fields.page)) || 1));
  const shown = withRefused(found.slice((page - 1) * perPage, page * perPage), items, fields);
  // A refusal is about the number of one item: of others there is no field to lead to.
  const faults = list.faults && {
    ...list.faults,
    fields: list.faults.fields.filter((name) => name === "quantity"),
  };
  return html`${faultsAlert(visit, faults)}${items.length > perPage ? searchForm(visit, list) : ""}
    ${items.length > perPage ? html`<p class="quiet" role="status">${texts.goods.found(found.length)}</p>` : ""}
    ${
      found.length === 0
        ? html`<section class="card"><p>${texts.goods.nothingFound}</p></section>`
        : html`<ul class="items">${shown.map((item) => {
            const isRefused = item.store_variant_id === fields.store_variant_id;
            return html`<li class="card">${itemText(visit, item, choices.currency_code)}
            <form method="post" action="${path}">${list.controls(item, isRefused ? faults : undefined)}</form></li>`;
          })}</ul>`
    }${pages === 1 ? "" : pageLinks(visit, { path, fields, page, pages })}`;
}

/** The field for how many of an item. */
export function quantityInput(
  { texts }: SignedIn,
  { item, value, most, faults }: { item?: Item; value: string; most: number; faults: Faults | undefined },
): Html {
  return html`<label>${texts.quantity}${item ? html`<span class="hidden">: ${nameOfGoods(item)}</span>` : ""}
    <input type="number" name="quantity" value="${value}" min="1" max="${most}" inputmode="numeric" required${marksOf(faults, "quantity")}></label>`;
}

/** The number of items that make a page of a few screens. */
const perPage = 20;

/** The items that have every word of a search in their names. */
function search(items: Item[], q: string | undefined): Item[] {
  const words = fold(q ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  return items.filter((item) => {
    const name = fold(nameOfGoods(item));
    return words.every((word) => name.includes(word));
  });
}

/** The item whose form was refused stands first, so that its field can be mended. */
function withRefused(shown: Item[], items: Item[], { store_variant_id: id }: Fields): Item[] {
  const refused = id === undefined ? undefined : items.find((item) => item.store_variant_id === id);
  return refused ? [refused, ...shown.filter((item) => item !== refused)] : shown;
}

function itemText(visit: SignedIn, item: Item, currency: string): Html {
  return html`${pictureOf(visit, item)}<div><h2>${item.product_title}</h2>
    <p class="quiet">${item.variant_title ? `${item.variant_title} · ` : ""}${money(visit.locale, item.price, currency)}</p></div>`;
}

function searchForm({ texts }: SignedIn, { path, fields }: List): Html {
  const { q = "", line } = fields;
  return html`<form class="search" method="get" action="${path}" role="search">
    ${line === undefined ? "" : html`<input type="hidden" name="line" value="${line}">`}
    <label>${texts.goods.search} <input type="search" name="q" value="${q}" maxlength="100"></label>
    <button class="quiet">${texts.goods.find}</button></form>`;
}

type Pages = { path: string; fields: Fields; page: number; pages: number };

function pageLinks({ texts }: SignedIn, { path, fields, page, pages }: Pages): Html {
  const link = (nth: number, text: string, rel: string) => {
    if (nth < 1 || nth > pages) return "";
    const { line, q } = fields;
    const query = new URLSearchParams({ ...(line ? { line } : {}), ...(q ? { q } : {}), page: String(nth) });
    return html`<a class="button quiet" href="${path}?${query.toString()}" rel="${rel}">${text}</a>`;
  };
  return html`<nav class="buttons" aria-label="${texts.goods.page(page, pages)}">
    ${link(page - 1, texts.goods.previous, "prev")}${link(page + 1, texts.goods.next, "next")}
    <span class="quiet">${texts.goods.page(page, pages)}</span></nav>`;
}
