import type { Context, MiddlewareHandler } from "hono";
import type { HonoEnv } from "./document/operation.ts";

/** Leads pages that belong to the deployment, and not to one shop, to its public address. */
export const atPublicAddress: MiddlewareHandler<HonoEnv> = async (c, next) =>
  redirectToOrigin(c, c.get("env").PUBLIC_URL) ?? next();

/**
 * Leads a request that names another host than an origin's to the same page there, with its method and body (308); undefined at the
 * right host. So links, cookies and the check of a form's origin all belong to one host.
 */
export function redirectToOrigin(c: Context<HonoEnv>, origin: string): Response | undefined {
  if (hostOf(c) === new URL(origin).host) return undefined;
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`${origin}${pathname}${search}`, 308);
}

/** The host that a request names, with its port. Nothing is made of it: it can be anything. */
export function hostOf(c: Context<HonoEnv>): string {
  return (c.req.header("host") ?? new URL(c.req.url).host).toLowerCase();
}
