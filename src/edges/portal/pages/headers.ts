import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { PageEnv } from "./page-env.ts";

/**
 * Limits what pages may load to this origin's own files, the shop's logo, the pictures on the page, and the store's script on the two pages that are about payments. With another Referrer-Policy browsers would send
 * forms with `Origin: null`. A page that the shop's object has made has these headers already.
 */
export const pageHeaders: MiddlewareHandler<PageEnv> = async (c, next) => {
  c.set("pictureOrigins", new Set());
  await next();
  c.set("operation", { path: routePath(c, -1) });
  if (c.get("forwardedTo") !== undefined) return;
  if (c.res.headers.has("Content-Security-Policy")) return;
  const logo = c.get("visit")?.settings.logo_url;
  const pictures = [
    ...new Set([...(logo?.startsWith("https:") ? [new URL(logo).origin] : []), ...c.get("pictureOrigins")]),
  ];
  const script = c.get("foreignScript");
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    ["script-src 'self'", ...(script?.scripts ?? [])].join(" "),
    ...(script
      ? [`frame-src ${script.frames.join(" ")}`, `connect-src ${script.connections.join(" ")}`]
      : []),
    ["img-src 'self'", ...pictures].join(" "),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  c.res.headers.set("Content-Security-Policy", policy.join("; "));
  c.res.headers.set("Referrer-Policy", "same-origin");
  c.res.headers.append("Vary", "Accept-Language");
};
