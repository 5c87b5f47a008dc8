import type { Context } from "hono";
import { html } from "hono/html";
import { DomainError } from "../../../base/errors.ts";
import { preferredLocale } from "../../../base/language/preferred-locale.ts";
import { statusOf } from "../../../kit/http/errors.ts";
import { type Html, renderDocument } from "../../pages/document.ts";
import { codeOf } from "../../pages/failure.ts";
import { layout, sentenceOf } from "./layout.ts";
import { type PageEnv, plain, type Visit } from "./page-env.ts";
import { textsOf } from "./texts/index.ts";

/** Any failure as a page. One that nobody expected says nothing of its cause; the log has it. */
export async function errorPage(c: Context<PageEnv>, error: unknown): Promise<Response> {
  const code = codeOf(plain(c), error);
  const retryAfter = error instanceof DomainError ? error.retryAfter : undefined;
  const visit = c.get("visit");
  const locale = visit?.locale ?? preferredLocale(c.req.header("accept-language"), "en");
  const texts = textsOf(locale);
  const isMissing = code === "NOT_FOUND";
  const title = isMissing ? texts.notFound : texts.failed;
  const content = html`<div class="narrow"><h1>${title}</h1>
    <p>${isMissing ? texts.notFoundText : sentenceOf({ texts }, { code, retryAfter })}</p>
    ${visit ? html`<p><a class="button" href="${visit.base}">${texts.overview}</a></p>` : ""}</div>`;
  const page = visit
    ? layout(visit, { title, content })
    : renderDocument({
        locale,
        title,
        styles: ["/assets/portal.css"],
        body: html`<main>${content}</main>`,
      });
  return c.html(await page, statusOf[code]);
}

/** A page for a customer who is signed in, about something that is not possible now. */
export function refusalPage(visit: Visit, text: string): Html {
  const { texts, base } = visit;
  const content = html`<div class="narrow"><h1>${texts.failed}</h1><p class="alert" role="alert">${text}</p>
    <p><a class="button" href="${base}">${texts.overview}</a></p></div>`;
  return layout(visit, { title: texts.failed, content });
}
