import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { type PageEnv, visitOf } from "../page-env.ts";

/** Keeps the page that somebody has asked for who is not signed in, so that signing in leads there. */
export function keepReturnPath(c: Context<PageEnv>): void {
  const { account, base } = visitOf(c);
  // These pages are about a line that the query names, which is not kept.
  const path = c.req.path.slice(base.length).replace(/\/(quantity|swap|remove)$/, "");
  if (c.req.path.startsWith(base) && isOwnPage(path)) setCookie(c, cookie, `${account.id}.${path}`, options);
}

/** The path that signing in leads to: of the page that was asked for in this shop's portal, else of the first. It is told once. */
export function takeReturnPath(c: Context<PageEnv>): string {
  const { account, base } = visitOf(c);
  const kept = getCookie(c, cookie) ?? "";
  if (kept !== "") deleteCookie(c, cookie, { path: "/", secure: true });
  const path = kept.slice(account.id.length + 1);
  return kept.startsWith(`${account.id}.`) && isOwnPage(path) ? `${base}${path}` : base;
}

/** A cookie can be anybody's text. Only what the portal has pages at is a path, and none of them is an address elsewhere. */
function isOwnPage(path: string): boolean {
  return /^\/(orders|profile|(orders|subscriptions|pay)\/[\w-]{1,64}|subscriptions\/[\w-]{1,64}\/([a-z-]{1,32}|payment-method\/new))$/.test(
    path,
  );
}

const cookie = "__Host-perennial-return";
/** The time that it may take to ask for a link, and to follow it. */
const options = { path: "/", secure: true, httpOnly: true, sameSite: "Lax", maxAge: 3_600 } as const;
