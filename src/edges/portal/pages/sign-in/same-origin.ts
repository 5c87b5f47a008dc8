import type { Context, MiddlewareHandler } from "hono";
import { portalOriginOf } from "../../../../base/accounts/portal-address.ts";
import { DomainError } from "../../../../base/errors.ts";
import { readUpTo } from "../../../../kit/http/body.ts";
import { type PageEnv, plain } from "../page-env.ts";

/**
 * Takes a POST from the portal's own pages alone: with our own Origin, or with none or `null` where the browser itself says
 * that the request comes from here. Reads the form, which is url-encoded.
 */
export const ownForm: MiddlewareHandler<PageEnv> = async (c, next) => {
  const origin = c.req.header("origin");
  const isUnnamed = origin === undefined || origin === "null";
  const isOwn = isUnnamed ? c.req.header("sec-fetch-site") === "same-origin" : origin === ownOrigin(c);
  if (!isOwn) throw new DomainError("FORBIDDEN", "This form was sent from another site");
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded")
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "Forms are sent as application/x-www-form-urlencoded");
  c.set("sent", new URLSearchParams(new TextDecoder().decode(await read(plain(c)))));
  return next();
};

/** The origin of the page: of the shop's portal, else of the deployment. A request under another host was led there before its form is read. */
function ownOrigin(c: Context<PageEnv>): string {
  const [env, visit] = [c.get("env"), c.get("visit")];
  return visit ? portalOriginOf({ env, account: visit.account }) : env.PUBLIC_URL;
}

/** Larger than the longest text of a form, url-encoded. */
const read = readUpTo(128 * 1024);
