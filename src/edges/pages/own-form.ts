import type { Context } from "hono";
import { DomainError, invalid } from "../../base/errors.ts";
import { mediaTypeOf, readUpTo } from "../../kit/http/body.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";

/** Reads a form that a page of this origin has sent, url-encoded. */
export async function readOwnForm(c: Context<HonoEnv>, ownOrigin: string): Promise<URLSearchParams> {
  requireOwnOrigin(c, ownOrigin);
  if (mediaTypeOf(c.req.header("content-type")) !== "application/x-www-form-urlencoded")
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "Forms are sent as application/x-www-form-urlencoded");
  return new URLSearchParams(new TextDecoder().decode(await read(c)));
}

/** A form with a file, or without one that has anything in it. */
type UploadForm = { sent: URLSearchParams; file: File | undefined };

/** Reads a form that may have a file, of which nothing was read yet but whose page has sent it. `limit` is that of the file. */
export async function readUploadForm(c: Context<HonoEnv>, limit: number): Promise<UploadForm> {
  const bytes = await readUpTo(limit + fieldsLimit)(c);
  const type = c.req.header("content-type") ?? "";
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    throw invalid([{ path: "", message: "must be a form as multipart/form-data" }]);
  });
  const sent = new URLSearchParams();
  let file: File | undefined;
  for (const [name, value] of form.entries()) {
    if (typeof value === "string") sent.append(name, value);
    else if ((value as File).size > 0) file = value;
  }
  return { sent, file };
}

/**
 * Throws FORBIDDEN for a POST of another site's page: it has this Origin, or none or `null` where the browser itself says that the request
 * comes from here.
 */
export function requireOwnOrigin(c: Context<HonoEnv>, ownOrigin: string): void {
  const origin = c.req.header("origin");
  const isUnnamed = origin === undefined || origin === "null";
  const isOwn = isUnnamed ? c.req.header("sec-fetch-site") === "same-origin" : origin === ownOrigin;
  if (!isOwn) throw new DomainError("FORBIDDEN", "This form was sent from another site");
}

/** Larger than the longest text of a form, url-encoded. */
const fieldsLimit = 128 * 1024;
const read = readUpTo(fieldsLimit);
