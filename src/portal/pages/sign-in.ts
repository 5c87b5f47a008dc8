import { html } from "hono/html";
import { alertOf, type Html, layout } from "./layout.ts";
import type { Visit } from "./visit.ts";

/** Asks for the e-mail address that a link is sent to. */
export function signInPage(visit: Visit, error?: string): Html {
  const { texts, base } = visit;
  const content = html`<div class="narrow"><h1>${texts.signIn}</h1>${alertOf(error)}<p>${texts.signInText}</p>
    <form class="card" method="post" action="${base}/login">
      <label>${texts.email} <input type="email" name="email" autocomplete="email" required maxlength="254"></label>
      <p class="buttons"><button>${texts.sendLink}</button></p>
    </form></div>`;
  return layout(visit, { title: texts.signIn, content });
}

/** The same whether the address is known or not. */
export function checkMailPage(visit: Visit): Html {
  const { texts } = visit;
  const content = html`<div class="narrow"><h1>${texts.checkMail}</h1><p>${texts.checkMailText}</p></div>`;
  return layout(visit, { title: texts.checkMail, content });
}

/** Where a link leads. Programs that look at links in mails GET it, so only the button's POST spends it. */
export function enterPage(visit: Visit, token: string): Html {
  const { texts, base } = visit;
  const content = html`<div class="narrow"><h1>${texts.welcome}</h1><p>${texts.enterText}</p>
    <form class="card" method="post" action="${base}/enter">
      <input type="hidden" name="token" value="${token}">
      <p class="buttons"><button>${texts.enter}</button></p>
    </form></div>`;
  return layout(visit, { title: texts.welcome, content });
}
