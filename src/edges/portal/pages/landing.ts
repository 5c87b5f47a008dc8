import { html } from "hono/html";
import { demoShop } from "../../../base/demo.ts";
import { type Html, renderDocument } from "./layout.ts";

/** The first page of a deployment: what this is, and where to go on. Locally it leads to the demo store's portal too. */
export function landingPage(isLocal: boolean): Html {
  const portal = isLocal
    ? html`<li><a href="/portal/${demoShop}">The customer portal</a> of the demo store; <code>npm run portal-link</code> signs a demo customer in</li>`
    : html`<li>The customer portal of a shop: <code>/portal/&lt;shop&gt;</code>, once its merchant has switched it on</li>`;
  return renderDocument({
    locale: "en",
    title: "Perennial",
    styles: ["/assets/portal.css"],
    body: html`<main id="content"><div class="narrow"><h1>Perennial</h1>
      <p>Open subscription commerce: recurring orders, billing, delivery and a customer portal, as one service at the edge.</p>
      <ul class="links">
        <li><a href="/api">The API</a>: every operation, to read and to try</li>
        <li><a href="/api.json">The API document</a> as OpenAPI 3.1, also <a href="/api.yaml">as YAML</a></li>
        ${portal}
        <li>The guides are in the project's <code>docs</code> folder; <code>POST /mcp</code> serves agents</li>
      </ul></div></main>`,
  });
}
