import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { day, dayOf, money } from "../../../base/language/format.ts";
import { nameOfGoods } from "../../../base/language/names.ts";
import type { OrderBody } from "../../../domain/orders/schemas.ts";
import { isKeptByStore, nameOfStore } from "../../../domain/own-orders/kept-here.ts";
import type { Html } from "../../pages/document.ts";
import { type FactRow, factRows } from "../../pages/facts.ts";
import { addressBlock } from "../../pages/lines.ts";
import { orderSubject } from "./changes/order-changes.ts";
import type { StaffVisit } from "./console-env.ts";
import { doneNotice } from "./forms/done.ts";
import { historyCall } from "./forms/newest-entry.ts";
import { changeButtons, offeredOf } from "./forms/offers.ts";
import { layout } from "./layout.ts";
import { customerLink, nameOfOrder, orderLink, subscriptionLink } from "./links.ts";
import { stateOf, table } from "./table.ts";
import { historyPage, timeline } from "./timeline.ts";
import type { AskAsStaff, PageAnswer } from "./visit.ts";

type Order = z.output<typeof OrderBody>;

/** Orders in rows: with their payment and total, or for whoever packs them with town and slot. */
export function orderTable(
  visit: StaffVisit,
  orders: Order[],
  { isOfOne = false, isPacking = visit.session.role === "WAREHOUSE", saysDay = false } = {},
): Html {
  if (isPacking) return packingTable(visit, orders, saysDay);
  return table({
    caption: "Orders",
    columns: [
      "Order",
      ...(isOfOne ? [] : ["Customer"]),
      ...["Payment", "Sent", "Delivered on"],
      { head: "Total", isNumber: true },
    ],
    rows: orders.map((order) => [
      orderLink(visit, order),
      ...(isOfOne ? [] : [customerLink(visit, order.profile)]),
      stateOf(order.status),
      stateOf(order.fulfillment_status),
      dateOr(order.delivery_date, "–"),
      money("en", order.total, order.currency_code),
    ]),
  });
}

/** Orders of one day have their slot, those of several the day on which they are packed. */
function packingTable(visit: StaffVisit, orders: Order[], saysDay: boolean): Html {
  return table({
    caption: "Orders",
    columns: ["Order", "Customer", "Town", saysDay ? "Packed on" : "Slot", "Sent", "Delivered on"],
    rows: orders.map((order) => [
      orderLink(visit, order),
      customerLink(visit, order.profile),
      order.delivery_address?.city ?? "–",
      saysDay ? dateOr(order.production_date, "no day") : slotText(order),
      stateOf(order.fulfillment_status),
      dateOr(order.delivery_date, "–"),
    ]),
  });
}

function dateOr(date: string | null, none: string): string {
  return date === null ? none : day("en", date);
}

/** The slot in which an order is delivered, with its time. */
export function slotText({ delivery_slot: slot }: Pick<Order, "delivery_slot">): string {
  return slot ? `${slot.label}, ${slot.start_time}–${slot.end_time}` : "–";
}

/** One order: its goods, whose it is, where it goes and how far it is. */
export async function orderPage(visit: StaffVisit, ask: AskAsStaff, id: string): Promise<Html> {
  const {
    order: found,
    activity,
    refunds,
  } = await ask(
    visit,
    {
      order: { id: "getOrder", path: { id } },
      activity: historyCall(visit, { order_id: id }, historyPage(visit)),
    },
    { refunds: { id: "listOrderRefunds", path: { id } } },
  );
  const { data: order } = found;
  const amount = (value: number) => money("en", value, order.currency_code);
  const goods =
    order.lines === null
      ? html`<p class="quiet">The store keeps what is in it.</p>`
      : table({
          caption: "Goods",
          columns: ["What", { head: "Quantity", isNumber: true }, { head: "Price", isNumber: true }],
          rows: order.lines.map((line) => [
            nameOfGoods(line),
            String(line.quantity),
            amount(line.line_total),
          ]),
        });
  const { delivery_address: address } = order;
  const facts = factRows([
    ["Customer", customerLink(visit, order.profile)],
    ...(order.subscriptions.length === 0
      ? []
      : [
          [
            "Subscriptions",
            html`${order.subscriptions.map((one) => html`${subscriptionLink(visit, one)} `)}`,
          ] as FactRow,
        ]),
    ["Placed", dayOf("en", order.order_created_at ?? order.created_at, visit.account.timezone)],
    ["Packed on", dateOr(order.production_date, "no day of its own")],
    ["Delivered on", dateOr(order.delivery_date, "–")],
    ["Address", address ? addressBlock(address) : "–"],
    ...(order.delivery_instructions ? [["Instructions", order.delivery_instructions] as FactRow] : []),
    ["Tracking", [order.tracking_company, order.tracking_number].filter(Boolean).join(" ") || "–"],
    ["Paid back", amount(order.refunded_amount)],
    ["Id", order.id],
  ]);
  const subject = orderSubject;
  const content = html`${doneNotice(visit, ask, { subject, id })}<p>${stateOf(order.status)} · ${stateOf(order.fulfillment_status)}</p>
    ${changeButtons(`${visit.base}/orders/${id}`, offeredOf(visit, ask, { subject, record: order }))}
    ${keptNote(visit, order)}<div class="columns"><section class="card"><h2>Goods</h2>${goods}<dl>${factRows([
      ["Before discounts", amount(order.subtotal)],
      ["Discounts", amount(0 - order.discount_amount)],
      ["Total", html`<strong>${amount(order.total)}</strong>`],
    ])}</dl>${refundTable(visit, refunds?.data ?? [])}</section><section class="card"><h2>Facts</h2><dl>${facts}</dl></section></div>
    ${timeline(visit, activity, { currencyOf: () => order.currency_code })}`;
  return layout(visit, { title: `Order ${nameOfOrder(order)}`, content });
}

/** Says where an order is shipped, paid back and cancelled that its store keeps. */
function keptNote({ account }: StaffVisit, order: Order): Html {
  if (!isKeptByStore(account, order)) return html``;
  const store = nameOfStore(account);
  return html`<p>${store} keeps this order: it is sent, paid back and cancelled at ${store}, and this page follows.</p>`;
}

/** The money that was paid back, or is to be. */
function refundTable({ account }: StaffVisit, refunds: PageAnswer<"listOrderRefunds">["data"]): Html {
  if (refunds.length === 0) return html``;
  return html`<h2>Refunds</h2>${table({
    caption: "Refunds",
    columns: ["When", "State", "Why", { head: "Amount", isNumber: true }],
    rows: refunds.map(({ created_at, status, reason, error_message, amount, currency_code }) => [
      dayOf("en", created_at, account.timezone),
      stateOf(status),
      error_message ?? reason ?? "–",
      money("en", amount, currency_code),
    ]),
  })}`;
}
