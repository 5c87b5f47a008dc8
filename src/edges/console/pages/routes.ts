import type { Hono } from "hono";
import { routePath } from "hono/route";
import { notFound } from "../../../base/errors.ts";
import type { AnyOperation } from "../../../kit/http/document/operation.ts";
import { atPublicAddress } from "../../../kit/http/public-address.ts";
import type { Html } from "../../pages/document.ts";
import { readOwnForm, requireOwnOrigin } from "../../pages/own-form.ts";
import { customerSubject } from "./changes/customer-changes.ts";
import { orderSubject } from "./changes/order-changes.ts";
import { subscriptionSubject } from "./changes/subscription-changes.ts";
import { type C, type ConsoleEnv, plain, type StaffVisit, staffVisitOf } from "./console-env.ts";
import { serveCustomerPortal } from "./customer-portal.ts";
import { customerPage, customersPage } from "./customers.ts";
import { errorPage } from "./errors.ts";
import { figuresPage } from "./figures.ts";
import type { FormSubject } from "./forms/form.ts";
import { serveForms, serveSubject } from "./forms/routes.ts";
import { bulkPage, startBulk } from "./jobs/bulk-page.ts";
import { jobForms } from "./jobs/forms.ts";
import { importPage, isUpload, startImport } from "./jobs/import-page.ts";
import { jobPage, jobsPage } from "./jobs/job-pages.ts";
import { orderPage } from "./orders.ts";
import { goodsCsv, ordersAndGoodsPage } from "./orders-and-goods.ts";
import { packingSlipsPage } from "./packing-slips.ts";
import { searchPage } from "./search.ts";
import { settingsForms } from "./settings/forms.ts";
import { settingsPage } from "./settings/settings-page.ts";
import { serveSignIn } from "./sign-in-routes.ts";
import { subscriptionPage } from "./subscription.ts";
import { toDoForms } from "./to-do/forms.ts";
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
    const own = c.get("env").PUBLIC_URL;
    if (isUpload(c)) requireOwnOrigin(plain(c), own);
    else c.set("sent", await readOwnForm(plain(c), own));
    return next();
  });
  serveSignIn(pages);

  const page = (path: string, show: (visit: StaffVisit, c: C) => Html | Promise<Html>) =>
    pages.get(path, async (c) => c.html(await show(staffVisitOf(c), c)));
  page("/console/:shop", (visit) => todayPage(visit, ask));
  page("/console/:shop/to-do", (visit) => toDoPage(visit, ask));
  page("/console/:shop/search", (visit) => searchPage(visit, ask));
  page("/console/:shop/customers", (visit) => customersPage(visit, ask));
  serveCustomerPortal(pages, ask);
  serveSubject(pages, ask, customerSubject as FormSubject);
  page("/console/:shop/customers/:id", (visit, c) => customerPage(visit, ask, c.req.param("id") ?? ""));
  page("/console/:shop/subscriptions/:id", (visit, c) =>
    subscriptionPage(visit, ask, c.req.param("id") ?? ""),
  );
  serveSubject(pages, ask, subscriptionSubject as FormSubject);
  page("/console/:shop/orders", (visit) => ordersAndGoodsPage(visit, ask));
  page("/console/:shop/orders/slips", (visit) => packingSlipsPage(visit, ask));
  serveSubject(pages, ask, orderSubject as FormSubject);
  page("/console/:shop/orders/:id", (visit, c) => orderPage(visit, ask, c.req.param("id") ?? ""));

  page("/console/:shop/jobs", (visit) => jobsPage(visit, ask));
  page("/console/:shop/jobs/bulk", (visit) => bulkPage(visit, ask));
  page("/console/:shop/jobs/import", (visit) => importPage(visit, ask));
  page("/console/:shop/jobs/:id", (visit, c) => jobPage(visit, ask, c.req.param("id") ?? ""));
  page("/console/:shop/figures", (visit) => figuresPage(visit, ask));
  page("/console/:shop/settings", (visit) => settingsPage(visit, ask, undefined));
  page("/console/:shop/settings/:page", (visit, c) => settingsPage(visit, ask, c.req.param("page")));
  pages.post("/console/:shop/jobs/bulk", (c) => startBulk(c, ask));
  pages.post("/console/:shop/jobs/import", (c) => startImport(c, ask));
  pages.get("/console/:shop/goods.csv", (c) => goodsCsv(staffVisitOf(c), ask));
  serveForms(pages, ask, { ...toDoForms, ...jobForms, ...settingsForms });

  pages.notFound((c) => errorPage(c, notFound("Page")));
  pages.onError((error, c) => errorPage(c, error));
  return pages;
}

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
