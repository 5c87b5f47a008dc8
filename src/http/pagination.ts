import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Listed } from "../db/listing.ts";
import { named } from "./describe.ts";
import type { HonoEnv } from "./hono-env.ts";
import { queryInteger } from "./params.ts";

export const pageQuery = {
  page: queryInteger({ min: 1, max: 1_000_000_000, fallback: 1 }).openapi({
    description: "The page to read; the first is 1, the default. A page past the end is empty.",
    example: 1,
  }),
  limit: queryInteger({ min: 1, max: 100, fallback: 25 }).openapi({
    description: "How many records a page has: 1 to 100, 25 by default.",
    example: 25,
  }),
};
export type PageQuery = { page: number; limit: number };

const url = z.string();

/** Where a page is in its list. */
const PageMeta = named(
  "Pagination",
  z.strictObject({
    total: z.int(),
    total_is_estimate: z.boolean(),
    per_page: z.int(),
    current_page: z.int(),
    last_page: z.int(),
    first_page: z.int(),
    first_page_url: url,
    last_page_url: url,
    next_page_url: url.nullable(),
    previous_page_url: url.nullable(),
  }),
  {
    total: ["How many records match, on all pages together.", 60],
    total_is_estimate:
      "Whether there is more than was counted: `total` and `last_page` are then lower bounds, and `next_page_url` leads on for as long as pages are full.",
    per_page: ["The most records that a page has: the request's `limit`.", 25],
    current_page: ["The page that this is, counted from 1.", 1],
    last_page: ["The last page; 1 where nothing matches.", 3],
    first_page: ["The first page, always 1.", 1],
    first_page_url: ["The absolute URL of the first page, with the filters of this request.", pageUrl(1)],
    last_page_url: ["The absolute URL of the last page.", pageUrl(3)],
    next_page_url: ["The absolute URL of the next page; null on the last.", pageUrl(2)],
    previous_page_url: ["The absolute URL of the previous page; null on the first.", null],
  },
);

function pageUrl(page: number): string {
  return `https://api.example.com/api/subscriptions?page=${page}&limit=25`;
}

/** The body `{data}`, with one record or one value. */
export const dataOf = <Item extends z.ZodType>(item: Item, name: string, text = "The record.") =>
  named(name, z.strictObject({ data: item }), { data: text });

/** The body `{data, meta}`, with a page of a list. */
export const listOf = <Item extends z.ZodType>(item: Item, name: string) =>
  named(name, z.strictObject({ data: z.array(item), meta: PageMeta }), {
    data: "The records of this page, in the order of the list.",
    meta: "Where this page is in the list.",
  });

/** The `meta` of a page. Its URLs are absolute and have the request's query. Also sets the Link header (RFC 8288). */
export const pageMeta = (
  c: Context<HonoEnv>,
  { page, limit }: PageQuery,
  listed: number | Listed<unknown>,
): z.infer<typeof PageMeta> => {
  const { total, isEstimate, rows } =
    typeof listed === "number" ? { total: listed, isEstimate: false, rows: [] } : listed;
  const last = Math.max(1, Math.ceil(total / limit));
  const at = new URL(c.req.url);
  const urlOf = (target: number): string => {
    at.searchParams.set("page", String(target));
    at.searchParams.set("limit", String(limit));
    return at.href;
  };
  const meta = {
    total,
    total_is_estimate: isEstimate,
    per_page: limit,
    current_page: page,
    last_page: last,
    first_page: 1,
    first_page_url: urlOf(1),
    last_page_url: urlOf(last),
    next_page_url: page < last || (isEstimate && rows.length === limit) ? urlOf(page + 1) : null,
    previous_page_url: page > 1 ? urlOf(Math.min(page - 1, last)) : null,
  };
  const link = linkOf(meta);
  if (link) c.header("Link", link);
  return meta;
};

/** The document's description of the header that a list sends, unless its query is so long that no link fits. */
export const linkHeader = {
  Link: {
    optional: "Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB.",
  },
};

/** Proxies refuse long headers. `meta` has every link. */
const mostLinkBytes = 4096;

/** The links that fit, the next page's first. */
function linkOf(meta: z.infer<typeof PageMeta>): string {
  const pages = [
    ["next", meta.next_page_url],
    ["prev", meta.previous_page_url],
    ["first", meta.first_page_url],
    ["last", meta.last_page_url],
  ];
  let header = "";
  for (const [rel, href] of pages) {
    const longer = `${header && `${header}, `}<${href}>; rel="${rel}"`;
    if (href !== null && longer.length <= mostLinkBytes) header = longer;
  }
  return header;
}
