import type { Context, Hono } from "hono";
import { deleteCookie } from "hono/cookie";
import { DomainError } from "../../../../base/errors.ts";
import { preferredLocale } from "../../../../base/language/preferred-locale.ts";
import { emailKey } from "../../../../base/lib/email-address.ts";
import { newId } from "../../../../base/lib/ids.ts";
import { findProfilesByEmail } from "../../../../domain/profiles/queries.ts";
import { adoptLanguage } from "../../../../domain/sessions/language.ts";
import { findLinkSender, type LinkSender } from "../../../../domain/sessions/link-sender.ts";
import { createLink, spendLink } from "../../../../domain/sessions/links.ts";
import { loginJob } from "../../../../domain/sessions/login.ts";
import { endSession } from "../../../../domain/sessions/sessions.ts";
import { sendJobs } from "../../../../kit/context.ts";
import type { Html } from "../../../pages/document.ts";
import { keepSession } from "../../../pages/shop-visit.ts";
import { invalidValues } from "../faults.ts";
import { openSystemCtx } from "../page-ctx.ts";
import { type PageEnv, plain, visitOf } from "../page-env.ts";
import { sessionCookie } from "../visit.ts";
import { takeReturnPath } from "./return-path.ts";
import { enterPage, isPrinted, linkSentPage, signInPage } from "./sign-in.ts";

/** Serves the paths after the form that signs in: the link, the session, and its end. */
export function serveSignIn(pages: Hono<PageEnv>): void {
  pages.get("/portal/:shop/login", async (c) =>
    visitOf(c).session ? c.redirect(visitOf(c).base, 303) : c.html(await signInForm(c)),
  );
  pages.post("/portal/:shop/login", login);
  pages.get("/portal/:shop/enter", async (c) =>
    c.html(await enterPage(visitOf(c), c.req.query("token") ?? "")),
  );
  pages.post("/portal/:shop/enter", enter);
  pages.post("/portal/:shop/sign-out", signOut);
}

/** The page of whoever is not signed in. */
export async function signInForm(c: C): Promise<Html> {
  return signInPage(visitOf(c), await openLinkSender(c));
}

const emailMax = 254;

type C = Context<PageEnv>;

/**
 * Does and answers the same whether the address is known or not: a job looks for it. Who passes links on depends on the shop alone; where
 * nobody does, nothing is asked for, as the page says.
 */
export async function login(c: C): Promise<Response> {
  const visit = visitOf(c);
  const { locale, account } = visit;
  const email = c.get("sent").get("email")?.trim() ?? "";
  const sender = await openLinkSender(c);
  if (!email.includes("@") || email.length > emailMax) {
    const faults = invalidValues({ email: visit.texts.rules.email });
    return c.html(await signInPage(visit, sender, { email: email.slice(0, emailMax), faults }), 400);
  }
  if (sender === "nobody") return c.html(await signInPage(visit, sender));
  const env = c.get("env");
  const asked = { email, locale, is_printed: sender === "terminal", asked_at: c.get("now").toISOString() };
  const job = await loginJob({ env, account, newId }, asked);
  await sendJobs(env, [job]).catch((error) => {
    c.get("log")("portal_login_not_sent", { account_seq: account.seq, cause: String(error) });
    throw new DomainError("UNAVAILABLE", "The queue is not reachable, try again");
  });
  const link = isPrinted(sender) ? await createOwnLink(c, email) : undefined;
  return c.html(await linkSentPage(visit, sender, { email, link }));
}

/** A local server tells whoever sits before it the link, too. It keeps no secret from them. */
async function createOwnLink(c: C, email: string): Promise<string | undefined> {
  const ctx = await openSystemCtx(c);
  const profile = (await findProfilesByEmail(ctx, [emailKey(email)])).get(emailKey(email));
  if (!profile) return undefined;
  const { url } = await createLink(ctx, { profileId: profile.id, locale: visitOf(c).locale });
  return url;
}

function openLinkSender(c: C): Promise<LinkSender> {
  const isLocal = c.get("env").ENVIRONMENT === "local";
  return findLinkSender({ db: c.get("db"), account: visitOf(c).account }, isLocal);
}

async function enter(c: C): Promise<Response> {
  const visit = visitOf(c);
  const ctx = await openSystemCtx(c);
  const spent = await spendLink(ctx, c.get("sent").get("token") ?? "");
  if (!spent)
    return c.html(await signInPage(visit, await openLinkSender(c), { error: visit.texts.linkSpent }), 410);
  const locale = spent.locale ?? preferredLocale(c.req.header("accept-language"), null);
  if (locale && spent.on_behalf_of === null) await adoptLanguage(ctx, spent.profile_id, locale);
  keepSession(plain(c), sessionCookie, { account: visit.account, secret: spent.secret });
  return c.redirect(takeReturnPath(c), 303);
}

async function signOut(c: C): Promise<Response> {
  const { session, account, base } = visitOf(c);
  if (session) await endSession({ db: c.get("db"), account }, session.id);
  deleteCookie(c, sessionCookie.name, { path: "/", secure: true });
  return c.redirect(base, 303);
}
