import type { Context, MiddlewareHandler } from "hono";
import type { Resource } from "../../base/accounts/scopes.ts";
import { nearestDb, primaryDb } from "../../base/db/wrapped/replicas.ts";
import type { Env } from "../../base/env.ts";
import { invalid } from "../../base/errors.ts";
import { openRequest } from "./credentials.ts";
import type { AnyOperation, HonoEnv } from "./document/operation.ts";
import { isInProcess } from "./in-process.ts";

/** Whether the operation's responses may say how far they have seen the database. */
export function bookmarks(operation: AnyOperation): boolean {
  return operation.method === "get" ? readsFromReplicas(operation) : operation.resource !== undefined;
}

/**
 * Whether the response to a request is to say how far it has seen the database. Calls in process, by pages and agents, cannot send that
 * back and stay on the primary.
 */
export function isBookmarked(c: Context<HonoEnv>, operation: AnyOperation): boolean {
  return hasReplicas(c.get("env")) && bookmarks(operation) && !isInProcess(c.req.raw);
}

/** Throws VALIDATION_FAILED for a text that is no bookmark, whether or not the deployment reads from replicas. */
export function requireBookmark(c: Context<HonoEnv>, operation: AnyOperation): void {
  if (readsFromReplicas(operation)) bookmarkIn(c);
}

/** Whether the operation may be answered by a copy of the database. */
export function readsFromReplicas({ method, resource }: AnyOperation): boolean {
  return method === "get" && resource !== undefined && replicated.has(resource);
}

/** Opens the database of the request's records, and answers how far it has been seen. */
export function answerBookmarks(operation: AnyOperation): MiddlewareHandler<HonoEnv> {
  const isReplicated = readsFromReplicas(operation);
  return async (c, next) => {
    const { DB } = c.get("env");
    const { usage } = c.get("db");
    const db = isReplicated ? nearestDb(DB, usage, bookmarkIn(c)) : primaryDb(DB, usage);
    await openRequest(c, { ...c.get("ctx"), db });
    await next();
    const bookmark = db.bookmark();
    if (bookmark !== undefined) c.res.headers.set(bookmarkHeader, bookmark);
  };
}

/** Records that may be read a moment late. Money, credentials and settings are not among them. */
const replicated: ReadonlySet<Resource> = new Set([
  ...(["subscriptions", "orders", "profiles", "entities", "plans"] as const),
  ...(["reasons", "delivery", "activity", "events"] as const),
]);

export const bookmarkHeader = "X-D1-Bookmark";
/** The form of a bookmark, as a pattern of the document too. */
export const bookmarkPattern = "^[0-9A-Za-z-]{1,128}$";
const form = new RegExp(bookmarkPattern);

function hasReplicas({ READ_REPLICAS, LIBSQL_URL, STORAGE }: Env): boolean {
  return READ_REPLICAS === "on" && LIBSQL_URL === undefined && STORAGE === undefined;
}

function bookmarkIn(c: Context<HonoEnv>): string | undefined {
  const header = c.req.header(bookmarkHeader);
  if (header === undefined || form.test(header)) return header;
  throw invalid([{ path: bookmarkHeader, message: "must be the bookmark of an earlier response" }]);
}
