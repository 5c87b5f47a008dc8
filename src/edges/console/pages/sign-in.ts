import { html } from "hono/html";
import type { StaffLinkSender } from "../../../domain/staff-sessions/login.ts";
import { type Html, renderAlert } from "../../pages/document.ts";
import type { ConsoleVisit } from "./console-env.ts";
import { narrowPage } from "./layout.ts";

/** Asks for the e-mail address for which a link is made, where somebody passes links on; else it says whom to ask. */
export function loginPage(visit: ConsoleVisit, sender: StaffLinkSender, error?: string): Html {
  const form = html`<form class="card" method="post" action="${visit.base}/login">
      <p>${sender === "terminal" ? "The link is printed in the terminal of the server, as no mail is sent." : "We send you a link that signs you in."}</p>
      <label>E-mail address <input type="email" name="email" autocomplete="email" required maxlength="254"></label>
      <p class="buttons"><button>${sender === "terminal" ? "Print a link" : "Send a link"}</button></p></form>`;
  const nobody = html`<div class="card"><p>No mail is sent from here. An owner can invite you by the API, and whoever runs the server prints a link:</p>
      <pre><code>npm run account -- staff invite --shop ${visit.account.shop} --email YOU</code></pre></div>`;
  const content = html`${renderAlert(error)}${sender === "nobody" ? nobody : form}`;
  return narrowPage(visit, { title: "Sign in to the console", content });
}

/** The page after a link was asked for. It does not tell whether the address is known. */
export function linkSentPage(visit: ConsoleVisit, sender: StaffLinkSender): Html {
  const where = sender === "terminal" ? "the terminal of the server" : "your mails";
  const content = html`<div class="card"><p>If the address is that of a member of staff, the link is in ${where} in a moment. It works once, within 15 minutes.</p>
    <p><a href="${visit.base}/login">Back</a></p></div>`;
  return narrowPage(visit, { title: `Look into ${where}`, content });
}

/** The page that a link leads to. Programs that look at links in mails GET it, so only the button's POST spends it. */
export function enterPage(visit: ConsoleVisit, token: string): Html {
  const content = html`<form class="card" method="post" action="${visit.base}/enter"><p>One click, and you are in.</p>
    <input type="hidden" name="token" value="${token}"><p class="buttons"><button>Sign in</button></p></form>`;
  return narrowPage(visit, { title: "Welcome", content });
}
