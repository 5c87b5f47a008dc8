import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { day, dayOf, money } from "../../../base/language/format.ts";
import type { OrderBody } from "../../../domain/orders/schemas.ts";
import type { Html } from "../../pages/document.ts";
import { type FactRow, factRows } from "../../pages/facts.ts";
import { addressBlock, breakable } from "../../pages/lines.ts";
import { contentsTable } from "./contents/contents.ts";
import { type PicturesByVariant, picturesByVariant } from "./contents/pictures.ts";
import { layout } from "./layout.ts";
import type { Visit } from "./page-env.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

export type ShownOrder = z.output<typeof OrderBody>;

/** One order: its goods and their price, where it goes, when, and how far it is. */
export async function orderPage(visit: SignedIn, ask: AskOperations, id: string): Promise<Html> {
  const { texts, base } = visit;
  const [{ data: order }, { data: pictures }] = await ask(
    visit,
    { id: "getOwnOrder", path: { id } },
    { id: "listOwnPictures" },
  );
  const title = nameOfOrder(visit, order);
  const content = html`<p class="back"><a href="${base}/orders">← ${texts.orders}</a></p>
    <header class="title"><h1>${title}</h1>${progressOf(visit, order)}</header>
    <div class="columns"><div>${goodsCard(visit, order, picturesByVariant(pictures))}</div>
    <div><section class="card" aria-labelledby="facts"><h2 id="facts">${texts.delivery}</h2><dl>${factRows(factsOf(visit, order))}</dl></section></div></div>`;
  return layout(visit, { title, content });
}

export function nameOfOrder({ texts }: Visit, order: ShownOrder): string {
  const number = order.external_order_number ?? order.store_order_number;
  return number === null ? texts.order : `${texts.order} ${number}`;
}

/** The progress of an order, beside its name. */
export function progressOf({ texts }: Visit, { status, fulfillment_status }: ShownOrder): Html {
  const isCancelled = status === "CANCELLED";
  const text = isCancelled ? texts.statuses.CANCELLED : texts.fulfillment[fulfillment_status];
  return html`<span class="status ${isCancelled ? "cancelled" : fulfillment_status.toLowerCase()}">${text ?? ""}</span>`;
}

/** The facts about an order that lists show too. */
export function stateOf({ texts, locale, account }: Visit, order: ShownOrder): FactRow[] {
  const { status, return_status: returned } = order;
  const state = status === "CANCELLED" || status === "PAID" ? undefined : texts.orderPayments[status];
  const refunded =
    order.refunded_amount === 0 ? "" : `: ${money(locale, order.refunded_amount, order.currency_code)}`;
  const paid = state ?? (refunded === "" ? undefined : texts.orderPayments.REFUNDED);
  return [
    [texts.date, dayOf(locale, order.order_created_at ?? order.created_at, account.timezone)],
    [texts.total, money(locale, order.total, order.currency_code)],
    ...(paid ? [[texts.orderPayment, `${paid}${refunded}`] as FactRow] : []),
    ...(returned ? [[texts.returned, texts.returns[returned] ?? ""] as FactRow] : []),
    ...(order.delivery_date ? [[texts.delivery, day(locale, order.delivery_date)] as FactRow] : []),
    ...(order.tracking_number ? [[texts.tracking, trackingOf(order)] as FactRow] : []),
  ];
}

function factsOf(visit: Visit, order: ShownOrder): FactRow[] {
  const { texts, base } = visit;
  const { prepaid_delivery: nth, prepaid_deliveries: of, delivery_slot: slot } = order;
  const hours = slot && `${slot.label}${slot.is_all_day ? "" : ` ${slot.start_time}–${slot.end_time}`}`;
  const { delivery_address: address } = order;
  const subscriptions = order.subscriptions.map(
    ({ id, number }) => html`<a href="${base}/subscriptions/${id}">#${number}</a> `,
  );
  return [
    ...stateOf(visit, order),
    ...(nth !== null && of !== null ? [[texts.prepaid, texts.prepaidDelivery(nth, of)] as FactRow] : []),
    ...(hours ? [[texts.slot, hours] as FactRow] : []),
    ...(address ? [[texts.address, addressBlock(address, visit.locale)] as FactRow] : []),
    [texts.seller, sellerOf(visit)],
    ...(order.delivery_instructions ? [[texts.instructions, order.delivery_instructions] as FactRow] : []),
    ...(subscriptions.length > 0 ? [[texts.subscriptions, html`${subscriptions}`] as FactRow] : []),
  ];
}

/** Who has sold it, and how to reach them. */
function sellerOf({ account, settings: { support_email: address } }: Visit): Html {
  return html`${account.name}${address ? html`<br><a href="mailto:${address}">${breakable(address)}</a>` : ""}`;
}

function goodsCard(visit: Visit, order: ShownOrder, pictures: PicturesByVariant): Html {
  const { texts } = visit;
  const { lines, subtotal, discount_amount, total, currency_code } = order;
  const rest = Math.round((total - subtotal + discount_amount) * 1_000) / 1_000;
  const sums: [string, number][] = [
    ...(lines === null ? [[texts.subtotal, subtotal] as [string, number]] : []),
    [texts.discount, -discount_amount],
    [texts.shippingAndTax, Math.max(0, rest)],
  ];
  // An order comes once, with all that is in it.
  const shown = (lines ?? []).map((line) => ({
    ...line,
    is_one_time: false,
    image_url: pictures.get(line.store_variant_id) ?? null,
  }));
  return html`<section class="card" aria-labelledby="contents"><h2 id="contents">${texts.contents}</h2>
    ${lines === null ? html`<p class="quiet">${texts.contentsAtShop}</p>` : ""}
    ${contentsTable(visit, { lines: shown, sums, total, currency_code })}</section>`;
}

/** The address comes from the store: only a web address becomes a link. */
function trackingOf({ tracking_url: url, tracking_number, tracking_company }: ShownOrder): Html {
  const text = [tracking_company, tracking_number].filter(Boolean).join(" ");
  return url !== null && /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noreferrer">${text}</a>`
    : html`${text}`;
}
