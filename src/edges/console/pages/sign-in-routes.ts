import type { Hono } from "hono";
import { deleteCookie } from "hono/cookie";
import { DomainError } from "../../../base/errors.ts";
import { spendStaffLink } from "../../../domain/staff-sessions/links.ts";
import { findStaffLinkSender, staffLinkJob } from "../../../domain/staff-sessions/login.ts";
import { endStaffSession } from "../../../domain/staff-sessions/sessions.ts";
import { sendJobs } from "../../../kit/context.ts";
import { keepSession, staffCookie } from "../../pages/shop-visit.ts";
import { type C, type ConsoleEnv, openSystemCtx, plain, staffVisitOf, visitOf } from "./console-env.ts";
import { enterPage, linkSentPage, loginPage } from "./sign-in.ts";

/** Serves the form that signs in, the link, and the end of a session. All other pages are for members who are signed in. */
export function serveSignIn(pages: Hono<ConsoleEnv>): void {
  pages.use("/console/:shop/*", (c, next) => {
    const { session, base } = visitOf(c);
    return session || openPaths.test(c.req.path) ? next() : Promise.resolve(c.redirect(`${base}/login`, 303));
  });
  pages.get("/console/:shop/login", async (c) => c.html(await loginPage(visitOf(c), await senderOf(c))));
  pages.post("/console/:shop/login", login);
  pages.get("/console/:shop/enter", async (c) =>
    c.html(await enterPage(visitOf(c), c.req.query("token") ?? "")),
  );
  pages.post("/console/:shop/enter", enter);
  pages.post("/console/:shop/sign-out", signOut);
  pages.post("/console/:shop/sign-in-again", signInAgain);
}

/** The pages that nobody needs to be signed in for. */
const openPaths = /^\/console\/[^/]+\/(login|enter|sign-out)$/;

const emailMax = 254;

/** Does and answers the same whether the address is known or not: a job looks for it. */
async function login(c: C): Promise<Response> {
  const visit = visitOf(c);
  const sender = await senderOf(c);
  const email = c.get("sent").get("email")?.trim() ?? "";
  if (!email.includes("@") || email.length > emailMax)
    return c.html(await loginPage(visit, sender, "Please enter your e-mail address."), 400);
  if (sender === "nobody") return c.html(await loginPage(visit, sender));
  const ctx = await openSystemCtx(c, visit.account);
  const job = await staffLinkJob(ctx, { kind: "login", email, is_printed: sender === "terminal" });
  await sendJobs(ctx.env, [job]).catch((error) => {
    ctx.log("staff_login_not_sent", { account_id: visit.account.id, cause: String(error) });
    throw new DomainError("UNAVAILABLE", "The queue is not reachable, try again");
  });
  return c.html(await linkSentPage(visit, sender));
}

async function senderOf(c: C) {
  const ctx = await openSystemCtx(c, visitOf(c).account);
  return findStaffLinkSender(ctx, ctx.env.ENVIRONMENT === "local");
}

/** Whoever is signed in already is then signed in anew, and the session before ends. */
async function enter(c: C): Promise<Response> {
  const visit = visitOf(c);
  const ctx = await openSystemCtx(c, visit.account);
  const secret = await spendStaffLink(ctx, c.get("sent").get("token") ?? "");
  if (secret === undefined) {
    const error = "This link was used before, or is older than 15 minutes. Ask for a new one.";
    return c.html(await loginPage(visit, await senderOf(c), error), 410);
  }
  if (visit.session) await endStaffSession(ctx, visit.session);
  keepSession(plain(c), staffCookie, { account: visit.account, secret });
  return c.redirect(visit.base, 303);
}

/** Sends a link to a member who is signed in, so that they can change what needs a fresh sign-in. */
async function signInAgain(c: C): Promise<Response> {
  const visit = staffVisitOf(c);
  const sender = await senderOf(c);
  if (sender === "nobody") return c.html(await loginPage(visit, sender));
  const ctx = await openSystemCtx(c, visit.account);
  const { staff_id } = visit.session;
  await sendJobs(ctx.env, [
    await staffLinkJob(ctx, { kind: "again", staff_id, is_printed: sender === "terminal" }),
  ]);
  return c.html(await linkSentPage(visit, sender));
}

async function signOut(c: C): Promise<Response> {
  const { session, base } = visitOf(c);
  if (session) await endStaffSession({ db: c.get("db") }, session);
  deleteCookie(c, staffCookie.name, { path: "/", secure: true });
  return c.redirect(`${base}/login`, 303);
}
