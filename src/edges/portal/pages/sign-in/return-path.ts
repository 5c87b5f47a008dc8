import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { credentialsKeyOf } from "../../../../base/env.ts";
import { seal, unseal } from "../../../../base/lib/secrets/sealed.ts";
import { findCustomerOf } from "../../../../domain/sessions/sessions.ts";
import { type Fields, readFields } from "../../../pages/fields.ts";
import { actions, isActionName } from "../actions.ts";
import { type PageEnv, visitOf } from "../page-env.ts";
import { profileForms } from "../profile/profile.ts";
import { savedAddressFields } from "../profile/saved-address.ts";
import { type SignedIn, sessionCookie } from "../visit.ts";

/** Keeps the page that somebody has asked for who is not signed in, so that signing in leads there; with the values of its form, if it has sent one. */
export async function keepReturnPath(c: Context<PageEnv>): Promise<void> {
  const { account, base } = visitOf(c);
  if (!c.req.path.startsWith(base)) return;
  const isForm = c.req.method === "POST";
  const path = pageOf(
    c.req.path.slice(base.length),
    isForm ? c.get("sent").get("line") : c.req.query("line"),
  );
  if (isOwnPage(path)) setCookie(c, cookie, `${account.id}.${path}`, options);
  if (isForm) await keepTyped(c, path);
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
  const kept = readKept(c);
  return kept && (kept.sealed === null ? "lost" : "kept");
}

/** The values that this customer's form has sent to the page after their session had ended. They are told once. */
export async function takeTyped({ c, session }: SignedIn): Promise<Typed | undefined> {
  const kept = readKept(c);
  if (kept === undefined) return undefined;
  deleteCookie(c, typedCookie, { path: "/", secure: true });
  const [page] = kept.page.split("?");
  if (kept.sealed === null || c.req.path !== `${visitOf(c).base}${page}`) return undefined;
  const owner = ownerOf(c, session.profile_id);
  const text = await unseal(credentialsKeyOf(c.get("env")), owner, kept.sealed).catch(() => undefined);
  return text === undefined || session.on_behalf_of !== null ? undefined : JSON.parse(text);
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

/** The values that a form has sent, and its path. */
type Typed = { form: string; fields: Fields };
/** The cookie: the page of the form, and what was typed, which its customer alone opens; null where nobody could. */
type Kept = { page: string; sealed: string | null };

/**
 * Keeps the values of a form for the customer whose session has ended, sealed, so that nobody else who signs in at this browser sees them. Those that
 * somebody has typed in another's name are lost. A cookie takes no long texts.
 */
async function keepTyped(c: Context<PageEnv>, page: string): Promise<void> {
  const { account, base } = visitOf(c);
  const form = c.req.path.slice(base.length);
  const fields = readFields(c.get("sent"), fieldsOf(form));
  const [accountId, secret = ""] = (getCookie(c, sessionCookie.name) ?? "").split(".");
  const found = accountId === account.id && Object.keys(fields).length > 0;
  const customer = found ? await findCustomerOf({ db: c.get("db"), account }, secret) : undefined;
  const text = JSON.stringify({ form, fields } satisfies Typed);
  const sealed = customer && (await seal(credentialsKeyOf(c.get("env")), ownerOf(c, customer), text));
  const kept: Kept = { page, sealed: sealed !== undefined && sealed.length <= mostSealed ? sealed : null };
  setCookie(c, typedCookie, JSON.stringify(kept), options);
}

function ownerOf(c: Context<PageEnv>, customer: string): string {
  return `typed by ${customer} of ${visitOf(c).account.id}`;
}

function fieldsOf(form: string): readonly string[] {
  if (form === "/profile") return profileForms.details;
  if (form === "/profile/addresses") return profileForms.address;
  if (/^\/profile\/addresses\/[\w-]+$/.test(form)) return savedAddressFields;
  const [, name = ""] = /^\/subscriptions\/[\w-]+\/([\w-]+)$/.exec(form) ?? [];
  return isActionName(name) ? actions[name].fields : [];
}

function readKept(c: Context<PageEnv>): Kept | undefined {
  try {
    const { page, sealed } = JSON.parse(getCookie(c, typedCookie) ?? "") as Partial<Kept>;
    return { page: String(page), sealed: typeof sealed === "string" ? sealed : null };
  } catch {
    return undefined;
  }
}

const cookie = "__Host-perennial-return";
const typedCookie = "__Host-perennial-typed";
const mostSealed = 3_500;
/** The time that it may take to ask for a link, and to follow it. */
const options = { path: "/", secure: true, httpOnly: true, sameSite: "Lax", maxAge: 3_600 } as const;
