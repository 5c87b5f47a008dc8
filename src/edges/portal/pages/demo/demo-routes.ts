import type { Context, Hono } from "hono";
import { demoShop } from "../../../../base/demo.ts";
import { notFound } from "../../../../base/errors.ts";
import { readContent } from "../../../../domain/mail/actions/read-content.ts";
import { filtersByStatus, listMails } from "../../../../domain/mail/queries.ts";
import { createLink, spendLink } from "../../../../domain/sessions/links.ts";
import { createStaffLink, spendStaffLink } from "../../../../domain/staff-sessions/links.ts";
import { atPublicAddress } from "../../../../kit/http/public-address.ts";
import { keepSession, staffCookie } from "../../../pages/shop-visit.ts";
import { type PageEnv, plain } from "../page-env.ts";
import { ownForm } from "../sign-in/own-form.ts";
import { sessionCookie } from "../visit.ts";
import { mailsPage } from "./demo-mails.ts";
import { type DemoStore, findDemoStore } from "./demo-store.ts";

/** Serves the doors into the demo store that the first page of a local server has. Elsewhere each of these paths is 404. */
export function serveDemoStore(pages: Hono<PageEnv>): void {
  pages.use("/demo/*", (c, next) => atPublicAddress(plain(c), next));
  pages.post("/demo/sign-in", ownForm, signIn);
  pages.post("/demo/console", ownForm, signOwnerIn);
  pages.get("/demo/mails", showMails);
  pages.get("/demo/mails/:id", showMail);
}

type C = Context<PageEnv>;

/** Signs the demo customer in, by a link that is spent at once. */
async function signIn(c: C): Promise<Response> {
  const { ctx, customer } = await requireDemoStore(c);
  if (!customer) throw notFound("Page");
  const { url } = await createLink(ctx, { profileId: customer.id });
  const spent = await spendLink(ctx, new URL(url).searchParams.get("token") ?? "");
  if (!spent) throw notFound("Page");
  keepSession(plain(c), sessionCookie, { account: ctx.account, secret: spent.secret });
  return c.redirect(`/portal/${demoShop}`, 303);
}

/** Signs the demo store's owner in to the console, in the same way. */
async function signOwnerIn(c: C): Promise<Response> {
  const { ctx, owner } = await requireDemoStore(c);
  if (!owner) throw notFound("Page");
  const { url } = await createStaffLink(ctx, owner.id);
  const secret = await spendStaffLink(ctx, new URL(url).searchParams.get("token") ?? "");
  if (secret === undefined) throw notFound("Page");
  keepSession(plain(c), staffCookie, { account: ctx.account, secret });
  return c.redirect(`/console/${demoShop}`, 303);
}

async function showMails(c: C): Promise<Response> {
  const { ctx } = await requireDemoStore(c);
  const newest = { page: 1, limit: 50, sort: "created_at", order: "desc" } as const;
  const { rows } = await listMails(ctx, newest, filtersByStatus(["SENT"]));
  return c.html(await mailsPage(ctx.account, rows));
}

/** A mail as its reader has it. Its styles are its own, so the policy of other pages would show it bare. */
async function showMail(c: C): Promise<Response> {
  const { ctx } = await requireDemoStore(c);
  const { html } = await readContent(ctx, c.req.param("id") ?? "");
  return c.html(html, 200, {
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
}

async function requireDemoStore(c: C): Promise<DemoStore> {
  const store = await findDemoStore(c);
  if (!store) throw notFound("Page");
  return store;
}
