import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { endOfList, type Position } from "../../../base/db/list/list-position.ts";
import type { Listed } from "../../../base/db/list/listing.ts";
import type { HonoEnv } from "../document/operation.ts";
import { type JsonText, writeRecords } from "../json-text.ts";
import { type AskedPage, askedPage, type PageQuery, writeCursor } from "./cursor.ts";
import { fittingPage } from "./fitting-page.ts";
import type { PageMeta } from "./pagination.ts";

/**
 * Answers with the page of a list that the query asks for, newest first unless `list` sorts it otherwise: its records as they are shown, and where
 * the page is. A tool's page ends before it is too long. Sets the Link header (RFC 8288).
 */
export async function answerList<Row, Item>(
  { c, query }: ListRequest,
  list: (page: NewestPage) => Promise<Listed<Row>>,
  present: (row: Row) => Item | JsonText<Item>,
): Promise<{ data: JsonText<Item[]>; meta: z.infer<typeof PageMeta> }> {
  const asked = askedPage(c, query);
  const listed = await list({ ...asked, sort: "created_at", order: "desc" });
  const items = listed.rows.map(present);
  if (c.req.header(shortPages) === undefined)
    return {
      data: writeRecords(items),
      meta: pageMeta(c, asked, { ...listed, size: items.length }),
    };
  const { data, ...page } = fittingPage(listed, items);
  return { data, meta: pageMeta(c, asked, { ...listed, ...page }) };
}

export type ListRequest = { c: Context<HonoEnv>; query: PageQuery };
export type NewestPage = AskedPage & { sort: "created_at"; order: "desc" };

/** The success of an operation that answers with a page of a list. */
export function pageAnswer<Schema>(description: string, schema: Schema) {
  return { status: 200, description, schema, headers: linkHeader } as const;
}

/** The header of a request whose page is cut before it is too long for a tool's result. */
export const shortPages = "perennial-short-pages";

type PlacedPage = Omit<Listed<unknown>, "rows" | "placeAt"> & { size: number };

/** The place of a page in its list. Its URLs are of the deployment's public address, whatever Host was asked, and have the request's query. */
function pageMeta(
  c: Context<HonoEnv>,
  { page, limit, from }: AskedPage,
  { total, isEstimate, isNumbered, isBackward, next, previous, size }: PlacedPage,
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
    is_partial: size < limit && (isBackward ? previous : next) !== null,
    per_page: limit,
    current_page: page,
    last_page: last,
    first_page: 1,
    first_page_url: urlOf(1),
    last_page_url: lastUrl,
    next_page_url: next && urlFrom(next, page + 1),
    previous_page_url: before,
  };
  const link = buildLinkHeader(meta);
  if (link) c.header("Link", link);
  return meta;
}

/** The document's description of the header that a list sends, unless its query is so long that no link fits. */
const linkHeader = {
  Link: {
    optional: "Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB.",
  },
};

/** Proxies refuse long headers. `meta` has every link. */
const mostLinkBytes = 4096;

/** The links that fit, the next page's first. */
function buildLinkHeader(meta: z.infer<typeof PageMeta>): string {
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
