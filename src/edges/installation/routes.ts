import type { Context, Hono, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { findAccountByShop } from "../../base/accounts/queries.ts";
import { isShop, normalizeShop } from "../../base/accounts/shop.ts";
import { DomainError } from "../../base/errors.ts";
import { sender } from "../../kit/context.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";
import { errorResponse } from "../../kit/http/errors.ts";
import { forwardUnproven } from "../../kit/http/forward.ts";
import { atPublicAddress } from "../../kit/http/public-address.ts";
import { countByAddress } from "../../kit/http/rate-limit.ts";
import type { InstallStep, InstallVisit } from "../../stores/installs.ts";
import { installing } from "../../stores/platforms.ts";
import { renderPage } from "./pages.ts";

/**
 * Serves the pages that a merchant's browser visits to install the app. They are not in the API document, their errors are pages,
 * and nothing but what the store and this service have signed is a credential. Visits are counted by client address.
 */
export function serveInstallation(app: Hono<HonoEnv>): Hono<HonoEnv> {
  app.use(counted, atPublicAddress, forwarded);
  for (const { paths, load } of installing) {
    app.get(paths.start, async (c) => answer(c, await (await load()).start(visitOf(c))));
    app.get(paths.finish, async (c) => answer(c, await (await load()).finish(visitOf(c), false)));
    app.post(paths.finish, async (c) => answer(c, await (await load()).finish(visitOf(c), true)));
  }
  app.all("*", (c) => {
    c.header("Allow", "GET, HEAD");
    throw new DomainError("METHOD_NOT_ALLOWED", `${c.req.method} is not allowed here; use GET`);
  });
  app.onError((error, c) => errorResponse(c, error));
  return app;
}

const cookie = "perennial-installation";
const cookieSeconds = 600;

const counted: MiddlewareHandler<HonoEnv> = async (c, next) => {
  c.set("operation", { path: c.req.path });
  await countByAddress(c);
  await next();
};

/** The object of the shop's account connects it, as the credentials are kept there. */
const forwarded: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const shop = normalizeShop(c.req.query("shop") ?? "");
  const account = isShop(shop)
    ? await findAccountByShop(c.get("db"), shop, c.get("now").getTime())
    : undefined;
  return (await forwardUnproven(c, account)) ?? next();
};

function visitOf(c: Context<HonoEnv>): InstallVisit {
  return {
    env: c.get("env"),
    db: c.get("db"),
    url: new URL(c.req.url),
    browser: getCookie(c, cookie, "host"),
    now: c.get("now"),
    log: c.get("log"),
  };
}

async function answer(c: Context<HonoEnv>, step: InstallStep): Promise<Response> {
  if (step.step === "redirect") {
    setCookie(c, cookie, step.browser, {
      prefix: "host",
      path: "/",
      secure: true,
      httpOnly: true,
      sameSite: "Lax",
      maxAge: cookieSeconds,
    });
    return c.redirect(step.to, 302);
  }
  const frames = step.step === "connected" ? step.frames : ["'none'"];
  c.header(
    "Content-Security-Policy",
    `default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors ${frames.join(" ")}`,
  );
  if (step.step === "connected") {
    deleteCookie(c, cookie, { prefix: "host", path: "/", secure: true });
    if (step.isNew) await setUp(c, step.account_id);
  }
  const { pathname, search } = new URL(c.req.url);
  return c.html(renderPage(step, `${pathname}${search}`), step.step === "refused" ? step.status : 200);
}

/** Webhooks and plans follow by a job; cron finds it if its message is lost. */
function setUp(c: Context<HonoEnv>, account_id: string): Promise<void> {
  c.get("log")("store_installed", { account_id });
  return sender(c.get("env"), c.get("log"))([{ type: "set_up_store", account_id }]);
}
