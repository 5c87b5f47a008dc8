import { html } from "hono/html";
import type { Html } from "../../pages/document.ts";
import type { StaffVisit } from "./console-env.ts";
import { customerTable } from "./customers.ts";
import { changeAll } from "./jobs/change-all.ts";
import { layout } from "./layout.ts";
import { orderTable } from "./orders.ts";
import { subscriptionTable } from "./subscription-rows.ts";
import type { AskAsStaff } from "./visit.ts";

const limit = "10";
const longest = 256;

/** One box for a number, name, e-mail address, phone, postal code, order or contract: the customers, subscriptions and orders that match, of those that the role may read. */
export async function searchPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const search = (visit.c.req.query("q") ?? "").trim().slice(0, longest);
  if (search === "") {
    const content = html`<p class="quiet">Enter a number, a name, an e-mail address, a phone number or a postal code above.</p>`;
    return layout(visit, { title: "Search", content });
  }
  const query = { search, limit };
  const { subscriptions, customers, orders } = await ask(
    visit,
    {},
    {
      subscriptions: { id: "listSubscriptions", query },
      customers: { id: "listProfiles", query },
      orders: { id: "listOrders", query },
    },
  );
  const parts = [
    part(
      "Subscriptions",
      subscriptions?.data ?? [],
      (rows) =>
        html`${subscriptionTable(visit, rows)}${changeAll(visit, ask, { search }, subscriptions?.meta.total ?? 0)}`,
    ),
    part("Customers", customers?.data ?? [], (rows) => customerTable(visit, rows)),
    part("Orders", orders?.data ?? [], (rows) => orderTable(visit, rows)),
  ].filter((shown) => shown !== undefined);
  const content = parts.length > 0 ? html`${parts}` : html`<p>Nothing matches “${search}”.</p>`;
  return layout(visit, { title: "Search", content });
}

function part<Row>(title: string, rows: Row[], show: (rows: Row[]) => Html): Html | undefined {
  return rows.length === 0 ? undefined : html`<section class="card"><h2>${title}</h2>${show(rows)}</section>`;
}
