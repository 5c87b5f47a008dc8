import { html } from "hono/html";
import { demoShop } from "../../../../base/demo.ts";
import type { Html } from "../../../pages/document.ts";
import { deploymentPage } from "../layout.ts";
import type { DemoStore } from "./demo-store.ts";

type Landing = { address: string; demo: DemoStore | undefined };

/** The first page of a deployment: what this is, and a door to each place to go on to. Those of the demo store are a local server's alone. */
export function landingPage({ address, demo }: Landing): Html {
  const content = html`<div class="landing"><h1>Subscriptions for shops</h1>
      <p class="lead">Recurring orders, billing, deliveries, mails and a portal for customers, behind one API: this is a deployment of Perennial${demo ? ", with a demo store in it" : ""}.</p>
      <div class="doors">${demo ? demoDoors(demo) : ""}
        ${door({
          title: "The API",
          text: html`Every operation, to read${demo ? " and to try: the demo store’s key is filled in" : ""}. The document is OpenAPI 3.1, as <a href="/api.json">JSON</a> and <a href="/api.yaml">YAML</a>.`,
          action: html`<a class="button quiet" href="/api">Open the API</a>`,
        })}
        ${door({
          title: "Agents",
          text: html`The same operations as tools of the Model Context Protocol, at <code>${address}/mcp</code>.`,
          action: html`<a class="button quiet" href="/api#/Agents/mcp">How agents connect</a>`,
        })}
        ${door({
          title: "Guides",
          text: html`For those who sell, build, operate and change it, of this version. Programs read <a href="/llms.txt">/llms.txt</a>.`,
          action: html`<a class="button quiet" href="/docs/index.html">Read the guides</a>`,
        })}
        ${demo ? "" : customersDoor}</div></div>`;
  return deploymentPage({ title: "Perennial", content });
}

function demoDoors({ customer, owner, ctx: { account } }: DemoStore): Html {
  const name = customer?.first_name ?? "a customer";
  return html`${
    customer
      ? door({
          title: "The customer portal",
          text: html`Skip, move, pause and cancel as ${name} does, who subscribes to the ${account.name}. Or <a href="/portal/${demoShop}">sign in by e-mail</a>, as customers do.`,
          action: html`<form method="post" action="/demo/sign-in"><button>Sign in as ${name}</button></form>`,
        })
      : ""
  }${
    owner
      ? door({
          title: "The console",
          text: html`Where the staff of the ${account.name} work. Or <a href="/console/${demoShop}/login">sign in by e-mail</a>, as staff do.`,
          action: html`<form method="post" action="/demo/console"><button>The console: sign in as the owner</button></form>`,
        })
      : ""
  }${door({
    title: "Mails to customers",
    text: html`What the ${account.name} has written to its customers. A local server keeps mails instead of sending them.`,
    action: html`<a class="button quiet" href="/demo/mails">Read the mails</a>`,
  })}`;
}

/** Nothing here says which shops there are. */
const customersDoor = html`<section class="card door"><h2>Your subscription</h2>
  <p>You get deliveries from a shop and want to change them? Follow the link in its mails, or on its pages.</p></section>`;

function door({ title, text, action }: { title: string; text: Html; action: Html }): Html {
  return html`<section class="card door"><h2>${title}</h2><p>${text}</p><div class="buttons">${action}</div></section>`;
}
