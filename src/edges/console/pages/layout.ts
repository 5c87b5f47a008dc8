import { html, raw } from "hono/html";
import type { Scope } from "../../../base/accounts/scopes.ts";
import { moment } from "../../../base/language/format.ts";
import { type Html, renderDocument } from "../../pages/document.ts";
import type { ConsoleVisit, StaffVisit } from "./console-env.ts";
import { may } from "./visit.ts";

type Page = { title: string; content: Html };

/** A page for a member of staff who is signed in: the rail with what their role can see, the search field, and the shop's clock. */
export function layout(visit: StaffVisit, { title, content }: Page): Html {
  const { base, session, c } = visit;
  const searched = c.req.query("q") ?? "";
  const search = searchScopes.some((scope) => may(visit, scope))
    ? html`<form class="search" role="search" method="get" action="${base}/search">
        <label><span class="hidden">Search customers, subscriptions and orders</span>
        <input type="search" name="q" value="${searched}" maxlength="255" placeholder="Number, name, e-mail …"></label> <button>Search</button></form>`
    : "";
  return frame(visit, {
    title,
    body: html`<a class="skip-link" href="#content">Skip to the content</a>
      <header class="top">${search}
        <p class="clock">${clockOf(visit)}</p>
        <form method="post" action="${base}/sign-out"><span>${session.name} · ${roleNames[session.role]}</span> <button class="plain">Sign out</button></form></header>
      <div class="page">${rail(visit)}<main id="content" tabindex="-1"><h1>${title}</h1>${
        c.req.query("done") === "" ? html`<p class="notice" role="status">${doneText(visit)}</p>` : ""
      }${content}</main></div>`,
  });
}

/** A page for whoever is not signed in. */
export function narrowPage(visit: ConsoleVisit, { title, content }: Page): Html {
  return frame(visit, {
    title,
    body: html`<main class="narrow"><p class="quiet">${visit.account.name}</p><h1>${title}</h1>${content}</main>`,
  });
}

/** Few settings have a history, so that none is promised here. */
function doneText({ c, base }: StaffVisit): string {
  return c.req.path.startsWith(`${base}/settings`) ? "Done. It holds from now on." : "Done.";
}

const roleNames = {
  OWNER: "owner",
  MANAGER: "manager",
  SUPPORT: "support",
  WAREHOUSE: "warehouse",
  VIEWER: "viewer",
} as const;

function frame({ account }: ConsoleVisit, { title, body }: { title: string; body: Html }): Html {
  return renderDocument({
    locale: "en",
    title: `${title} · ${account.name} · Console`,
    styles: ["/assets/console.css"],
    scripts: ["/assets/console.js"],
    body,
  });
}

/** An entry of the rail, for roles that have one of the scopes. */
type Entry = { path: string; text: string; scopes?: Scope[] };

/** Each finds its own kind of records. */
const searchScopes: Scope[] = ["subscriptions:read", "profiles:read", "orders:read"];

/** The pages, in their groups. Those of a scope that the role lacks are not there. */
const groups: { name: string; entries: Entry[] }[] = [
  {
    name: "Work",
    entries: [
      { path: "", text: "Today" },
      { path: "/to-do", text: "To do", scopes: ["billing:read", "subscriptions:read", "webhooks:read"] },
      { path: "/search", text: "Search", scopes: searchScopes },
    ],
  },
  {
    name: "Records",
    entries: [
      { path: "/customers", text: "Customers", scopes: ["profiles:read"] },
      { path: "/orders", text: "Orders and goods", scopes: ["orders:read"] },
      { path: "/jobs", text: "Jobs", scopes: ["jobs:read"] },
    ],
  },
  {
    name: "Shop",
    entries: [
      { path: "/figures", text: "Figures", scopes: ["insights:read", "orders:read"] },
      { path: "/settings", text: "Settings" },
    ],
  },
];

function rail(visit: StaffVisit): Html {
  const { base, c } = visit;
  const link = ({ path, text }: Entry) => {
    const isHere = path === "" ? c.req.path === base : c.req.path.startsWith(`${base}${path}`);
    return html`<li><a href="${base}${path}"${isHere ? raw(' aria-current="page"') : ""}>${text}${path === "/to-do" ? countOf(visit) : ""}</a></li>`;
  };
  const shown = groups
    .map(({ name, entries }) => ({
      name,
      entries: entries.filter(({ scopes }) => !scopes || scopes.some((scope) => may(visit, scope))),
    }))
    .filter(({ entries }) => entries.length > 0);
  const entries = html`${shown.map(
    ({ name, entries: its }) => html`<section><h2>${name}</h2><ul>${its.map(link)}</ul></section>`,
  )}<section><h2>Help</h2><ul><li><a href="/docs/sell/console.html">Guides</a></li></ul></section>`;
  return html`<details class="menu"><summary>Menu</summary><nav aria-label="Console">${entries}</nav></details>
    <nav class="rail" aria-label="Console">${entries}</nav>`;
}

function countOf({ c }: StaffVisit): Html {
  const { total = 0, isAtLeast = false } = c.get("waiting") ?? {};
  return total === 0 ? html`` : html` <span class="count">${total}${isAtLeast ? "+" : ""}</span>`;
}

/** The shop's own time. A test clock stands out, because nothing happens until it is moved. */
function clockOf({ account, c }: ConsoleVisit): Html {
  const now = account.clock_at ?? c.get("now").toISOString();
  const text = `${account.name} · ${account.timezone} · ${moment("en", now, account.timezone)}`;
  return account.clock_at === null
    ? html`${text}`
    : html`<span class="test-clock">${text} (test clock)</span>`;
}
