import { html } from "hono/html";
import type { LinkSender } from "../../../../domain/sessions/link-sender.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import { breakable } from "../../../pages/lines.ts";
import { type Faults, faultsAlert, marksOf, titleWith } from "../faults.ts";
import { layout } from "../layout.ts";
import type { Visit } from "../page-env.ts";
import { endedInForm } from "./return-path.ts";

/** The values that a form for signing in has sent, and the faults in them, or in the link that was followed. */
type Sent = { email?: string; faults?: Faults; error?: string };

/** Asks for the e-mail address for which a link is made, where somebody passes links on; else it says whom to ask. */
export function signInPage(visit: Visit, sender: LinkSender, { email = "", faults, error }: Sent = {}): Html {
  const { texts, base } = visit;
  const form = html`<form class="card" method="post" action="${base}/login">
      <p>${isPrinted(sender) ? texts.signInTerminal : texts.signInText}</p>
      <label>${texts.email} <input type="email" name="email" value="${email}" autocomplete="email" required maxlength="254"${marksOf(faults, "email")}></label>
      <p class="buttons"><button>${isPrinted(sender) ? texts.printLink : texts.sendLink}</button></p>
    </form>`;
  const ended = endedInForm(visit.c);
  const content = html`<div class="narrow"><h1>${texts.signIn}</h1>${renderAlert(error)}${renderAlert(ended && texts.signedOut[ended])}${faultsAlert(visit, faults)}
    ${sender === "nobody" ? whomToAsk(visit) : form}
    <p class="quiet">${texts.declaring.withoutSigningIn} <a href="${base}/leave">${texts.leaveHere}</a> · <a href="${base}/withdraw">${texts.withdrawHere}</a></p></div>`;
  return layout(visit, { title: titleWith(visit, texts.signIn, faults), content });
}

/** Whether whoever signs in finds the link in the terminal of a local server. */
export function isPrinted(sender: LinkSender): boolean {
  return sender === "terminal" || sender === "log";
}

/** The page after a link was asked for. It does not tell whether the address is known, unless a local server gives it the link itself. */
export function linkSentPage(
  visit: Visit,
  sender: Exclude<LinkSender, "nobody">,
  { email, link }: { email: string; link?: string | undefined },
): Html {
  const { texts, base } = visit;
  const [title, text] = isPrinted(sender)
    ? [texts.checkTerminal, texts.checkTerminalText(email)]
    : [texts.checkMail, texts.checkMailText(email)];
  const content = html`<div class="narrow"><h1>${title}</h1><div class="card"><p>${breakable(text)}</p>
    ${link ? html`<p class="buttons"><a class="button" href="${link}">${texts.enter}</a></p>` : ""}
    <p><a href="${base}/login">${texts.otherEmail}</a></p></div></div>`;
  return layout(visit, { title, content });
}

/** The page that a link leads to. Programs that look at links in mails GET it, so only the button's POST spends it. */
export function enterPage(visit: Visit, token: string): Html {
  const { texts, base } = visit;
  const content = html`<div class="narrow"><h1>${texts.welcome}</h1>
    <form class="card" method="post" action="${base}/enter"><p>${texts.enterText}</p>
      <input type="hidden" name="token" value="${token}">
      <p class="buttons"><button>${texts.enter}</button></p>
    </form></div>`;
  return layout(visit, { title: texts.welcome, content });
}

function whomToAsk({ texts, settings: { support_email: address } }: Visit): Html {
  return html`<div class="card"><p>${texts.signInElsewhere}</p>
    ${address ? html`<p class="buttons"><a class="button" href="mailto:${address}">${address}</a></p>` : ""}</div>`;
}
