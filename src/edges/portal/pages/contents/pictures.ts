import { html } from "hono/html";
import { nameOfGoods } from "../../../../base/language/names.ts";
import type { Picture } from "../../../../domain/subscriptions/lines/list-own-pictures.ts";
import type { Html } from "../../../pages/document.ts";
import type { Visit } from "../page-env.ts";

/** A product as a page shows it. */
type Product = { product_title: string; variant_title: string | null; image_url: string | null };

/** The picture of a product, if the catalogue has one. The page may then load pictures from its origin (headers.ts). */
export function pictureOf({ c }: Pick<Visit, "c">, product: Product): Html {
  const { image_url: url } = product;
  if (url === null) return html``;
  c.get("pictureOrigins").add(new URL(url).origin);
  return html`<img class="picture" src="${url}" alt="${nameOfGoods(product)}" width="64" height="64" loading="lazy" decoding="async">`;
}

type Pictured = { product_title: string; variant_title: string | null; store_variant_id: string };

/** Goods together: the first two overlap, and a number stands for the others. Nothing where none of them has a picture. */
export function pictureStack(visit: Pick<Visit, "c">, lines: Pictured[], pictures: PicturesByVariant): Html {
  const shown = lines
    .flatMap((line) => {
      const image_url = pictures.get(line.store_variant_id) ?? null;
      return image_url === null ? [] : [pictureOf(visit, { ...line, image_url })];
    })
    .slice(0, stacked);
  const others = lines.length - shown.length;
  if (shown.length === 0) return html``;
  return html`<p class="stack">${shown}${others > 0 ? html`<span aria-hidden="true">+${others}</span>` : ""}</p>`;
}

const stacked = 2;

/** The pictures of the goods in a customer's subscriptions. */
export type PicturesByVariant = ReadonlyMap<string, string | null>;

export function picturesByVariant(pictures: Picture[]): PicturesByVariant {
  return new Map(pictures.map(({ store_variant_id, image_url }) => [store_variant_id, image_url]));
}

/** The pictures of one subscription, as the list of what can be done with its lines has them. */
export function picturesOf(
  { lines }: { lines: { id: string; store_variant_id: string }[] },
  choices: { lines: { line_id: string; image_url: string | null }[] },
): PicturesByVariant {
  const byLine = new Map(choices.lines.map(({ line_id, image_url }) => [line_id, image_url]));
  return new Map(lines.map(({ id, store_variant_id }) => [store_variant_id, byLine.get(id) ?? null]));
}
