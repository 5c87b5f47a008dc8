import { html } from "hono/html";
import type { Html } from "../../pages/document.ts";
import { factRows } from "../../pages/facts.ts";
import { type PicturesByVariant, pictureStack, picturesByVariant } from "./contents/pictures.ts";
import { layout } from "./layout.ts";
import { nameOfOrder, progressOf, type ShownOrder, stateOf } from "./order.ts";
import { titleOf } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

/** Past orders, newest first, with what the carrier says. */
export async function ordersPage(visit: SignedIn, ask: AskOperations): Promise<Html> {
  const { c, texts, base } = visit;
  const cursor = c.req.query("cursor");
  const query = { limit: String(perPage), ...(cursor === undefined ? {} : { cursor }) };
  const [{ data: orders, meta }, { data: pictures }] = await ask(
    visit,
    { id: "listOwnOrders", query },
    { id: "listOwnPictures" },
  );
  const byVariant = picturesByVariant(pictures);
  const link = (url: string | null, text: string) =>
    url === null ? "" : html`<a class="button quiet" href="${base}/orders${new URL(url).search}">${text}</a>`;
  const content = html`<h1>${texts.orders}</h1>
    ${
      orders.length === 0
        ? emptyState(visit)
        : html`<ul class="cards list">${orders.map((order) => html`<li class="card">${renderOrder(visit, order, byVariant)}</li>`)}</ul>`
    }
    <p class="buttons">${link(meta.previous_page_url, texts.newer)}${link(meta.next_page_url, texts.older)}</p>`;
  return layout(visit, { title: texts.orders, content });
}

const perPage = 20;

/** The page without an order: what will be here, and where to go on. */
function emptyState({ texts, base }: SignedIn): Html {
  return html`<div class="card empty-state"><h2>${texts.noOrders}</h2><p>${texts.noOrdersText}</p>
    <p class="buttons"><a class="button" href="${base}">${texts.portal}</a></p></div>`;
}

function renderOrder(visit: SignedIn, order: ShownOrder, pictures: PicturesByVariant): Html {
  const { texts, base } = visit;
  const name = nameOfOrder(visit, order);
  const { lines } = order;
  return html`<header>${pictureStack(visit, lines ?? [], pictures)}<div class="head"><h2><a href="${base}/orders/${order.id}">${name}</a></h2>
    <p class="quiet">${lines === null || lines.length === 0 ? "" : `${titleOf(visit, { lines })} `}${progressOf(visit, order)}</p></div>
    <a href="${base}/orders/${order.id}">${texts.showContents}<span class="hidden">: ${name}</span></a></header>
    <dl class="glance">${factRows(stateOf(visit, order))}</dl>`;
}
