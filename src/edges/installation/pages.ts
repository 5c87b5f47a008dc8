import { html } from "hono/html";
import type { InstallStep } from "../../stores/installs.ts";

type Shown = Exclude<InstallStep, { step: "redirect" }>;

/** The page that a step ends with: complete without scripts and styles. */
export function renderPage(shown: Shown, confirmUrl: string) {
  const { title, content } = renderContent(shown, confirmUrl);
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>`;
}

function renderContent(shown: Shown, confirmUrl: string) {
  switch (shown.step) {
    case "connected":
      return {
        title: `${shown.shop} is connected`,
        content: html`<p>Subscriptions are billed at this store from now on. You can close this page.</p>`,
      };
    case "confirm":
      return {
        title: `${shown.shop} is connected already`,
        content: html`<p>Replace its connection by this installation?</p>
      <form method="post" action="${confirmUrl}"><button type="submit">Replace the connection</button></form>`,
      };
    case "refused":
      return {
        title: "The store was not connected",
        content: html`<p>${shown.reason}</p>${shown.begin ? html`<p><a href="${shown.begin}">Begin again</a></p>` : ""}`,
      };
  }
}
