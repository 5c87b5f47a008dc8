import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { dayOf } from "../../../base/language/format.ts";
import type { ProfileBody } from "../../../domain/profiles/schemas.ts";
import type { Html } from "../../pages/document.ts";
import { factRows } from "../../pages/facts.ts";
import { breakable } from "../../pages/lines.ts";
import type { StaffVisit } from "./console-env.ts";
import { layout } from "./layout.ts";
import { customerLink, pager, placeIn } from "./links.ts";
import { orderTable } from "./orders.ts";
import { subscriptionTable } from "./subscription-rows.ts";
import { stateOf, table, wordOf } from "./table.ts";
import type { AskAsStaff } from "./visit.ts";

type Customer = z.output<typeof ProfileBody>;

/** The customers, newest first. */
export async function customersPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const { customers } = await ask(visit, { customers: { id: "listProfiles", query: placeIn(visit) } });
  const { data, meta } = customers;
  const content =
    meta.total === 0
      ? html`<div class="card"><p>There are no customers yet. They come with <code>POST /api/profiles</code>, an import, or the store.</p></div>`
      : html`<section class="card">${customerTable(visit, data)}</section>${pager(visit, meta)}`;
  return layout(visit, { title: "Customers", content });
}

export function customerTable(visit: StaffVisit, customers: Customer[]): Html {
  return table({
    caption: "Customers",
    columns: ["Customer", "E-mail", "City", "Since"],
    rows: customers.map((one) => [
      customerLink(visit, one),
      breakable(one.email),
      one.city ?? "–",
      dayOf("en", one.created_at, visit.account.timezone),
    ]),
  });
}

/** One customer: who they are, their subscriptions, orders and mails. */
export async function customerPage(visit: StaffVisit, ask: AskAsStaff, id: string): Promise<Html> {
  const query = { profile_id: id, limit: "10" };
  const { customer, ...lists } = await ask(
    visit,
    { customer: { id: "getProfile", path: { id } } },
    {
      subscriptions: { id: "listSubscriptions", query },
      orders: { id: "listOrders", query },
      mails: { id: "listMails", query },
    },
  );
  const { email, full_name, full_address, phone_number, locale } = customer.data;
  const facts = html`<section class="card"><h2>Who</h2><dl>${factRows([
    ["E-mail", breakable(email)],
    ["Phone", phone_number ?? "–"],
    ["Address", full_address || "–"],
    ["Language", locale ?? "the shop’s"],
    ["Id", customer.data.id],
  ])}</dl></section>`;
  const content = html`<div class="columns"><div>
    ${list("Subscriptions", lists.subscriptions, (rows) => subscriptionTable(visit, rows))}
    ${list("Orders", lists.orders, (rows) => orderTable(visit, rows))}
    ${list("Mails", lists.mails, (rows) =>
      table({
        caption: "Mails",
        columns: ["Mail", "State", "When"],
        rows: rows.map(({ subject, kind, status, created_at }) => [
          subject ?? wordOf(kind),
          stateOf(status),
          dayOf("en", created_at, visit.account.timezone),
        ]),
      }),
    )}</div><div>${facts}</div></div>`;
  return layout(visit, { title: full_name || email, content });
}

type List<Row> = { data: Row[]; meta: { total: number } };

/** A list that the role may see, with how many there are. */
function list<Row>(title: string, found: List<Row> | undefined, show: (rows: Row[]) => Html): Html {
  if (!found) return html``;
  return html`<section class="card"><h2>${title} <span class="count">${found.meta.total}</span></h2>${
    found.data.length === 0 ? html`<p class="quiet">There are none.</p>` : show(found.data)
  }</section>`;
}
