import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { HonoEnv } from "./hono-env.ts";
import { queryInteger } from "./params.ts";

export const pageQuery = {
  page: queryInteger({ min: 1, max: 1_000_000_000, fallback: 1 }),
  limit: queryInteger({ min: 1, max: 100, fallback: 25 }),
};
export type PageQuery = { page: number; limit: number };

const url = z.string();

/** Where a page is in its list. */
const PageMeta = z
  .strictObject({
    total: z.int(),
    per_page: z.int(),
    current_page: z.int(),
    last_page: z.int(),
    first_page: z.int(),
    first_page_url: url,
    last_page_url: url,
    next_page_url: url.nullable(),
    previous_page_url: url.nullable(),
  })
  .openapi("Pagination");

export const listOf = <Item extends z.ZodType>(item: Item, name: string) =>
  z.strictObject({ data: z.array(item), meta: PageMeta }).openapi(name);

/** The `meta` of a page. Its URLs are absolute and have the request's query. Also sets the Link header (RFC 8288). */
export const pageMeta = (
  c: Context<HonoEnv>,
  { page, limit }: PageQuery,
  total: number,
): z.infer<typeof PageMeta> => {
  const last = Math.max(1, Math.ceil(total / limit));
  const urlOf = (target: number): string => {
    const at = new URL(c.req.url);
    at.searchParams.set("page", String(target));
    at.searchParams.set("limit", String(limit));
    return at.href;
  };
  const meta = {
    total,
    per_page: limit,
    current_page: page,
    last_page: last,
    first_page: 1,
    first_page_url: urlOf(1),
    last_page_url: urlOf(last),
    next_page_url: page < last ? urlOf(page + 1) : null,
    previous_page_url: page > 1 ? urlOf(Math.min(page - 1, last)) : null,
  };
  const links = {
    first: meta.first_page_url,
    prev: meta.previous_page_url,
    next: meta.next_page_url,
    last: meta.last_page_url,
  };
  const present = Object.entries(links).filter(([, href]) => href !== null);
  c.header("Link", present.map(([rel, href]) => `<${href}>; rel="${rel}"`).join(", "));
  return meta;
};

/** The document's description of the header that every list sends. */
export const linkHeader = { Link: "Links to the first, previous, next and last page (RFC 8288)." };
