import type { Context, Hono } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { type Ctx, openCtx } from "../../context.ts";
import { DomainError, type ErrorCode, notFound } from "../../errors.ts";
import { statusOf } from "../../http/errors.ts";
import type { AnyOperation } from "../../http/operation.ts";
import { spendLink } from "../../sessions/links.ts";
import { requestLogin } from "../../sessions/login.ts";
import { endSession } from "../../sessions/sessions.ts";
import { type ActionName, actions, fieldsOf, isActionName } from "./actions.ts";
import { errorPage, refusalPage } from "./errors.ts";
import { formPage, hasForm } from "./forms.ts";
import { pageHeaders } from "./headers.ts";
import { homePage } from "./home.ts";
import { landingPage } from "./landing.ts";
import { type Html, sentenceOf } from "./layout.ts";
import { keepNotice, noticeFor } from "./notice.ts";
import { ordersPage } from "./orders.ts";
import type { PageEnv } from "./page-env.ts";
import { confirm, previewPage, undoOf } from "./preview.ts";
import { addAddress, keyOf, profilePage, saveProfile } from "./profile.ts";
import { ownForm } from "./same-origin.ts";
import { checkMailPage, enterPage, signInPage } from "./sign-in.ts";
import { subscriptionPage } from "./subscription.ts";
import { themeOf } from "./theme.ts";
import { makeAsk, openVisit, type SignedIn, sessionCookie, type Visit } from "./visit.ts";

const sessionSeconds = 12 * 3_600;
const emailMax = 254;

type C = Context<PageEnv>;
type Shown = Html | Response;

/** Serves the pages. They are not in the API's document; what they do, they do through its operations. */
export function servePages(pages: Hono<PageEnv>, operations: AnyOperation[]): Hono<PageEnv> {
  const ask = makeAsk(operations);

  pages.use(pageHeaders);
  pages.get("/", async (c) => c.html(await landingPage(c.get("env").ENVIRONMENT === "local")));
  pages.use("/portal/:shop/*", async (c, next) => {
    const visit = await openVisit(c);
    if (visit instanceof Response) return visit;
    c.set("visit", visit);
    return next();
  });
  pages.on("POST", "/portal/*", ownForm);

  pages.get("/portal/:shop", (c) =>
    show(c, (visit) => (visit.session ? homePage(visit as SignedIn, ask) : signInPage(visit))),
  );
  pages.get("/portal/:shop/theme.css", (c) =>
    c.body(themeOf(visitOf(c).settings), 200, {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": "public, max-age=300",
    }),
  );
  pages.post("/portal/:shop/login", login);
  pages.get("/portal/:shop/enter", (c) => show(c, (visit) => enterPage(visit, c.req.query("token") ?? "")));
  pages.post("/portal/:shop/enter", enter);
  pages.post("/portal/:shop/sign-out", signOut);

  const signedIn = (path: string, page: (visit: SignedIn, c: C) => Shown | Promise<Shown>) =>
    pages.get(path, (c) => requireSession(c, (visit) => page(visit, c)));
  const form = (path: string, act: (visit: SignedIn, c: C) => Shown | Promise<Shown>) =>
    pages.post(path, (c) => requireSession(c, (visit) => act(visit, c)));

  const one = "/portal/:shop/subscriptions/:id";
  signedIn(one, (visit, c) => {
    const id = c.req.param("id") ?? "";
    return subscriptionPage(visit, ask, { id, notice: noticeFor(c, id) });
  });
  signedIn(`${one}/:action`, (visit, c) => {
    const change = { ...namedIn(c, visit), fields: {} };
    if (hasForm(change.name)) return formPage(visit, ask, change);
    return previewPage(visit, ask, change).catch(async (error) =>
      c.html(await errorOn(visit, error), statusOf[codeOf(error)]),
    );
  });
  form(`${one}/:action`, async (visit, c) => {
    const named = namedIn(c, visit);
    const change = { ...named, fields: fieldsOf(named.name, c.get("sent")) };
    const isConfirmed = c.get("sent").get("confirm") === "1";
    try {
      if (!isConfirmed) return await previewPage(visit, ask, change);
      const confirmed = await confirm(visit, ask, { ...change, ...keyOf(c.get("sent")) });
      const undo = undoOf(change.name, confirmed);
      keepNotice(c, change.id, { done: change.name, ...(undo ? { undo } : {}) });
      return c.redirect(`${visit.base}/subscriptions/${encodeURIComponent(change.id)}`, 303);
    } catch (error) {
      const code = codeOf(error);
      if (!hasForm(change.name)) return c.html(await errorOn(visit, error), statusOf[code]);
      const page = formPage(visit, ask, { ...change, error: sentenceOf(visit, code) });
      return c.html(await page, statusOf[code]);
    }
  });

  signedIn("/portal/:shop/orders", (visit) => ordersPage(visit, ask));
  const profile = "/portal/:shop/profile";
  signedIn(profile, (visit, c) => profilePage(visit, ask, { isSaved: c.req.query("saved") !== undefined }));
  const saving = (path: string, save: (visit: SignedIn, c: C) => Promise<unknown>) =>
    form(path, async (visit, c) => {
      try {
        await save(visit, c);
        return c.redirect(`${visit.base}/profile?saved`, 303);
      } catch (error) {
        const code = codeOf(error);
        return c.html(await profilePage(visit, ask, { error: sentenceOf(visit, code) }), statusOf[code]);
      }
    });
  saving(profile, (visit, c) => saveProfile(visit, ask, c.get("sent")));
  saving(`${profile}/addresses`, (visit, c) => addAddress(visit, ask, c.get("sent")));
  saving(`${profile}/addresses/:id/remove`, (visit, c) =>
    ask(visit, { id: "deleteOwnAddress", path: { id: c.req.param("id") ?? "" } }),
  );

  pages.notFound((c) => errorPage(c, notFound("Page")));
  pages.onError((error, c) => errorPage(c, error));
  return pages;
}

