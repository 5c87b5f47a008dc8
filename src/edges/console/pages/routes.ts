import type { Hono } from "hono";
import { routePath } from "hono/route";
import { notFound } from "../../../base/errors.ts";
import type { AnyOperation } from "../../../kit/http/document/operation.ts";
import { atPublicAddress } from "../../../kit/http/public-address.ts";
import type { Html } from "../../pages/document.ts";
import { readOwnForm } from "../../pages/own-form.ts";
import type { StaffAction } from "./acting/action.ts";
import { actionForm, takeAction } from "./acting/action-page.ts";
import type { ChangeSubject } from "./changes/change.ts";
import { customerSubject } from "./changes/customer-changes.ts";
import { orderSubject } from "./changes/order-changes.ts";
import { serveChanges } from "./changes/routes.ts";
import { subscriptionSubject } from "./changes/subscription-changes.ts";
import { type C, type ConsoleEnv, plain, type StaffVisit, visitOf } from "./console-env.ts";
import { serveCustomerPortal } from "./customer-portal.ts";
import { customerPage, customersPage } from "./customers.ts";
import { errorPage } from "./errors.ts";
import { figuresPage } from "./figures.ts";
import { jobActions } from "./jobs/actions.ts";
import { bulkPage, startBulk } from "./jobs/bulk-page.ts";
import { importPage, startImport } from "./jobs/import-page.ts";
import { jobPage, jobsPage } from "./jobs/job-pages.ts";
import { orderPage } from "./orders.ts";
import { goodsCsv, ordersAndGoodsPage } from "./orders-and-goods.ts";
import { searchPage } from "./search.ts";
import { settingsActions } from "./settings/actions.ts";
import { settingsPage } from "./settings/settings-page.ts";
import { serveSignIn } from "./sign-in-routes.ts";
import { subscriptionPage } from "./subscription.ts";
import { toDoActions } from "./to-do/actions.ts";
import { toDoPage } from "./to-do/to-do-page.ts";
import { todayPage } from "./today.ts";
import { makeAsk, openVisit } from "./visit.ts";

/** Serves the console. Its pages are not in the API's document; what they do, they do through its operations. */
export function serveConsole(pages: Hono<ConsoleEnv>, operations: AnyOperation[]): Hono<ConsoleEnv> {
  const ask = makeAsk(operations);

  pages.use(async (c, next) => {
    await next();
    c.set("operation", { path: routePath(c, -1) });
    if (c.get("forwardedTo") !== undefined) return;
    c.res.headers.set("Content-Security-Policy", policy);
    c.res.headers.set("Referrer-Policy", "same-origin");
  });
  pages.use((c, next) => atPublicAddress(plain(c), next));
  pages.use("/console/:shop/*", async (c, next) => {
    const visit = await openVisit(c);
    if (visit instanceof Response) return visit;
    c.set("visit", visit);
    return next();
  });
  pages.on("POST", "/console/*", async (c, next) => {
    c.set("sent", await readOwnForm(plain(c), c.get("env").PUBLIC_URL));
    return next();
  });
  serveSignIn(pages);

  const page = (path: string, show: (visit: StaffVisit, c: C) => Html | Promise<Html>) =>
    pages.get(path, async (c) => {
      const visit = visitOf(c);
      return visit.session
        ? c.html(await show(visit as StaffVisit, c))
        : c.redirect(`${visit.base}/login`, 303);
    });
  page("/console/:shop", (visit) => todayPage(visit, ask));
  page("/console/:shop/to-do", (visit) => toDoPage(visit, ask));
  page("/console/:shop/search", (visit) => searchPage(visit, ask));
  page("/console/:shop/customers", (visit) => customersPage(visit, ask));
  serveCustomerPortal(pages, ask);
  serveChanges(pages, ask, customerSubject as ChangeSubject);
  page("/console/:shop/customers/:id", (visit, c) => customerPage(visit, ask, c.req.param("id") ?? ""));
  page("/console/:shop/subscriptions/:id", (visit, c) =>
    subscriptionPage(visit, ask, c.req.param("id") ?? ""),
  );
  serveChanges(pages, ask, subscriptionSubject as ChangeSubject);
  page("/console/:shop/orders", (visit) => ordersAndGoodsPage(visit, ask));
  serveChanges(pages, ask, orderSubject as ChangeSubject);
  page("/console/:shop/orders/:id", (visit, c) => orderPage(visit, ask, c.req.param("id") ?? ""));

  page("/console/:shop/jobs", (visit) => jobsPage(visit, ask));
  page("/console/:shop/jobs/bulk", (visit) => bulkPage(visit, ask));
  page("/console/:shop/jobs/import", (visit) => importPage(visit, ask));
  page("/console/:shop/jobs/:id", (visit, c) => jobPage(visit, ask, c.req.param("id") ?? ""));
  const form = (path: string, take: (c: C) => Promise<Response>) =>
    pages.post(path, async (c) => {
      const { session, base } = visitOf(c);
      return session ? take(c) : c.redirect(`${base}/login`, 303);
    });
  page("/console/:shop/figures", (visit) => figuresPage(visit, ask));
  page("/console/:shop/settings", (visit) => settingsPage(visit, ask));
  form("/console/:shop/jobs/bulk", (c) => startBulk(c, ask));
  form("/console/:shop/jobs/import", (c) => startImport(c, ask));
  pages.get("/console/:shop/goods.csv", async (c) => {
    const visit = visitOf(c);
    return visit.session ? await goodsCsv(visit as StaffVisit, ask) : c.redirect(`${visit.base}/login`, 303);
  });
  page("/console/:shop/do/:action", (visit, c) => actionForm(visit, ask, chosen(c)));
  form("/console/:shop/do/:action", (c) => takeAction(c, ask, chosen(c)));

  pages.notFound((c) => errorPage(c, notFound("Page")));
  pages.onError((error, c) => errorPage(c, error));
  return pages;
}

/** The action that the path names. Throws NOT_FOUND for one that there is not. */
function chosen(c: C): { name: string; action: StaffAction } {
  const name = c.req.param("action") ?? "";
  const action = actions[name];
  if (!action) throw notFound("Page");
  return { name, action };
}

const actions: Partial<Record<string, StaffAction>> = { ...toDoActions, ...jobActions, ...settingsActions };

/** Pages load this origin's own files alone. With another Referrer-Policy browsers would send forms with `Origin: null`. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
