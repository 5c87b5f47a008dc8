import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { newCursorError, type Position } from "../../../base/db/list/list-position.ts";
import type { Page } from "../../../base/db/list/listing.ts";
import { invalid } from "../../../base/errors.ts";
import { base64url, bytesOfBase64url } from "../../../base/lib/encoding.ts";
import { once } from "../../../base/lib/once.ts";
import { crc32 } from "../../../base/lib/secrets/crc32.ts";
import type { HonoEnv } from "../document/operation.ts";

/**
 * The content of a cursor: a position in the list, the number of the page that begins there, and the total of when the walk was
 * begun.
 */
type Cursor = { position: Position; page: number; total: number; isEstimate: boolean };

/** The query of a list that is read by page or by cursor. */
export type PageQuery = { page: number; limit: number; cursor?: string | undefined };

/** Which page of a list a request asks for. */
export type AskedPage = Pick<Page<never>, "page" | "limit" | "from">;

/** The page of a list that a request asks for: by its number, or by the cursor of an answer to the same query. */
export function askedPage(c: Context<HonoEnv>, { page, limit, cursor }: PageQuery): AskedPage {
  if (cursor === undefined) return { page, limit };
  if (c.req.query("page") !== undefined)
    throw invalid([
      { path: "page", message: "must not be sent with a cursor, which says where the page begins" },
    ]);
  const { position, page: number, total, isEstimate } = readCursor(c, limit, cursor);
  return { page: number, limit, from: { position, total, isEstimate } };
}

/** A cursor as text. It is bound to the request's account, path and query by a checksum, which is no secret: it proves nothing. */
export function writeCursor(
  c: Context<HonoEnv>,
  limit: number,
  { position, page, total, isEstimate }: Cursor,
): string {
  const { reads, isInclusive, key, sample } = position;
  const said: Said = [
    reads,
    isInclusive,
    page,
    total,
    isEstimate,
    ...key,
    ...(sample ? [write(sample)] : []),
  ];
  return base64url(new TextEncoder().encode(JSON.stringify([checksum(c, limit, said), ...said])));
}

/** The sample of a search, which comes last. */
type SaidSample = [own: number, customers: number, newest: number, isBeside: boolean];
type Said = [
  Position["reads"],
  boolean,
  number,
  number,
  boolean,
  ...(Position["key"][number] | SaidSample)[],
];

function write({ bounds, isBeside }: NonNullable<Position["sample"]>): SaidSample {
  return [bounds.own, bounds.customers, bounds.newest, isBeside];
}

const form = once(() =>
  z.tuple(
    [
      z.string(),
      z.enum(["on", "back"]),
      z.boolean(),
      z.int().min(1).max(Number.MAX_SAFE_INTEGER),
      z.int().min(0),
      z.boolean(),
    ],
    z.union([z.string(), z.number(), z.null(), z.tuple([z.int(), z.int(), z.int(), z.boolean()])]),
  ),
);

function readCursor(c: Context<HonoEnv>, limit: number, text: string): Cursor {
  const { data } = form().safeParse(parseJson(text));
  if (!data) throw newCursorError();
  const [check, ...said] = data;
  if (check !== checksum(c, limit, said)) throw newCursorError();
  const [reads, isInclusive, page, total, isEstimate, ...rest] = said;
  const key = rest.filter((value) => typeof value !== "object" || value === null);
  const [sample] = rest.filter((value) => typeof value === "object" && value !== null);
  const position = { reads, isInclusive, key, ...(sample && { sample: readSample(sample) }) };
  return { position, page, total, isEstimate };
}

function readSample([own, customers, newest, isBeside]: SaidSample): NonNullable<Position["sample"]> {
  return { bounds: { own, customers, newest }, isBeside };
}

function parseJson(text: string): unknown {
  try {
    const bytes = bytesOfBase64url(text);
    if (base64url(bytes) !== text) return undefined;
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** A checksum of everything that the answer depends on but the page. */
function checksum(c: Context<HonoEnv>, limit: number, said: Said): string {
  const { pathname, searchParams } = new URL(c.req.url);
  const others = [...searchParams].filter(([name]) => !["page", "limit", "cursor"].includes(name));
  const query = others.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return crc32(JSON.stringify([c.get("ctx").account.id, pathname, query, limit, said])).toString(36);
}