function visitOf(c: C): Visit {
  return c.get("visit") as Visit;
}

async function show(c: C, page: (visit: Visit) => Html | Promise<Html>): Promise<Response> {
  return c.html(await page(visitOf(c)));
}

/** A page for customers who are signed in; all others are led to the form that signs them in. */
async function requireSession(c: C, page: (visit: SignedIn) => Shown | Promise<Shown>): Promise<Response> {
  const visit = visitOf(c);
  if (!visit.session) return c.redirect(visit.base, 303);
  const shown = await page(visit as SignedIn);
  return shown instanceof Response ? shown : c.html(shown);
}

/** The subscription and the action that a path names. Throws NOT_FOUND, or FORBIDDEN where the shop does not offer it. */
function namedIn(c: C, { settings }: Visit): { id: string; name: ActionName } {
  const [id = "", name = ""] = [c.req.param("id"), c.req.param("action")];
  if (!isActionName(name)) throw notFound("Page");
  const { permission } = actions[name];
  if (permission && !settings[permission])
    throw new DomainError("FORBIDDEN", `The shop does not let customers do this (${permission})`);
  return { id, name };
}

/** The code of a refusal that a form can show. Throws everything else. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof DomainError && error.code !== "NOT_FOUND" && error.code !== "INTERNAL")
    return error.code;
  throw error;
}

/** What is not possible, for an action without a form. */
function errorOn(visit: SignedIn, error: unknown): Html {
  return refusalPage(visit, sentenceOf(visit, codeOf(error)));
}

/** Answers at once, the same whether the address is known or not; all that depends on it happens afterwards. */
async function login(c: C): Promise<Response> {
  const visit = visitOf(c);
  const { locale, base, account } = visit;
  const email = c.get("sent").get("email")?.trim() ?? "";
  if (!email.includes("@") || email.length > emailMax)
    return c.html(await signInPage(visit, sentenceOf(visit, "VALIDATION_FAILED")), 400);
  const portal = new URL(base, c.req.url).href;
  const log = c.get("log");
  c.executionCtx.waitUntil(
    ctxOf(c)
      .then((ctx) => requestLogin(ctx, { email, portal, locale }))
      .catch((error) => log("portal_login_failed", { account_id: account.id, cause: String(error) })),
  );
  return c.html(await checkMailPage(visit));
}

async function enter(c: C): Promise<Response> {
  const visit = visitOf(c);
  const spent = await spendLink(await ctxOf(c), c.get("sent").get("token") ?? "");
  if (!spent) return c.html(await signInPage(visit, visit.texts.linkSpent), 410);
  const options = {
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: sessionSeconds,
  } as const;
  setCookie(c, sessionCookie, `${visit.account.id}.${spent.secret}`, options);
  return c.redirect(visit.base, 303);
}

async function signOut(c: C): Promise<Response> {
  const { session, account, base } = visitOf(c);
  if (session) await endSession(c.get("db"), { accountId: account.id, id: session.id });
  deleteCookie(c, sessionCookie, { path: "/", secure: true });
  return c.redirect(base, 303);
}

function ctxOf(c: C): Promise<Ctx> {
  const [env, db, log, realNow] = [c.get("env"), c.get("db"), c.get("log"), c.get("now")];
  const actor = { type: "system", name: null } as const;
  return openCtx({ env, db, account: visitOf(c).account, actor, log, realNow });
}
