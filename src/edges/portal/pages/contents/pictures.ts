import { html } from "hono/html";
import type { Html } from "../../../pages/document.ts";
import type { Visit } from "../page-env.ts";

/** A product as a page shows it. */
type Product = { product_title: string; variant_title: string | null; image_url: string | null };

/** The picture of a product, if the catalogue has one. The page may then load pictures from its origin (headers.ts). */
export function pictureOf({ c }: Pick<Visit, "c">, product: Product): Html {
  const { image_url: url } = product;
  if (url === null) return html``;
  c.get("pictureOrigins").add(new URL(url).origin);
  return html`<img class="picture" src="${url}" alt="${nameOf(product)}" width="64" height="64" loading="lazy" decoding="async">`;
}

export function nameOf({ product_title, variant_title }: Omit<Product, "image_url">): string {
  return variant_title ? `${product_title}, ${variant_title}` : product_title;
}
