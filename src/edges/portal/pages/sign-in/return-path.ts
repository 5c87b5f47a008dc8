import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { type Fields, readFields } from "../../../pages/fields.ts";
import { actions, isActionName } from "../actions.ts";
import { type PageEnv, visitOf } from "../page-env.ts";
import { savedAddressFields } from "../profile/saved-address.ts";

/** Keeps the page that somebody has asked for who is not signed in, so that signing in leads there; with the values of its form, if it has sent one. */
export function keepReturnPath(c: Context<PageEnv>): void {
  const { account, base } = visitOf(c);
  if (!c.req.path.startsWith(base)) return;
  const isForm = c.req.method === "POST";
  const path = pageOf(
    c.req.path.slice(base.length),
    isForm ? c.get("sent").get("line") : c.req.query("line"),
  );
  if (isOwnPage(path)) setCookie(c, cookie, `${account.id}.${path}`, options);
  if (isForm) keepTyped(c, path);
}

/** The path that signing in leads to: of the page that was asked for in this shop's portal, else of the first. It is told once. */
export function takeReturnPath(c: Context<PageEnv>): string {
  const { account, base } = visitOf(c);
  const kept = getCookie(c, cookie) ?? "";
  if (kept !== "") deleteCookie(c, cookie, { path: "/", secure: true });
  const path = kept.slice(account.id.length + 1);
  return kept.startsWith(`${account.id}.`) && isOwnPage(path) ? `${base}${path}` : base;
}

/** Whether a form was sent after the session had ended, and whether signing in brings back its values. */
export function endedInForm(c: Context<PageEnv>): "kept" | "lost" | undefined {
  const typed = readTyped(c);
  return typed && (Object.keys(typed.fields).length > 0 ? "kept" : "lost");
}

/** The values that the form of this page has sent after the session had ended. They are told once. */
export function takeTyped(c: Context<PageEnv>): Fields {
  const typed = readTyped(c);
  if (typed === undefined) return {};
  deleteCookie(c, typedCookie, { path: "/", secure: true });
  const [path] = typed.path.split("?");
  return c.req.path === `${visitOf(c).base}${path}` ? typed.fields : {};
}

/** The page of a form, or the one that leads to it. A form about one item is at a page that names it. */
function pageOf(path: string, line: string | null | undefined): string {
  return path
    .replace(/^\/profile\/addresses(\/[\w-]+\/remove)?$/, "/profile")
    .replace(/^(\/subscriptions\/[\w-]+\/cancel)\/.*$/, "$1")
    .replace(/\/undo$/, "")
    .replace(/\/(quantity|swap|remove)$/, (part) => (line ? `${part}?line=${line}` : ""));
}

/** A cookie can be anybody's text. Only what the portal has pages at is a path, and none of them is an address elsewhere. */
function isOwnPage(path: string): boolean {
  return /^\/(orders|profile|profile\/addresses\/[\w-]{1,64}|(orders|subscriptions|pay)\/[\w-]{1,64}|subscriptions\/[\w-]{1,64}\/([a-z-]{1,32}(\?line=[\w-]{1,64})?|payment-method\/new))$/.test(
    path,
  );
}

type Typed = { path: string; fields: Fields };

/**
 * Keeps the values of forms at pages that name a record of the customer's, because nobody else who signs in here can open those. A cookie takes no
 * long texts.
 */
function keepTyped(c: Context<PageEnv>, path: string): void {
  const fields = readFields(c.get("sent"), fieldsAt(path));
  const text = JSON.stringify({ path, fields });
  const isShort = encodeURIComponent(text).length <= mostTyped;
  setCookie(c, typedCookie, isShort ? text : JSON.stringify({ path, fields: {} }), options);
}

function fieldsAt(path: string): readonly string[] {
  if (path.startsWith("/profile/addresses/")) return savedAddressFields;
  const [, name = ""] = /^\/subscriptions\/[\w-]+\/([\w-]+)/.exec(path) ?? [];
  return isActionName(name) ? actions[name].fields : [];
}

function readTyped(c: Context<PageEnv>): Typed | undefined {
  try {
    const { path, fields } = JSON.parse(getCookie(c, typedCookie) ?? "") as Partial<Typed>;
    const sent = new URLSearchParams(fields);
    return { path: String(path), fields: readFields(sent, fieldsAt(String(path))) };
  } catch {
    return undefined;
  }
}

const cookie = "__Host-perennial-return";
const typedCookie = "__Host-perennial-typed";
const mostTyped = 3_500;
/** The time that it may take to ask for a link, and to follow it. */
const options = { path: "/", secure: true, httpOnly: true, sameSite: "Lax", maxAge: 3_600 } as const;
