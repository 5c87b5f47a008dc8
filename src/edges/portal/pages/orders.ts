import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { day, dayOf, money } from "../../../base/language/format.ts";
import type { OrderBody } from "../../../domain/orders/schemas.ts";
import { type Html, layout } from "./layout.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

type Order = z.output<typeof OrderBody>;

/** Past orders, newest first, with what the carrier says. */
export async function ordersPage(visit: SignedIn, ask: AskOperations): Promise<Html> {
  const { c, texts, base } = visit;
  const cursor = c.req.query("cursor");
  const query = { limit: String(perPage), ...(cursor === undefined ? {} : { cursor }) };
  const [{ data: orders, meta }] = await ask(visit, { id: "listOwnOrders", query });
  const link = (url: string | null, text: string) =>
    url === null ? "" : html`<a class="button quiet" href="${base}/orders${new URL(url).search}">${text}</a>`;
  const content = html`<h1>${texts.orders}</h1>
    ${
      orders.length === 0
        ? html`<p class="empty">${texts.noOrders}</p>`
        : html`<ul class="cards orders">${orders.map((order) => html`<li class="card">${renderOrder(visit, order)}</li>`)}</ul>`
    }
    <p class="buttons">${link(meta.previous_page_url, texts.newer)}${link(meta.next_page_url, texts.older)}</p>`;
  return layout(visit, { title: texts.orders, content });
}

const perPage = 20;

function renderOrder({ texts, locale, account }: SignedIn, order: Order): Html {
  const number = order.external_order_number ?? order.store_order_number;
  const placed = dayOf(locale, order.order_created_at ?? order.created_at, account.timezone);
  return html`<h2>${texts.order}${number === null ? "" : ` ${number}`}</h2>
    <dl>
      <div><dt>${texts.date}</dt><dd>${placed}</dd></div>
      <div><dt>${texts.total}</dt><dd>${money(locale, order.total, order.currency_code)}</dd></div>
      <div><dt>${texts.status}</dt><dd>${order.status === "CANCELLED" ? texts.statuses.CANCELLED : (texts.fulfillment[order.fulfillment_status] ?? "")}</dd></div>
      ${order.return_status ? html`<div><dt>${texts.returned}</dt><dd>${texts.returns[order.return_status] ?? ""}</dd></div>` : ""}
      ${order.delivery_date ? html`<div><dt>${texts.delivery}</dt><dd>${day(locale, order.delivery_date)}</dd></div>` : ""}
      ${order.tracking_number ? html`<div><dt>${texts.tracking}</dt><dd>${trackingOf(order)}</dd></div>` : ""}
    </dl>`;
}

/** The address comes from the store: only a web address becomes a link. */
function trackingOf({ tracking_url: url, tracking_number, tracking_company }: Order): Html {
  const text = [tracking_company, tracking_number].filter(Boolean).join(" ");
  return url !== null && /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noreferrer">${text}</a>`
    : html`${text}`;
}
