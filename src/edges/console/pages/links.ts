import { html } from "hono/html";
import type { Html } from "../../pages/document.ts";
import type { StaffVisit } from "./console-env.ts";
import { may } from "./visit.ts";

type Customer = { id: string; full_name: string; email: string };
type Order = { id: string; store_order_number: string | null; external_order_number: string | null };

/** A customer by name, with the way to their page where the role may see it. */
export function customerLink(visit: StaffVisit, customer: Customer | null | undefined): string | Html {
  if (!customer) return "–";
  const name = customer.full_name || customer.email;
  return may(visit, "profiles:read")
    ? html`<a href="${visit.base}/customers/${customer.id}">${name}</a>`
    : name;
}

export function subscriptionLink(
  visit: StaffVisit,
  { id, number }: { id: string; number: string },
): string | Html {
  return may(visit, "subscriptions:read")
    ? html`<a href="${visit.base}/subscriptions/${id}">#${number}</a>`
    : `#${number}`;
}

export function orderLink({ base }: StaffVisit, order: Order): Html {
  return html`<a href="${base}/orders/${order.id}">${nameOfOrder(order)}</a>`;
}

export function nameOfOrder({ id, external_order_number, store_order_number }: Order): string {
  return external_order_number ?? store_order_number ?? id.slice(0, 8);
}

type Meta = {
  total: number;
  total_is_estimate: boolean;
  next_page_url: string | null;
  previous_page_url: string | null;
};

/** The number of records of a list, and the ways to its other pages, which keep the query of this one. */
export function pager(
  { c }: StaffVisit,
  { total, total_is_estimate, next_page_url, previous_page_url }: Meta,
): Html {
  const to = (url: string | null, text: string) =>
    url === null ? "" : html`<a class="button quiet" href="${hereAt(c.req.url, url)}">${text}</a>`;
  if (total === 0) return html``;
  return html`<p class="buttons"><span class="count">${total}${total_is_estimate ? "+" : ""} in all</span> ${to(previous_page_url, "Previous")} ${to(next_page_url, "Next")}</p>`;
}

/** This page with the place that a list of the API names. */
function hereAt(here: string, listed: string): string {
  const [page, at] = [new URL(here), new URL(listed).searchParams];
  for (const name of ["page", "cursor"]) {
    page.searchParams.delete(name);
    const value = at.get(name);
    if (value !== null) page.searchParams.set(name, value);
  }
  return page.pathname + page.search;
}

/** The place in a list that this page is asked for. */
export function placeIn({ c }: StaffVisit): Record<string, string> {
  const { page, cursor } = c.req.query();
  if (cursor !== undefined) return { cursor };
  return page === undefined ? {} : { page };
}
