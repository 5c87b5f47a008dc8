import { z } from "@hono/zod-openapi";
import { foreignCursor } from "../../../base/db/list/list-position.ts";
import { named } from "../document/describe.ts";
import { queryInteger, text } from "../document/params.ts";

/** The body `{data}`, with one record or one value. */
export function dataOf<Item extends z.ZodType>(item: Item, name: string, text = "The record.") {
  return named(name, z.strictObject({ data: item }), { data: text });
}

/** The body `{data}` of a change that concerns subscriptions, whose dry run counts them. */
export function changedOf<Item extends z.ZodType>(item: Item, name: string, text: string) {
  return named(name, z.strictObject({ data: item, affected: z.int().min(0).optional() }), {
    data: text,
    affected: [
      "For a dry run: how many subscriptions that have not ended it concerns, of which 10,000 are counted at most. Absent otherwise.",
      12,
    ],
  });
}

/** The body `{data, meta}`, with a page of a list. */
export function listOf<Item extends z.ZodType>(item: Item, name: string) {
  return named(name, z.strictObject({ data: z.array(item), meta: PageMeta }), {
    data: "The records of this page, in the order of the list.",
    meta: "Where this page is in the list.",
  });
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

/** The place of a page in its list. */
export const PageMeta = named(
  "Pagination",
  z.strictObject({
    total: z.int(),
    total_is_estimate: z.boolean(),
    is_partial: z.boolean(),
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
      "Whether the request looked at as many records as one may (5,000 at most): `total` and `last_page` are then lower bounds.",
    is_partial:
      "Whether the page is short, or empty, though `next_page_url` leads on: the request has looked at as many records as one may.",
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
