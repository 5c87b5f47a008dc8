import type { Hono } from "hono";
import { html } from "hono/html";
import { portalSettingsOf } from "../../../base/accounts/portal-settings.ts";
import { DomainError } from "../../../base/errors.ts";
import { findLinkSender } from "../../../domain/sessions/link-sender.ts";
import { loginJob } from "../../../domain/sessions/login.ts";
import { sendJobs } from "../../../kit/context.ts";
import { isRefusal } from "../../pages/ask.ts";
import { type Html, renderAlert } from "../../pages/document.ts";
import { type C, type ConsoleEnv, openSystemCtx, type StaffVisit, staffVisitOf } from "./console-env.ts";
import { layout } from "./layout.ts";
import { type AskAsStaff, may } from "./visit.ts";

/** Serves what leads into the portal: as the customer, and for the customer by a mailed link; and mails that are sent once more. */
export function serveCustomerPortal(pages: Hono<ConsoleEnv>, ask: AskAsStaff): void {
  const post = (path: string, act: (c: C, visit: StaffVisit, id: string) => Promise<Response>) =>
    pages.post(`/console/:shop/customers/:id/${path}`, (c) =>
      act(c, staffVisitOf(c), c.req.param("id") ?? ""),
    );
  post("open-portal", (c, visit, id) => openPortal(c, visit, ask, id));
  post("sign-in-link", (c, visit, id) => mailLink(c, visit, ask, id));
  post("resend-mail", async (c, visit, id) => {
    const mail = c.get("sent").get("mail") ?? "";
    await ask(visit, { sent: { id: "resendMail", path: { id: mail } } });
    return c.redirect(`${visit.base}/customers/${id}?told=mail`, 303);
  });
}

/** A link into the portal that signs the member of staff in as the customer, whose permissions bind them there. */
async function openPortal(c: C, visit: StaffVisit, ask: AskAsStaff, id: string): Promise<Response> {
  if (!may(visit, "subscriptions:write"))
    throw new DomainError("FORBIDDEN", "To act as a customer needs the scope subscriptions:write");
  const { customer, link } = await ask(visit, {
    customer: { id: "getProfile", path: { id } },
    link: {
      id: "createPortalSession",
      body: { profile_id: id },
      alsoScopes: ["portal:write"],
      mayBeRefused: true,
    },
  });
  await ask(visit, {});
  const { full_name, email } = customer.data;
  const title = `The portal as ${full_name || email}`;
  const content = isRefusal(link)
    ? renderAlert(`${link.message}.`)
    : html`<div class="card medium"><p>What you do there stands in the history under your name, and the customer’s permissions bind you. The link works once, within 15 minutes.</p>
      <p class="buttons"><a class="button" href="${link.url}" rel="noreferrer">Open the portal</a> <a class="button quiet" href="${visit.base}/customers/${id}">Back</a></p></div>`;
  return c.html(await layout(visit, { title, content }), isRefusal(link) ? 409 : 200);
}

/** Has a link that signs the customer in mailed to them, as if they had asked for it. */
async function mailLink(c: C, visit: StaffVisit, ask: AskAsStaff, id: string): Promise<Response> {
  if (!may(visit, "mails:write"))
    throw new DomainError("FORBIDDEN", "A sign-in link needs the scope mails:write");
  const { customer } = await ask(visit, { customer: { id: "getProfile", path: { id } } });
  const ctx = await openSystemCtx(c, visit.account);
  const sender = await findLinkSender(ctx, ctx.env.ENVIRONMENT === "local");
  if (sender !== "nobody") {
    const { email, locale } = customer.data;
    const asked = {
      ...{ email, is_printed: sender === "terminal", asked_at: ctx.realNow },
      locale: locale ?? portalSettingsOf(visit.account).default_locale,
    };
    await sendJobs(ctx.env, [await loginJob(ctx, asked)]);
  }
  return c.redirect(`${visit.base}/customers/${id}?told=${sender}`, 303);
}

const told: Record<string, string> = {
  mail: "The mail is sent once more.",
  mailer: "A sign-in link is on its way to the customer.",
  log: "A sign-in link is in the log of mails.",
  terminal: "A sign-in link is in the terminal of this server.",
  nobody: "Nobody mails links: there is no mail provider.",
};

/** Says that a mail that was asked for is on its way, or why not. */
export function portalNotice({ c }: StaffVisit): Html {
  const text = told[c.req.query("told") ?? ""];
  return text === undefined ? html`` : html`<p class="notice" role="status">${text}</p>`;
}

/** The ways into the portal that the role has. */
export function portalForms(visit: StaffVisit, ask: AskAsStaff, here: string): Html {
  const canOpen = may(visit, "subscriptions:write");
  const canMail = ask.reaches(visit, "resendMail");
  if (!canOpen && !canMail) return html``;
  return html`<section class="card"><h2>Portal</h2>
    ${canOpen ? html`<form method="post" action="${here}/open-portal"><p><button class="quiet">Open the portal as this customer</button></p></form>` : ""}
    ${canMail ? html`<form method="post" action="${here}/sign-in-link"><p><button class="quiet">Mail a sign-in link</button></p></form>` : ""}</section>`;
}

/** The button that sends a mail once more. */
export function resendForm(here: string, mail: string, subject: string): Html {
  return html`<form method="post" action="${here}/resend-mail"><input type="hidden" name="mail" value="${mail}"><button class="plain">Send again<span class="hidden">: ${subject}</span></button></form>`;
}
