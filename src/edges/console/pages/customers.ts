import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { dayOf } from "../../../base/language/format.ts";
import { cardOf } from "../../../base/language/names.ts";
import type { ProfileBody } from "../../../domain/profiles/schemas.ts";
import type { Html } from "../../pages/document.ts";
import { factRows } from "../../pages/facts.ts";
import { addressBlock, breakable } from "../../pages/lines.ts";
import { customerSubject } from "./changes/customer-changes.ts";
import type { StaffVisit } from "./console-env.ts";
import { portalForms, portalNotice, resendForm } from "./customer-portal.ts";
import { doneNotice } from "./forms/done.ts";
import type { TimelineEntry } from "./forms/newest-entry.ts";
import { changeButtons, offeredOf } from "./forms/offers.ts";
import { layout } from "./layout.ts";
import { customerLink, pager, placeIn } from "./links.ts";
import { orderTable } from "./orders.ts";
import { subscriptionTable } from "./subscription-rows.ts";
import { stateOf, table, wordOf } from "./table.ts";
import { historyPage, timeline } from "./timeline.ts";
import { type AskAsStaff, may, type PageAnswer } from "./visit.ts";

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
      addresses: { id: "listDeliveryAddresses", path: { id }, query: { limit: "10" } },
      ...activityOf(visit, id),
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
  const subject = customerSubject;
  const here = `${visit.base}/customers/${id}`;
  const cards = new Set(
    lists.subscriptions?.data
      .map(({ payment_method_brand, payment_method_last4 }) =>
        cardOf(payment_method_brand, payment_method_last4),
      )
      .filter(Boolean),
  );
  const content = html`${doneNotice(visit, ask, { subject, id })}${portalNotice(visit)}
    ${changeButtons(here, offeredOf(visit, ask, { subject, record: customer.data }))}
    <div class="columns"><div>
    ${list("Subscriptions", lists.subscriptions, (rows) => subscriptionTable(visit, rows, { isOfOne: true }))}
    ${list("Orders", lists.orders, (rows) => orderTable(visit, rows, { isOfOne: true }))}
    ${list("Mails", lists.mails, (rows) =>
      table({
        caption: "Mails",
        columns: ["Mail", "State", "When", "Again"],
        rows: rows.map(({ id: mail, subject: head, kind, status, created_at }) => [
          head ?? wordOf(kind),
          stateOf(status),
          dayOf("en", created_at, visit.account.timezone),
          ask.reaches(visit, "resendMail") && status !== "SUPPRESSED"
            ? resendForm(here, mail, head ?? wordOf(kind))
            : "",
        ]),
      }),
    )}${
      lists.activity ? timeline(visit, lists.activity, { currencyOf: currencyIn(lists), isOfMany: true }) : ""
    }</div><div>${portalForms(visit, ask, here)}${facts}
    ${list("Addresses", lists.addresses, (rows) => html`<ul class="plain">${rows.map((address) => addressItem(visit, ask, here, address))}</ul>`)}
    ${cards.size > 0 ? html`<section class="card"><h2>Cards</h2><ul class="plain">${[...cards].map((card) => html`<li>${card}</li>`)}</ul></section>` : ""}</div></div>`;
  return layout(visit, { title: full_name || email, content });
}

/** The history of a customer's subscriptions and orders, which whoever may read both may read here. */
function activityOf(visit: StaffVisit, id: string) {
  const canRead = may(visit, "subscriptions:read") && may(visit, "orders:read");
  const alsoScopes = ["activity:read"] as const;
  return canRead
    ? {
        activity: { id: "listProfileActivity", path: { id }, query: historyPage(visit), alsoScopes } as const,
      }
    : {};
}

type Priced = { data: { id: string; currency_code: string }[] };

/** The currencies of the subscriptions and orders that the page shows. */
function currencyIn({ subscriptions, orders }: { subscriptions?: Priced; orders?: Priced }) {
  const known = [subscriptions, orders].flatMap((list) => list?.data ?? []);
  const currencies = new Map(known.map(({ id, currency_code }) => [id, currency_code]));
  return ({ loggable_id }: TimelineEntry) => currencies.get(loggable_id);
}

/** An address, with the ways to change it where the role may. */
function addressItem(
  visit: StaffVisit,
  ask: AskAsStaff,
  here: string,
  address: PageAnswer<"listDeliveryAddresses">["data"][number],
): Html {
  const of = html`<span class="hidden">: ${address.address1}</span>`;
  return html`<li>${addressBlock(address)}${
    ask.reaches(visit, "updateDeliveryAddress")
      ? html`<br><a href="${here}/address?address=${address.id}">Change${of}</a> <a href="${here}/remove-address?address=${address.id}">Remove${of}</a>`
      : ""
  }</li>`;
}

type List<Row> = { data: Row[]; meta: { total: number } };

/** A list that the role may see, with how many there are. */
function list<Row>(title: string, found: List<Row> | undefined, show: (rows: Row[]) => Html): Html {
  if (!found) return html``;
  return html`<section class="card"><h2>${title} <span class="count">${found.meta.total}</span></h2>${
    found.data.length === 0 ? html`<p class="quiet">There are none.</p>` : show(found.data)
  }</section>`;
}
