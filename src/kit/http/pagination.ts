import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { endOfList, foreignCursor, type Position } from "../../base/db/list-position.ts";
import type { Listed } from "../../base/db/listing.ts";
import { type AskedPage, writeCursor } from "./cursor.ts";
import { named } from "./describe.ts";
import { fittingPage } from "./fitting-page.ts";
import type { HonoEnv } from "./operation.ts";
import { queryInteger, text } from "./params.ts";

/** The body `{data}`, with one record or one value. */
export function dataOf<Item extends z.ZodType>(item: Item, name: string, text = "The record.") {
  return named(name, z.strictObject({ data: item }), { data: text });
}

/** The body `{data, meta}`, with a page of a list. */
export function listOf<Item extends z.ZodType>(item: Item, name: string) {
  return named(name, z.strictObject({ data: z.array(item), meta: PageMeta }), {
    data: "The records of this page, in the order of the list.",
    meta: "Where this page is in the list.",
  });
}

/**
 * The answer of a list: its records as they are shown, and where the page is. The page ends before it is too long. Sets the Link header
 * (RFC 8288).
 */
export function listAnswer<Row, Item>(
  c: Context<HonoEnv>,
  asked: AskedPage,
  listed: Listed<Row>,
  present: (row: Row) => Item,
): { data: Item[]; meta: z.infer<typeof PageMeta> } {
  const { data, ...page } = fittingPage(listed, listed.rows.map(present));
  return { data, meta: pageMeta(c, asked, { ...listed, ...page }) };
}

/** Where a page is in its list. Its URLs are of the deployment's public address, whatever Host was asked, and have the request's query. */
export function pageMeta(
  c: Context<HonoEnv>,
  { page, limit, from }: AskedPage,
  { total, isEstimate, isNumbered, next, previous }: Omit<Listed<unknown>, "rows">,
): z.infer<typeof PageMeta> {
  const counted = Math.max(1, Math.ceil(total / limit));
  const last = from === undefined ? counted : Math.max(counted, next ? page + 1 : page);
  const { pathname, search } = new URL(c.req.url);
  const at = new URL(`${c.get("env").PUBLIC_URL}${pathname}${search}`);
  at.searchParams.set("limit", String(limit));
  const urlOf = (target: number): string => {
    at.searchParams.delete("cursor");
    at.searchParams.set("page", String(target));
    return at.href;
  };
  const urlFrom = (position: Position, target: number): string => {
    at.searchParams.delete("page");
    at.searchParams.set("cursor", writeCursor(c, limit, { position, page: target, total, isEstimate }));
    return at.href;
  };
  const lastUrl = isNumbered ? urlOf(counted) : urlFrom(endOfList, last);
  const before = previous === endOfList ? lastUrl : previous && urlFrom(previous, Math.max(1, page - 1));
  const meta = {
    total,
    total_is_estimate: isEstimate,
    per_page: limit,
    current_page: page,
    last_page: last,
    first_page: 1,
    first_page_url: urlOf(1),
    last_page_url: lastUrl,
    next_page_url: next && urlFrom(next, page + 1),
    previous_page_url: before,
  };
  const link = linkOf(meta);
  if (link) c.header("Link", link);
  return meta;
}

const exampleCursor = "WyIxYXV4cDNkIiwib24iLGZhbHNlLDIsNjAsZmFsc2UsIjIwMjYtMTEtMjBUMTI6MDA6MDAuMDAwWiIsNDJd";

const cursorText = text({ min: 1, max: 4_096 })
  .refine((value) => /^[\w-]+$/.test(value), foreignCursor)
  .openapi({ pattern: "^[A-Za-z0-9_-]+$" });

export const pageQuery = {
  page: queryInteger({ min: 1, max: 1_000_000_000, fallback: 1 }).openapi({
    description:
      "The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there.",
    example: 1,
  }),
  cursor: cursorText.optional().openapi({
    description:
      "Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`.",
    example: exampleCursor,
  }),
  limit: queryInteger({ min: 1, max: 100, fallback: 25 }).openapi({
    description: "How many records a page has: 1 to 100, 25 by default.",
    example: 25,
  }),
};

const url = z.string();
const cursorUrl = `https://api.example.com/api/subscriptions?limit=25&cursor=${exampleCursor}`;

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
      "Whether the request looked at as many records as one may (5,000 at most): `total` and `last_page` are then lower bounds, and the page may be short, or empty, with a `next_page_url` that leads on.",
    per_page: ["The most records that a page has: the request's `limit`.", 25],
    current_page: [
      "The page that this is, counted from 1; by a cursor, counted from where the walk began.",
      1,
    ],
    last_page: ["The last page; 1 where nothing matches.", 3],
    first_page: ["The first page, always 1.", 1],
    first_page_url: ["The absolute URL of the first page, with the filters of this request.", pageUrl(1)],
    last_page_url: [
      "The absolute URL of the last page: by its number, or by a cursor where that is not known.",
      pageUrl(3),
    ],
    next_page_url: [
      "The absolute URL of the next page, by a cursor; null on the last. It costs no more however far it leads.",
      cursorUrl,
    ],
    previous_page_url: ["The absolute URL of the previous page, by a cursor; null on the first.", null],
  },
);

function pageUrl(page: number): string {
  return `https://api.example.com/api/subscriptions?page=${page}&limit=25`;
}

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
