import type { z } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import { day } from "../../../base/language/format.ts";
import { nameOfGoods } from "../../../base/language/names.ts";
import type { OrderBody } from "../../../domain/orders/schemas.ts";
import { isKeptByStore, nameOfStore } from "../../../domain/own-orders/kept-here.ts";
import type { Html } from "../../pages/document.ts";
import { type FactRow, factRows } from "../../pages/facts.ts";
import { addressBlock, withBreaks } from "../../pages/lines.ts";
import type { StaffVisit } from "./console-env.ts";
import { layout } from "./layout.ts";
import { nameOfOrder, orderLink, pager, placeIn } from "./links.ts";
import { slotText } from "./orders.ts";
import { dayIn } from "./orders-and-goods.ts";
import { packingLists } from "./packing-lists.ts";
import { table } from "./table.ts";
import type { AskAsStaff } from "./visit.ts";

type Order = z.output<typeof OrderBody>;

/** The slips of a packing list: each order a block with its goods, which prints on a page of its own. Those of which something was sent are apart. */
export async function packingSlipsPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const { list: asked = "", begun } = visit.c.req.query();
  const lists = packingLists(dayIn(visit));
  const name = Object.hasOwn(lists, asked) ? (asked as keyof typeof lists) : "pack";
  const { address, query } = lists[name];
  const [shown, other] =
    begun === undefined
      ? (["UNFULFILLED", "PARTIALLY_FULFILLED"] as const)
      : (["PARTIALLY_FULFILLED", "UNFULFILLED"] as const);
  const { orders, others } = await ask(visit, {
    orders: { id: "listOrders", query: { ...query(shown), limit: String(slipsOfPage), ...placeIn(visit) } },
    others: { id: "listOrders", query: { ...query(other), limit: "1" } },
  });
  const here = `${visit.base}/orders/slips?${address}`;
  const [whole, partly] = begun === undefined ? [orders, others] : [others, orders];
  const tab = (href: string, text: string, total: number, isHere: boolean) =>
    html`<a href="${href}"${isHere ? raw(' aria-current="page"') : ""}>${text} <span class="count">${total}</span></a> `;
  const content = html`<nav class="tabs unprinted" aria-label="Orders"><a href="${visit.base}/orders?${address}">← The list</a>
      ${tab(here, "Not sent yet", whole.meta.total, begun === undefined)}${tab(`${here}&begun`, "Partly sent", partly.meta.total, begun !== undefined)}</nav>
    ${orders.data.length === 0 ? html`<p class="quiet">There is nothing to pack here.</p>` : html`<p class="quiet unprinted">Printed, each slip has a page of its own.</p>`}
    ${orders.data.map((order) => slip(visit, order))}<div class="unprinted">${pager(visit, orders.meta)}</div>`;
  const title =
    name === "waiting" ? "Packing slips of all that wait" : `Packing slips of ${day("en", dayIn(visit))}`;
  return layout(visit, { title, content });
}

/** Their pages stay within 40 KB. */
const slipsOfPage = 20;

/** The goods of an order, where it goes and when, as whoever packs it reads them. */
function slip(visit: StaffVisit, order: Order): Html {
  const { delivery_address: address, delivery_instructions: instructions, profile } = order;
  const facts: FactRow[] = [
    ["Address", address ? addressBlock(address) : (profile?.full_name ?? "–")],
    ["Delivered on", order.delivery_date === null ? "–" : day("en", order.delivery_date)],
    ...(order.delivery_slot ? [["Slot", slotText(order)] as FactRow] : []),
    ...(instructions
      ? [["Instructions", html`<strong>${withBreaks(instructions)}</strong>`] as FactRow]
      : []),
    ...(order.prepaid_delivery === null
      ? []
      : [["Delivery", `${order.prepaid_delivery} of ${order.prepaid_deliveries}`] as FactRow]),
  ];
  return html`<article class="card slip"><h2>Order ${orderLink(visit, order)} <span class="count">${subscriptionsOf(order)}</span></h2>
    <dl>${factRows(facts)}</dl>${goods(visit, order)}</article>`;
}

/** The subscriptions of an order, and for whom they are. */
function subscriptionsOf({ subscriptions }: Order): string {
  return subscriptions
    .map(({ number, entity_label }) => `#${number}${entity_label ? ` for ${entity_label}` : ""}`)
    .join(", ");
}

function goods({ account }: StaffVisit, order: Order): Html {
  if (order.lines === null) {
    const store = nameOfStore(account);
    return isKeptByStore(account, order)
      ? html`<p>${store} keeps order ${nameOfOrder(order)} and knows what is in it: print its slip there.</p>`
      : html`<p class="quiet">What is in order ${nameOfOrder(order)} is not known here, because it was not billed here.</p>`;
  }
  return table({
    caption: "Goods",
    columns: [{ head: "Quantity", isNumber: true }, "What", "SKU"],
    rows: order.lines.map((line) => [
      `${line.quantity} ×`,
      html`${nameOfGoods(line)}${line.selection_items?.map((item) => html`<br>${line.quantity * item.quantity} × ${nameOfGoods(item)}`) ?? ""}`,
      line.sku ?? "–",
    ]),
  });
}
