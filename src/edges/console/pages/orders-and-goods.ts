import { html } from "hono/html";
import { day } from "../../../base/language/format.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import { type CalendarDate, isDateText } from "../../../base/lib/time/dates.ts";
import type { Html } from "../../pages/document.ts";
import { type StaffVisit, todayOf } from "./console-env.ts";
import { layout } from "./layout.ts";
import { pager, placeIn } from "./links.ts";
import { orderTable, toPack } from "./orders.ts";
import { table } from "./table.ts";
import type { AskAsStaff, PageAnswer } from "./visit.ts";

/**
 * A day's work: the goods to produce, the orders to pack, and those to deliver. It prints without what leads elsewhere. `list=pack` pages through those
 * to pack alone.
 */
export async function ordersAndGoodsPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const date = dayIn(visit);
  const place = placeIn(visit);
  const isFirst = place.page === undefined && place.cursor === undefined;
  const isPacking = visit.c.req.query("list") === "pack";
  const { delivered, packed, begun, goods } = await ask(
    visit,
    {
      ...(isPacking
        ? {}
        : {
            delivered: {
              id: "listOrders",
              query: { delivery_date_from: date, delivery_date_to: date, ...place },
            },
          }),
      ...(isPacking || isFirst
        ? { packed: { id: "listOrders", query: { ...toPack(date, "UNFULFILLED"), ...place } } }
        : {}),
    },
    {
      ...(isFirst
        ? { begun: { id: "listOrders", query: { ...toPack(date, "PARTIALLY_FULFILLED"), limit: "100" } } }
        : {}),
      ...(isFirst && !isPacking ? { goods: { id: "forecastGoods", query: goodsOf(date) } } : {}),
    },
  );
  const at = (days: number, text: string) =>
    html`<a class="button quiet" href="${visit.base}/orders?day=${addDays(date, days)}">${text}</a>`;
  const content = html`<form class="card unprinted" method="get" action="${visit.base}/orders"><label>Day <input type="date" name="day" value="${date}" required></label>
      <p class="buttons"><button>Show</button> ${at(-1, "The day before")} ${at(1, "The day after")}
      <a class="button quiet" href="${visit.base}/goods.csv?day=${date}">Goods as CSV</a></p></form>
    ${goods ? goodsSection(goods) : ""}
    ${packed ? packingSection(visit, { packed, begun, date, isPacking }) : ""}
    ${delivered ? html`${orderSection(visit, "To deliver", delivered, "Nothing is delivered on this day.")}${pager(visit, delivered.meta)}` : ""}`;
  return layout(visit, { title: `Orders and goods of ${day("en", date)}`, content });
}

/** The goods that are to be produced on a day, as a spreadsheet. */
export async function goodsCsv(visit: StaffVisit, ask: AskAsStaff): Promise<Response> {
  const date = dayIn(visit);
  const { csv } = await ask(visit, {
    csv: { id: "forecastGoods", query: goodsOf(date), accept: "text/csv" },
  });
  return new Response(csv as unknown as string, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="goods-${date}.csv"`,
    },
  });
}

/** The day that the page is asked for; today unless it says another. */
function dayIn(visit: StaffVisit): CalendarDate {
  const asked = visit.c.req.query("day") ?? "";
  return isDateText(asked) ? asked : todayOf(visit);
}

function goodsOf(date: CalendarDate): Record<string, string> {
  return { from: date, to: date, by: "production_date", horizon: "next" };
}

type Goods = PageAnswer<"forecastGoods">;
type Orders = PageAnswer<"listOrders">;

function goodsSection({ data }: Goods): Html {
  const number = (head: string) => ({ head, isNumber: true }) as const;
  return html`<section class="card"><h2>To produce</h2>${
    data.length === 0
      ? html`<p class="quiet">Nothing is to be produced on this day.</p>`
      : table({
          caption: "Goods to produce",
          columns: [
            "What",
            "SKU",
            number("Ordered"),
            number("To come"),
            number("In doubt"),
            number("In all"),
          ],
          rows: data.map((cell) => [
            [cell.product_title, cell.variant_title].filter(Boolean).join(", ") ||
              (cell.store_variant_id ?? "–"),
            cell.sku ?? "–",
            ...[cell.packed, cell.planned, cell.at_risk, cell.quantity].map(String),
          ]),
        })
  }<p class="quiet">The next delivery of each subscription counts. In doubt are those that wait for a payment.</p></section>`;
}

type Packing = { packed: Orders; begun: Orders | undefined; date: CalendarDate; isPacking: boolean };

/** Those of which something was sent come first. */
function packingSection(visit: StaffVisit, { packed, begun, date, isPacking }: Packing): Html {
  const total = packed.meta.total + (begun?.meta.total ?? 0);
  const list = { data: [...(begun?.data ?? []), ...packed.data], meta: { ...packed.meta, total } };
  const all = html`<a class="button quiet" href="${visit.base}/orders?day=${date}&list=pack">All that are to be packed</a>`;
  return html`${orderSection(visit, "To pack", list, "There is nothing to pack on this day.")}${
    isPacking
      ? pager(visit, packed.meta)
      : packed.meta.next_page_url === null
        ? ""
        : html`<p class="buttons unprinted">${all}</p>`
  }`;
}

function orderSection(visit: StaffVisit, title: string, { data, meta }: Orders, empty: string): Html {
  return html`<section class="card"><h2>${title} <span class="count">${meta.total}</span></h2>${
    data.length === 0 ? html`<p class="quiet">${empty}</p>` : orderTable(visit, data)
  }</section>`;
}
