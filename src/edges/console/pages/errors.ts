import { html } from "hono/html";
import { DomainError } from "../../../base/errors.ts";
import { statusOf } from "../../../kit/http/errors.ts";
import { renderDocument } from "../../pages/document.ts";
import { codeOf } from "../../pages/failure.ts";
import { type C, plain, type StaffVisit } from "./console-env.ts";
import { layout, narrowPage } from "./layout.ts";

/** Any failure as a page, with the id by which the log knows the request. One that nobody expected says nothing of its cause. */
export async function errorPage(c: C, error: unknown): Promise<Response> {
  const code = codeOf(plain(c), error);
  const visit = c.get("visit");
  const isMissing = code === "NOT_FOUND";
  const title = isMissing ? "There is no such page" : "This did not work";
  const text = isMissing
    ? "It may have been removed, or the address is mistyped."
    : error instanceof DomainError && statusOf[code] < 500
      ? `${error.message}.`
      : "Something went wrong on our side. Nothing was changed.";
  const content = html`<p class="alert" role="alert">${text}</p><p class="quiet">Request ${c.get("requestId")}</p>
    ${visit ? html`<p><a class="button" href="${visit.base}">Today</a></p>` : ""}`;
  if (!visit)
    return c.html(
      await renderDocument({
        ...{ locale: "en", title, styles: ["/assets/console.css"] },
        body: html`<main class="narrow"><h1>${title}</h1>${content}</main>`,
      }),
      statusOf[code],
    );
  const page = visit.session
    ? layout(visit as StaffVisit, { title, content })
    : narrowPage(visit, { title, content });
  return c.html(await page, statusOf[code]);
}
