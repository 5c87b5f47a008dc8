import { html } from "hono/html";
import type { Account } from "../../../../base/accounts/tables.ts";
import { moment } from "../../../../base/language/format.ts";
import { kindOf } from "../../../../domain/mail/kinds.ts";
import type { Mail } from "../../../../domain/mail/tables.ts";
import type { Html } from "../../../pages/document.ts";
import { deploymentPage } from "../layout.ts";

/** The page of the mails that the demo store has written to its customers, newest first. */
export function mailsPage({ timezone }: Pick<Account, "timezone">, mails: Mail[]): Html {
  const content = html`<div class="medium"><p class="back"><a href="/">← First page</a></p>
      <h1>Mails of the demo store</h1>
      <p class="quiet">A local server sends no mail. It keeps the newest, as the demo store’s customers would have got them.</p>
      ${mails.length === 0 ? noMails : html`<ol class="card mails">${mails.map((mail) => mailItem(mail, timezone))}</ol>`}</div>`;
  return deploymentPage({ title: "Mails of the demo store · Perennial", content });
}

const noMails = html`<div class="card empty-state"><h2>There are none yet</h2>
  <p>Receipts come as subscriptions are charged, a minute or two after the start. A change by the shop, such as a pause, is told five minutes later.</p>
  <p class="buttons"><a class="button" href="/demo/mails">Look again</a> <a class="button quiet" href="/api#/Subscriptions/pauseSubscription">Pause a subscription</a></p></div>`;

/** A mail that signs somebody in is shown to nobody but its customer. */
function mailItem({ id, subject, recipient, event_type, created_at }: Mail, timezone: string): Html {
  const isLink = kindOf(event_type)?.signsIn;
  const sent = moment("en", created_at, timezone);
  return html`<li><span>${isLink ? subject : html`<a href="/demo/mails/${id}">${subject}</a>`}</span>
    <span class="quiet">To ${recipient} · <time datetime="${created_at}">${sent}</time>${isLink ? " · the link is in the terminal of npm start" : ""}</span></li>`;
}
