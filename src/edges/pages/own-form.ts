import type { Context } from "hono";
import { DomainError } from "../../base/errors.ts";
import { readUpTo } from "../../kit/http/body.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";

/**
 * Takes a POST from the pages of this origin alone: with that Origin, or with none or `null` where the browser itself says
 * that the request comes from here. Reads the form, which is url-encoded.
 */
export async function readOwnForm(c: Context<HonoEnv>, ownOrigin: string): Promise<URLSearchParams> {
  const origin = c.req.header("origin");
  const isUnnamed = origin === undefined || origin === "null";
  const isOwn = isUnnamed ? c.req.header("sec-fetch-site") === "same-origin" : origin === ownOrigin;
  if (!isOwn) throw new DomainError("FORBIDDEN", "This form was sent from another site");
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded")
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "Forms are sent as application/x-www-form-urlencoded");
  return new URLSearchParams(new TextDecoder().decode(await read(c)));
}

/** Larger than the longest text of a form, url-encoded. */
const read = readUpTo(128 * 1024);
