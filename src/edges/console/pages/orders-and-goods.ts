import { html, raw } from "hono/html";
import { day } from "../../../base/language/format.ts";
import { nameOfGoods } from "../../../base/language/names.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import { type CalendarDate, isDateText } from "../../../base/lib/time/dates.ts";
import type { Html } from "../../pages/document.ts";
import { type StaffVisit, todayOf } from "./console-env.ts";
import { layout } from "./layout.ts";
import { pager, placeIn } from "./links.ts";
import { orderTable } from "./orders.ts";
import { type PackingList, type PackingListName, packingLists } from "./packing-lists.ts";
import { table } from "./table.ts";
import type { AskAsStaff, PageAnswer } from "./visit.ts";

/** A day's work, or one packing list with all of its pages. It prints without what leads elsewhere. */
export function ordersAndGoodsPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const { list = "" } = visit.c.req.query();
  const lists = packingLists(dayIn(visit));
  return Object.hasOwn(lists, list)
    ? packingPage(visit, ask, list as PackingListName)
    : dayPage(visit, ask, lists);
}

/** A day's work: the goods to produce, the orders to pack, and those to deliver, which have further pages. */
async function dayPage(
  visit: StaffVisit,
  ask: AskAsStaff,
  { pack, undated }: ReturnType<typeof packingLists>,
): Promise<Html> {
  const date = dayIn(visit);
  const place = placeIn(visit);
  const isFirst = Object.keys(place).length === 0;
  const toDeliver = { delivery_date_from: date, delivery_date_to: date, ...place };
  const { delivered, goods, ...packed } = await ask(
    visit,
    {
      delivered: { id: "listOrders", query: toDeliver },
      ...(isFirst ? { whole: wholeCall(pack), undatedWhole: wholeCall(undated) } : {}),
    },
    isFirst
      ? {
          begun: begunCall(pack),
          undatedBegun: begunCall(undated),
          goods: { id: "forecastGoods", query: goodsOf(date) },
        }
      : {},
  );
  const at = (days: number, text: string) =>
    html`<a class="button quiet" href="${visit.base}/orders?day=${addDays(date, days)}">${text}</a>`;
  const found = packed.whole &&
    packed.undatedWhole && [
      [pack, { whole: packed.whole, begun: packed.begun }] as const,
      [undated, { whole: packed.undatedWhole, begun: packed.undatedBegun }] as const,
    ];
  const full = found?.filter(([, lists]) => countOf(lists) > 0) ?? [];
  const toPack = (full.length > 0 ? full : (found?.slice(0, 1) ?? [])).map(([list, lists]) =>
    packingSection(visit, list, lists),
  );
  const content = html`${tabs(visit, false)}<form class="card unprinted" method="get" action="${visit.base}/orders"><label>Day <input type="date" name="day" value="${date}" required></label>
      <p class="buttons"><button>Show</button> ${at(-1, "The day before")} ${at(1, "The day after")}
      <a class="button quiet" href="${visit.base}/goods.csv?day=${date}">Goods as CSV</a></p></form>
    ${goods ? goodsSection(goods) : ""}${toPack}
    ${orderSection("To deliver", delivered.meta.total, delivered.data.length === 0 ? html`<p class="quiet">Nothing is delivered on this day.</p>` : orderTable(visit, delivered.data))}${pager(visit, delivered.meta)}`;
  return layout(visit, { title: `Orders and goods of ${day("en", date)}`, content });
}

/** One packing list, page by page. */
async function packingPage(visit: StaffVisit, ask: AskAsStaff, name: PackingListName): Promise<Html> {
  const list = packingLists(dayIn(visit))[name];
  const place = placeIn(visit);
  const isFirst = Object.keys(place).length === 0;
  const { whole, begun } = await ask(
    visit,
    { whole: { id: "listOrders", query: { ...list.query("UNFULFILLED"), ...place } } },
    isFirst ? { begun: begunCall(list) } : {},
  );
  const content = html`${tabs(visit, name === "waiting")}${packingSection(visit, list, { whole, begun }, { isAlone: true, saysDay: name === "waiting" })}${pager(visit, whole.meta)}`;
  const title = name === "waiting" ? list.title : `${list.title} on ${day("en", dayIn(visit))}`;
  return layout(visit, { title, content });
}

function tabs({ base }: StaffVisit, isWaiting: boolean): Html {
  const here = raw(' aria-current="page"');
  return html`<nav class="tabs unprinted" aria-label="Lists"><a href="${base}/orders"${isWaiting ? "" : here}>Day by day</a>
    <a href="${base}/orders?list=waiting"${isWaiting ? here : ""}>All that wait to be sent</a></nav>`;
}

function wholeCall(list: PackingList) {
  return { id: "listOrders", query: list.query("UNFULFILLED") } as const;
}

/** Orders of which something was sent are few; their slips have further pages. */
function begunCall(list: PackingList) {
  return { id: "listOrders", query: list.query("PARTIALLY_FULFILLED") } as const;
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
export function dayIn(visit: StaffVisit): CalendarDate {
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
            nameOfGoods(cell) || (cell.store_variant_id ?? "–"),
            cell.sku ?? "–",
            ...[cell.packed, cell.planned, cell.at_risk, cell.quantity].map(String),
          ]),
        })
  }<p class="quiet">The next delivery of each subscription counts. In doubt are those that wait for a payment.</p></section>`;
}

type Packed = { whole: Orders; begun: Orders | undefined };

function countOf({ whole, begun }: Packed): number {
  return whole.meta.total + (begun?.meta.total ?? 0);
}

/** A packing list, those first of which something was sent. */
function packingSection(
  visit: StaffVisit,
  { title, empty, address }: PackingList,
  { whole, begun }: Packed,
  { isAlone = false, saysDay = false } = {},
): Html {
  const orders = [...(begun?.data ?? []), ...whole.data];
  const hasMore = !isAlone && whole.meta.next_page_url !== null;
  const hasMoreBegun = begun !== undefined && begun.meta.next_page_url !== null;
  const ways = html`<p class="buttons unprinted"><a class="button quiet" href="${visit.base}/orders/slips?${address}">Packing slips</a>${
    hasMore
      ? html`<a class="button quiet" href="${visit.base}/orders?${address}">All that are to be packed</a>`
      : ""
  }${
    hasMoreBegun
      ? html`<a class="button quiet" href="${visit.base}/orders/slips?${address}&begun">All that are partly sent</a>`
      : ""
  }</p>`;
  const rows =
    orders.length === 0
      ? html`<p class="quiet">${empty}</p>`
      : html`${ways}${orderTable(visit, orders, { isPacking: true, saysDay })}`;
  return orderSection(title, countOf({ whole, begun }), rows);
}

function orderSection(title: string, total: number, rows: Html): Html {
  return html`<section class="card"><h2>${title} <span class="count">${total}</span></h2>${rows}</section>`;
}
